import { html } from 'hono/html';
import type { AutomationService, PlatformName } from '../../automation/types.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import type { Html } from '../html.ts';
import { type ConsolePage, formTokenField, safeWebAddress } from './frame/frame.ts';
import type { ConsoleContext } from './frame/page.ts';
import { explainNoAccess, formErrorMessage, noAccessHtml } from './frame/page-access.ts';
import type { ConsoleVisitor } from './frame/visitor.ts';

const PLATFORMS: Readonly<Record<PlatformName, string>> = { make: 'Make', n8n: 'n8n', apify: 'Apify' };
const HEAD = {
  title: 'Automations',
  about:
    'A sentence becomes a crawler on your own Make, n8n or Apify, which runs it. You see, change and delete it there.',
  place: 'automations',
} as const;
const EXAMPLES = [
  'Watch https://example.com/ and tell me when the headings change',
  'Every weekday at 9, post the links of https://news.ycombinator.com/ to https://hooks.example/in when new ones appear about magpies',
];

type Query = ReturnType<typeof askedBy>;

interface AutomationAnswer {
  readonly id: string;
  readonly metadata: { readonly text: string };
  readonly items: string;
  readonly platform?: PlatformName;
  readonly existing?: boolean;
  readonly active?: boolean;
  readonly document?: Readonly<Record<string, unknown>>;
}

export function addAutomationsPages(parts: ConsoleContext): void {
  const call = async (
    c: Parameters<ConsoleContext['call']>[0],
    visitor: ConsoleVisitor,
    input: Record<string, unknown>,
  ) => {
    const { matches } = await parts.call<{ matches: AutomationAnswer[] }>(c, visitor, 'automationrpa', input);
    return matches[0];
  };
  parts.get('/automations', async (c, visitor) => {
    const why = explainNoAccess(parts.pipe, visitor, 'automationrpa');
    if (why) return { ...HEAD, body: noAccessHtml('Automations are not open to you', why) };
    const asked = askedBy((name) => c.req.query(name) ?? '');
    if (asked.q === '') return { ...HEAD, body: html`${sentenceForm(asked)}${firstSteps()}` };
    try {
      const plan = await call(
        c,
        visitor,
        omitUndefined({ q: asked.q, platform: asked.platform, dryRun: true }),
      );
      const room = await parts.pipe.services.automation();
      return {
        ...HEAD,
        body: html`${sentenceForm(asked)}${plan ? planHtml(plan) : ''}${await createForm(asked, room, visitor, c.req.raw.signal)}`,
      };
    } catch (thrown) {
      return { ...HEAD, alert: formErrorMessage(thrown), body: sentenceForm(asked) };
    }
  });
  parts.post('/automations/create', async (c, visitor, form) => {
    const asked = askedBy(form.field);
    const [key, team, magpiekey] = ['key', 'team', 'magpiekey'].map(
      (name) => form.field(name).trim() || undefined,
    );
    try {
      const input = {
        q: asked.q,
        platform: asked.platform,
        autoplatformapikey: key,
        autoplatformteamid: team,
        magpiekey,
      };
      const made = await call(c, visitor, omitUndefined(input));
      return made ? madePage(made) : '/app/automations';
    } catch (thrown) {
      const alert = formErrorMessage(thrown);
      const room = await parts.pipe.services.automation();
      return {
        ...HEAD,
        alert,
        body: html`${sentenceForm(asked)}${await createForm(asked, room, visitor, c.req.raw.signal)}`,
      };
    }
  });
}

function askedBy(value: (name: string) => string) {
  const names = Object.keys(PLATFORMS) as PlatformName[];
  return { q: value('q').trim().slice(0, 4000), platform: names.find((name) => name === value('platform')) };
}

function sentenceForm({ q, platform }: Query): Html {
  return html`<section class="panel" aria-labelledby="say"><h2 id="say">Say what it is to do</h2><form method="get" action="/app/automations">
<label>Pages, what to take of them, when to notify you, and where to send it<textarea name="q" rows="3" maxlength="4000" required placeholder="${EXAMPLES[0]}">${q}</textarea></label>
<label>On which platform<select name="platform"><option value="">The one that this server has set</option>${Object.entries(PLATFORMS).map(([name, title]) => html`<option value="${name}"${name === platform ? html` selected` : ''}>${title}</option>`)}</select></label>
<div class="row"><button class="main">Show what it becomes</button><span class="quiet">Nothing is created yet.</span></div></form></section>`;
}

