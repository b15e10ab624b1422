import type { Context } from 'hono';
import { html } from 'hono/html';
import type { DocumentInfo } from '../../../documents/types.ts';
import { asAppError, notFoundError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { markedPassage } from '../../../lib/text/passage-mark.ts';
import { placeOfPassage } from '../../../lib/text/passage-place.ts';
import type { Services } from '../../../wiring/services.ts';
import { describePageCount, pageUnitName } from '../../app/file-kinds.ts';
import { sendAsAttachment } from '../../app/file-transfer.ts';
import { type Html, toSentence } from '../../html.ts';
import { disconnectSignal, type HttpEnv } from '../../http/edge.ts';
import { highlightWords, truncateAtWord } from '../find/ask.ts';
import type { ConsolePage } from '../frame/frame.ts';
import { type ConsoleContext, formatDateUtc, requireScope } from '../frame/page.ts';
import type { ConsoleVisitor } from '../frame/visitor.ts';

const MAX_PASSAGE_CHARS = 4000;
const SHOWN_CHARS = 280;
const MARKED_CHARS = 600;
const ANSWERS = 3;
const DRAWN = ['pdf', 'picture'];

interface FileMatch {
  readonly metadata: { readonly text: string; readonly page?: number; readonly title?: string };
}

/** Page of a file that an address asks for. */
interface RequestedFilePage {
  readonly page: number;
  readonly text: string;
  /** Id of the passage (see `passageMark`), if the page's address contains it instead of the passage. */
  readonly mark: string | undefined;
  readonly passage: string;
}

/** Adds the page of one file, its pictures and its bytes, which also a link to this file alone opens. */
export function addFilePages(parts: ConsoleContext, script: string): void {
  const { services } = parts.pipe;
  const admission = { opens: 'file' } as const;
  parts.get('/file', async (c, visitor) => ({ ...(await filePage(parts, c, visitor)), script }), admission);
  parts.get(
    '/file/picture',
    async (c, visitor) => {
      requireScope(visitor, 'read');
      return sendPageImage(c, services, visitor.caller.id, nameOf(c));
    },
    admission,
  );
  parts.get(
    '/files/:name',
    async (c, visitor) => {
      requireScope(visitor, 'read');
      const name = c.req.param('name') ?? '';
      const query = new URL(c.req.url).searchParams;
      if (!query.has('page')) return sendAsAttachment(c, await services.documents(), visitor.caller.id, name);
      query.set('name', name);
      return c.redirect(`/app/file?${query}`, 302);
    },
    admission,
  );
}

async function readRequestedPage(
  c: Context<HttpEnv>,
  services: Services,
  owner: string,
  name: string,
): Promise<RequestedFilePage> {
  const page = Number(c.req.query('page') ?? 1);
  const mark = c.req.query('mark');
  const text = await (await services.documents()).readPage(owner, name, page);
  const words = (c.req.query('passage') ?? '').slice(0, MAX_PASSAGE_CHARS);
  return { page, text, mark, passage: mark === undefined ? words : (markedPassage(text, mark) ?? '') };
}

async function sendPageImage(
  c: Context<HttpEnv>,
  services: Services,
  owner: string,
  name: string,
): Promise<Response> {
  const { page, passage } = await readRequestedPage(c, services, owner, name);
  const drawn = await (await services.documents()).drawPage(owner, name, page, passage, disconnectSignal(c));
  if (!drawn) throw notFoundError('this page cannot be drawn: its text is on its page');
  c.env.outgoing.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  const { type, bytes, length } = drawn;
  const isHead = c.req.method === 'HEAD';
  if (isHead && bytes instanceof ReadableStream) await bytes.cancel();
  const body = bytes instanceof ReadableStream ? bytes : new Uint8Array(bytes);
  const headers = { 'Content-Type': type, 'Content-Length': String(length) };
  return new Response(isHead ? null : body, { headers });
}

export function capitalizedUnitName(kind: string): string {
  const unit = pageUnitName(kind);
  return unit.charAt(0).toUpperCase() + unit.slice(1);
}

export function formatUploadSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

function highlightPassage(text: string, passage: string): Html {
  const place = passage ? placeOfPassage(text, passage) : undefined;
  if (!place) return html`${text}`;
  const { from, to } = place;
  return html`${text.slice(0, from)}<mark id="passage">${text.slice(from, to)}</mark>${text.slice(to)}`;
}

function nameOf(c: Context<HttpEnv>): string {
  const name = c.req.query('name');
  if (name) return name;
  throw notFoundError('this address names no file: choose one from the list');
}

/** Returns the address of a file's bytes. `pass` is the secret of a link to this file. */
export function fileAddress(name: string, pass?: string): string {
  const query = pass === undefined ? '' : `?${new URLSearchParams({ pass })}`;
  return `/app/files/${encodeURIComponent(name)}${query}`;
}

async function filePage(
  parts: ConsoleContext,
  c: Context<HttpEnv>,
  visitor: ConsoleVisitor,
): Promise<ConsolePage> {
  requireScope(visitor, 'read');
  const { services } = parts.pipe;
  const document = await (await services.documents()).getDocument(visitor.caller.id, nameOf(c));
  const { name } = document;
  const { pass } = visitor;
  const q = pass === undefined ? (c.req.query('q') ?? '').trim().slice(0, 2000) : '';
  let [matches, alert] = [[] as readonly FileMatch[], undefined as string | undefined];
  if (q) {
    try {
      const input = { q, fileName: name, partId: '*' };
      ({ matches } = await parts.call<{ matches: readonly FileMatch[] }>(c, visitor, 'document', input));
    } catch (thrown) {
      alert = toSentence(asAppError(thrown).message);
    }
  }
  const place = await readRequestedPage(c, services, visitor.caller.id, name);
  const facts = [
    describePageCount(document),
    formatCount(document.parts, 'part'),
    formatUploadSize(document.bytes),
    formatDateUtc(document.addedAt),
  ];
  return {
    title: name,
    about: [document.title, document.author, ...facts].filter(Boolean).join(' · '),
    place: 'files',
    alert,
    action: html`<a class="button" href="${fileAddress(name, pass)}" download>Download</a>`,
    body:
      pass === undefined
        ? html`<form role="search" action="/app/file" method="get"><input type="hidden" name="name" value="${name}"><div class="field">
<input name="q" aria-label="Question to ${name}" value="${q}" maxlength="2000" required placeholder="Ask this file"><button class="main">Ask</button></div></form>
${q && alert === undefined ? answers(document, q, matches) : ''}${lookAndText(document, place, { q: q || undefined })}
<p><a href="/app/files">All files</a></p>`
        : lookAndText(document, place, { pass }),
  };
}

function answers({ name, kind }: DocumentInfo, q: string, matches: readonly FileMatch[]): Html {
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
  kept: Readonly<Record<string, string | undefined>>,
): Html {
  const unit = capitalizedUnitName(kind);
  const lower = unit.toLowerCase();
  const query = (more: Readonly<Record<string, string | undefined>>) =>
    String(new URLSearchParams(omitUndefined({ name, ...kept, ...more })));
  const at = (number: number) => `/app/file?${query({ page: String(number) })}#page`;
  const picture = `/app/file/picture?${query({ page: String(page), passage: mark ? undefined : passage || undefined, mark })}`;
  const alt = `${unit} ${page} as it looks${passage ? ', with the passage marked' : ''}; its text is beside it`;
  return html`<section class="panel" id="page" aria-labelledby="page-heading"><div class="row between"><h2 id="page-heading">${unit} ${page} of ${pages}</h2><nav class="pages" aria-label="Pages of the file">
${page > 1 ? html`<a class="button small" rel="prev" href="${at(page - 1)}">Previous ${lower}</a>` : ''}${page < pages ? html`<a class="button small" rel="next" href="${at(page + 1)}">Next ${lower}</a>` : ''}</nav></div>
<div class="leaf">${DRAWN.includes(kind) ? html`<figure id="look"><a href="${picture}" aria-label="${unit} ${page} in full size"><img src="${picture}" alt="${alt}"></a></figure>` : ''}
<div class="text sheet-text" dir="auto" tabindex="0" role="region" aria-label="Text of ${lower} ${page}">${text ? highlightPassage(text, passage) : '(no text)'}</div></div></section>`;
}
