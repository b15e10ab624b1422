import { html } from 'hono/html';
import type { Monitor } from '../../../monitor/types.ts';
import type { Html } from '../../app/page.ts';
import type { Pipe } from '../../invoke.ts';
import { putFlash } from '../frame/flash.ts';
import { formTokenField } from '../frame/frame.ts';
import type { ConsoleContext } from '../frame/page.ts';
import { checkChangeAllowed, explainNoAccess, formErrorMessage } from '../frame/page-access.ts';
import type { Visitor } from '../frame/visitor.ts';

export async function publicPageHtml(room: Monitor, pipe: Pipe, visitor: Visitor): Promise<Html | string> {
  const page = await room.getPage(visitor.caller.id);
  const mayChange = explainNoAccess(pipe, visitor, 'startMonitoring') === undefined;
  if (!page && !mayChange) return '';
  return html`<section class="panel" aria-labelledby="public"><h2 id="public">Status page</h2>
${page ? html`<p>Everyone who has its address sees how these monitors stand: <a href="/status/${page.slug}">/status/${page.slug}</a></p>` : html`<p>A page for everyone who has its address, with states and bars of 90 days. It names nothing but what you call your monitors.</p>`}
${
  mayChange
    ? html`<details><summary>${page ? 'Change it' : 'Make one'}</summary><form method="post" action="/app/monitors/page">${formTokenField(visitor)}
<div class="pair"><label>Heading<input name="title" maxlength="100" value="${page?.title ?? ''}" placeholder="Status of our shop"></label><label>Last part of its address <span class="hint">(unguessable when left out)</span><input name="slug" maxlength="60" value="${page?.slug ?? ''}" spellcheck="false"></label></div>
<label class="chip"><input type="checkbox" name="addresses" value="1"${page?.addresses ? html` checked` : ''}>Show addresses, and why something was down</label>
<div class="row"><button class="main">${page ? 'Change it' : 'Make the page'}</button>${page ? html`<button class="bad" name="end" value="1">End the page</button>` : ''}</div></form></details>`
    : ''
}</section>`;
}

export function addPublicPageForm(parts: ConsoleContext): void {
  parts.post('/monitors/page', async (c, visitor, form) => {
    checkChangeAllowed(parts.pipe, visitor, 'startMonitoring');
    const room = await parts.pipe.services.monitor();
    if (form.field('end') === '1') {
      await room.removePage(visitor.caller.id);
      putFlash(c, 'The status page is gone.');
      return '/app/monitors';
    }
    const [title, slug] = ['title', 'slug'].map((name) => form.field(name).trim() || undefined);
    try {
      const page = await room.setPage(visitor.caller.id, {
        title,
        slug,
        addresses: form.field('addresses') === '1',
      });
      putFlash(c, `The status page is at /status/${page.slug}.`);
      return '/app/monitors';
    } catch (thrown) {
      return {
        title: 'Status page',
        about: 'It is as it was.',
        place: 'monitors',
        alert: formErrorMessage(thrown),
        body: html`<section class="panel"><form method="post" action="/app/monitors/page">${formTokenField(visitor)}<label>Heading<input name="title" maxlength="100" value="${title ?? ''}"></label>
<label>Last part of its address<input name="slug" maxlength="60" value="${slug ?? ''}" spellcheck="false"></label><input type="hidden" name="addresses" value="${form.field('addresses')}"><div class="row"><button class="main">Try again</button><a class="button" href="/app/monitors">Back</a></div></form></section>`,
      };
    }
  });
}