function firstSteps(): Html {
  return html`<section class="panel empty"><h2>Begin with a sentence</h2>${EXAMPLES.map(
    (one) =>
      html`<p><a href="/app/automations?${new URLSearchParams({ q: one, platform: 'n8n' })}">${one}</a></p>`,
  )}<p>Ten more languages are understood, and what is not understood is named. Magpie keeps neither the automation nor your key.</p></section>`;
}

const NAMED = /^([a-z][a-z ]{1,20}): (.*)$/s;

function planHtml({ items, document }: AutomationAnswer): Html {
  const [head = '', ...lines] = items.split('\n');
  const named = lines.flatMap((line) => {
    const [, name, text] = NAMED.exec(line) ?? [];
    return name !== undefined && name !== 'note' ? [{ name, text }] : [];
  });
  const others = lines.filter((line) => !NAMED.test(line));
  const notes = lines.filter((line) => line.startsWith('note: '));
  return html`<section class="panel" aria-labelledby="plan"><h2 id="plan">What it becomes</h2><p class="quiet" dir="auto">${head}</p>
<dl class="facts">${named.map(({ name, text }) => html`<dt>${name}</dt><dd dir="auto">${text}</dd>`)}</dl>
${others.map((line) => html`<p dir="auto">${line}</p>`)}${notes.map((line) => html`<p class="note" dir="auto">${line.slice('note: '.length)}</p>`)}
${document ? html`<details><summary>The document that would be sent</summary><pre tabindex="0"><code>${JSON.stringify(document, null, 2)}</code></pre></details>` : ''}</section>`;
}

async function createForm(
  { q, platform }: Query,
  room: AutomationService,
  visitor: ConsoleVisitor,
  signal: AbortSignal,
) {
  const needsKey = await room.needsMagpieKey(q, visitor.caller.id, signal);
  const wanted = room.wantedCredentials(platform);
  const secret = (name: string, label: string, hint: string, kind: 'password' | 'text') =>
    html`<label>${label} <span class="hint">${hint}</span><input type="${kind}" name="${name}" required maxlength="2000" autocomplete="off" spellcheck="false"></label>`;
  return html`<section class="panel" aria-labelledby="create"><h2 id="create">Create it on ${wanted.title}</h2>
<p>Magpie sends what you type here to ${wanted.title} and forgets it: it is neither kept nor logged, and no assistant sees it. ${wanted.title} runs the automation, with its own prices and limits.</p>
<form method="post" action="/app/automations/create" autocomplete="off">${formTokenField(visitor)}<input type="hidden" name="q" value="${q}"><input type="hidden" name="platform" value="${platform ?? ''}">
<div class="pair">${secret('key', `Key of ${wanted.title}`, wanted.key, 'password')}${secret('team', 'Team', wanted.team, 'text')}</div>
${needsKey ? secret('magpiekey', 'Key of this Magpie', `with the scope write: ${wanted.title} keeps it, and writes into your notes with it`, 'password') : ''}
<div><button class="main">Create it</button></div></form></section>`;
}

function madePage(made: AutomationAnswer): ConsolePage {
  const { items, metadata, active, existing } = made;
  const href = safeWebAddress(metadata.text);
  const [head = '', ...lines] = items.split('\n');
  return {
    ...HEAD,
    body: html`<section class="panel" aria-labelledby="made"><h2 id="made"><span class="tag ${active ? 'good' : 'warn'}">${active ? 'It runs' : 'Switched off'}</span> ${existing ? 'It was there already' : 'Created'}</h2>
<p dir="auto">${head}</p>${lines.map((line) => html`<p class="quiet" dir="auto">${line}</p>`)}
<div class="row">${href ? html`<a class="button main" href="${href}" rel="noreferrer">Open it on ${PLATFORMS[made.platform ?? 'make']}</a>` : ''}<a class="button" href="/app/automations">Another one</a></div>
<p class="quiet">Magpie keeps nothing of it. The same words find it again there.</p></section>`,
  };
}
