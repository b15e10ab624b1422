import { html } from 'hono/html';
import { asAppError, notFoundError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import type { CrawlReport } from '../../../search/types.ts';
import { type Html, toSentence } from '../../html.ts';
import { readOnlyError } from '../../invoke.ts';
import { type ConsolePage, formTokenField, safeWebAddress } from '../frame/frame.ts';
import { type ConsoleContext, formatDateUtc, requireScope } from '../frame/page.ts';
import { type ConsoleVisitor, putFlash } from '../frame/visitor.ts';

const PAGE_SIZE = 25;
const SHOWN_CRAWLS = 10;
const DEPTHS = [1, 2, 3, 5];

interface PageItem {
  readonly url: string;
  readonly title: string;
  readonly readAt?: number;
  readonly snippet?: string;
}

export function addIndexedPagesPage(parts: ConsoleContext): void {
  const { services, catalog } = parts.pipe;
  parts.get('/pages', async (c, visitor) => list(parts, visitor, c.req.query()));

  parts.get('/page', async (c, visitor) => {
    requireScope(visitor, 'read');
    const url = (c.req.query('url') ?? '').slice(0, 4000);
    const page = await (await services.search()).recallPage(visitor.caller.id, url);
    if (!page) throw notFoundError('this page is not in the index, or not any longer');
    const href = safeWebAddress(page.url);
    return {
      title: page.title || page.url,
      about: `As it was read on ${formatDateUtc(page.readAt)}.`,
      place: 'pages',
      action: href ? html`<a class="button" href="${href}" rel="noreferrer">Open the page</a>` : undefined,
      body: html`<section class="panel"><p class="quiet"><bdi>${page.url}</bdi></p><div class="text" dir="auto">${page.text}</div></section><p><a href="/app/pages">All pages</a></p>`,
    };
  });

  const change = (visitor: ConsoleVisitor) => {
    requireScope(visitor, 'write');
    if (catalog.readOnly) throw readOnlyError('the index');
  };
  parts.post('/page/forget', async (c, visitor, form) => {
    change(visitor);
    const gone = await (await services.search()).forgetPage(visitor.caller.id, form.field('url'));
    putFlash(c, gone ? 'The page is forgotten.' : 'The page was not in the index.');
    return '/app/pages';
  });
  parts.post('/crawl/start', async (c, visitor, form) => {
    const [q, depth] = [form.field('url').trim(), form.field('depth')];
    try {
      await parts.call(c, visitor, 'browse', { q, crawl: depth, percentile: 1, numofpages: 1 });
    } catch (thrown) {
      return {
        ...(await list(parts, visitor, {}, { url: q, depth })),
        alert: toSentence(asAppError(thrown).message),
      };
    }
    putFlash(c, `${q} is crawled in the background.`);
    return '/app/pages#crawls';
  });
  parts.post('/crawl/stop', async (c, visitor, form) => {
    change(visitor);
    const stopped = await (await services.sites()).stopCrawl(visitor.caller.id, form.field('url'));
    putFlash(c, stopped ? 'The crawl is stopped; what it read stays.' : 'No crawl runs there.');
    return '/app/pages#crawls';
  });
}

const NOTHING = { url: '', depth: '2' };

async function list(
  { pipe: { services, catalog } }: ConsoleContext,
  visitor: ConsoleVisitor,
  query: Readonly<Record<string, string>>,
  entered = NOTHING,
): Promise<ConsolePage> {
  requireScope(visitor, 'read');
  const search = await services.search();
  const owner = visitor.caller.id;
  const q = (query.q ?? '').trim().slice(0, 500);
  const heading = { title: 'Pages read', place: 'pages' } as const;
  if (!search.keepsPages) {
    const body = html`<section class="panel empty"><h2>The local index is off</h2><p>MAGPIE_LOCAL_INDEX switches it on: pages that are read are then found again without a network.</p></section>`;
    return { ...heading, about: 'Pages that were read are not kept here.', body };
  }
  const listed = q
    ? { pages: (await search.searchPages(owner, q, PAGE_SIZE)) as readonly PageItem[], next: undefined }
    : await search.listRecentPages(owner, PAGE_SIZE, query.cursor);
  const crawls = await (await services.sites()).readCrawls(owner);
  const may = visitor.caller.scopes.has('write') && !catalog.readOnly;
  const next = listed.next;
  return {
    ...heading,
    about: 'What you, your assistant and crawls have read: found again without a network.',
    body: html`<form role="search" action="/app/pages" method="get"><div class="field"><input name="q" aria-label="Search the pages" value="${q}" maxlength="500" placeholder="Search the pages"><button class="main">Search</button></div></form>
${listed.pages.length === 0 ? empty(q) : html`<section class="panel" aria-label="Pages">${listed.pages.map((page) => item(page, visitor, may))}</section>`}
${next === undefined ? '' : html`<p><a class="button" rel="next" href="/app/pages?${new URLSearchParams(omitUndefined({ cursor: next }))}">Older pages</a></p>`}
${crawlsOf(crawls.slice(0, SHOWN_CRAWLS), visitor, may)}${may ? crawlForm(visitor, entered) : ''}`,
  };
}

function empty(q: string): Html {
  return q
    ? html`<section class="panel empty"><h2>No page has these words</h2><p><a href="/app/ask?${new URLSearchParams({ q })}">Ask the web</a>, or <a href="/app/pages">see all pages</a>.</p></section>`
    : html`<section class="panel empty"><h2>No pages yet</h2><p><a href="/app/ask">Ask something</a>: every page that is read for it is kept here. Or crawl a site below.</p></section>`;
}

function item({ url, title, readAt, snippet }: PageItem, visitor: ConsoleVisitor, may: boolean): Html {
  const read = `/app/page?${new URLSearchParams({ url })}`;
  const host = URL.canParse(url) ? new URL(url).hostname || 'file' : '';
  return html`<article class="hit"><div class="row between"><h2 dir="auto"><a href="${read}">${title || url}</a></h2>${
    may
      ? html`<form class="line" method="post" action="/app/page/forget">${formTokenField(visitor)}<input type="hidden" name="url" value="${url}"><button class="small" aria-label="Forget ${title || url}">Forget</button></form>`
      : ''
  }</div><div class="where"><span class="tag">${host}</span>${readAt ? `read ${formatDateUtc(readAt)}` : ''}</div>${snippet ? html`<p class="text" dir="auto">${snippet}</p>` : ''}</article>`;
}

const TONES: Readonly<Record<CrawlReport['state'], string>> = {
  running: 'info',
  finished: 'good',
  interrupted: 'warn',
  limit: 'warn',
  stopped: '',
  failed: 'bad',
};

function crawlsOf(crawls: readonly CrawlReport[], visitor: ConsoleVisitor, may: boolean): Html | string {
  if (crawls.length === 0) return '';
  return html`<section class="panel" id="crawls" aria-label="Crawls"><h2>Crawls</h2>${crawls.map(
    ({ source, state, read, waiting, why }) =>
      html`<article class="hit"><div class="row between"><h3><bdi>${source}</bdi></h3>${
        may && state === 'running'
          ? html`<form class="line" method="post" action="/app/crawl/stop">${formTokenField(visitor)}<input type="hidden" name="url" value="${source}"><button class="small bad" aria-label="Stop the crawl of ${source}">Stop</button></form>`
          : ''
      }</div><div class="where"><span class="tag ${TONES[state]}">${state}</span>${formatCount(read, 'page')} read, ${waiting} waiting${why ? ` · ${why}` : ''}</div></article>`,
  )}</section>`;
}

function crawlForm(visitor: ConsoleVisitor, { url, depth }: typeof NOTHING): Html {
  return html`<details class="panel"${url ? html` open` : ''}><summary>Crawl a site</summary><form method="post" action="/app/crawl/start">${formTokenField(visitor)}
<label>Address<input name="url" type="url" required maxlength="2000" value="${url}" placeholder="https://docs.example.org/"></label>
<label>Links to follow from there<select name="depth">${DEPTHS.map((one) => html`<option value="${one}"${String(one) === depth ? html` selected` : ''}>${one}</option>`)}</select></label>
<p class="quiet">It reads in the background, politely and by robots.txt, up to 1,000 pages.</p><div><button class="main">Crawl it</button></div></form></details>`;
}
