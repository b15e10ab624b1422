import type { Context } from 'hono';
import { html } from 'hono/html';
import type { DocumentInfo } from '../../../documents/types.ts';
import { AppError, asAppError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { VERSION } from '../../../version.ts';
import { describePageCount } from '../../app/file-kinds.ts';
import { capitalizedUnitName, formatUploadSize, type Html, highlightPassage } from '../../app/page.ts';
import { type RequestedFilePage, readRequestedPage, sendPageImage } from '../../app/requested-page.ts';
import { toSentence } from '../../app/upload-app-context.ts';
import type { HttpEnv } from '../../http/edge.ts';
import { highlightWords, truncateAtWord } from '../find/quote.ts';
import { formatDateUtc } from '../frame/format-times.ts';
import type { ConsolePage } from '../frame/frame.ts';
import { type ConsoleContext, requireScope } from '../frame/page.ts';
import type { Visitor } from '../frame/visitor.ts';

const SHOWN_CHARS = 280;
const MARKED_CHARS = 600;
const ANSWERS = 3;
const DRAWN = ['pdf', 'picture'];

interface Match {
  readonly metadata: { readonly text: string; readonly page?: number; readonly title?: string };
}

export function addFilePage(parts: ConsoleContext): void {
  parts.get('/file', (c, visitor) => filePage(parts, c, visitor), 'files');
  parts.get(
    '/file/picture',
    async (c, visitor) => {
      requireScope(visitor, 'read');
      const picture = await sendPageImage(c, parts.pipe.services, visitor.caller.id, nameOf(c));
      if (picture) return picture;
      throw new AppError('not_found', 'this page cannot be drawn: its text is on its page');
    },
    'files',
  );
}

function nameOf(c: Context<HttpEnv>): string {
  const name = c.req.query('name');
  if (name) return name;
  throw new AppError('not_found', 'this address names no file: choose one from the list');
}

async function filePage(parts: ConsoleContext, c: Context<HttpEnv>, visitor: Visitor): Promise<ConsolePage> {
  requireScope(visitor, 'read');
  const { services } = parts.pipe;
  const document = await (await services.documents()).getDocument(visitor.caller.id, nameOf(c));
  const { name } = document;
  const q = (c.req.query('q') ?? '').trim().slice(0, 2000);
  let [matches, alert] = [[] as readonly Match[], undefined as string | undefined];
  if (q) {
    try {
      const input = { q, fileName: name, partId: '*' };
      ({ matches } = await parts.call<{ matches: readonly Match[] }>(c, visitor, 'document', input));
    } catch (thrown) {
      alert = toSentence(asAppError(thrown).message);
    }
  }
  const place = await readRequestedPage(c, services, visitor.caller.id, name);
  const facts = [
    describePageCount(document),
    formatUploadSize(document.bytes),
    formatDateUtc(document.addedAt),
  ];
  return {
    title: name,
    about: [document.title, document.author, ...facts].filter(Boolean).join(' · '),
    place: 'files',
    script: `/app/script.js?v=${VERSION}`,
    alert,
    action: html`<a class="button" href="/app/file/download?${new URLSearchParams({ name })}" download>Download</a>`,
    body: html`<form role="search" action="/app/file" method="get"><input type="hidden" name="name" value="${name}"><div class="field">
<input name="q" aria-label="Question to ${name}" value="${q}" maxlength="2000" required placeholder="Ask this file"><button class="main">Ask</button></div></form>
${q && alert === undefined ? answers(document, q, matches) : ''}${lookAndText(document, place, q)}
<p><a href="/app/files">All files</a></p>`,
  };
}

function answers({ name, kind }: DocumentInfo, q: string, matches: readonly Match[]): Html {
  if (matches.length === 0) {
    return html`<section class="panel empty"><h2>Nothing in this file fits</h2><p>Try other words, or read its pages below.</p></section>`;
  }
  return html`<section class="panel" aria-label="Answers">${matches
    .slice(0, ANSWERS)
    .map(({ metadata: { text, page = 1, title } }) => {
      const plain = text.replace(/^#{1,6} .*\n+/, '').replace(/\s+/g, ' ');
      const shown = truncateAtWord(plain, SHOWN_CHARS);
      const at = new URLSearchParams({ name, q, page: String(page), passage: text.slice(0, MARKED_CHARS) });
      return html`<article class="hit"><h2><a href="/app/file?${at}#page">${capitalizedUnitName(kind)} ${page}</a></h2>${title ? html`<div class="where" dir="auto">${title}</div>` : ''}<p class="text" dir="auto">${highlightWords(shown, q)}</p></article>`;
    })}</section>`;
}

function lookAndText(
  { name, kind, pages }: DocumentInfo,
  { page, text, passage, mark }: RequestedFilePage,
  q: string,
): Html {
  const unit = capitalizedUnitName(kind);
  const lower = unit.toLowerCase();
  const query = (more: Readonly<Record<string, string | undefined>>) =>
    String(new URLSearchParams(omitUndefined({ name, ...more })));
  const at = (number: number) => `/app/file?${query({ q: q || undefined, page: String(number) })}#page`;
  const picture = `/app/file/picture?${query({ page: String(page), passage: mark ? undefined : passage || undefined, mark })}`;
  const alt = `${unit} ${page} as it looks${passage ? ', with the passage marked' : ''}; its text is beside it`;
  return html`<section class="panel" id="page" aria-labelledby="page-heading"><div class="row between"><h2 id="page-heading">${unit} ${page} of ${pages}</h2><nav class="pages" aria-label="Pages of the file">
${page > 1 ? html`<a class="button small" rel="prev" href="${at(page - 1)}">Previous ${lower}</a>` : ''}${page < pages ? html`<a class="button small" rel="next" href="${at(page + 1)}">Next ${lower}</a>` : ''}</nav></div>
<div class="leaf">${DRAWN.includes(kind) ? html`<figure id="look"><a href="${picture}" aria-label="${unit} ${page} in full size"><img src="${picture}" alt="${alt}"></a></figure>` : ''}
<div class="text sheet-text" dir="auto" tabindex="0" role="region" aria-label="Text of ${lower} ${page}">${text ? highlightPassage(text, passage) : '(no text)'}</div></div></section>`;
}
