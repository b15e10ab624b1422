import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AccessControl } from '../../access/types.ts';
import type { FoundDocument, ReadingProgress } from '../../documents/types.ts';
import { DEFAULT_COLLECTION } from '../../lib/collection.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { placeOfPassage } from '../../lib/text/passage-place.ts';
import { VERSION } from '../../version.ts';
import { disconnectSignal, type HttpEnv } from '../http/edge.ts';
import type { OperationPipeline } from '../invoke.ts';
import { LOGO_SVG } from '../logo.ts';
import { ACCEPTED_FILE_EXTENSIONS, describePageCount, pageUnitName } from './file-kinds.ts';
import type { SubmittedForm } from './form.ts';
import type { RequestedFilePage } from './requested-page.ts';
import type { UploadSession } from './session.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export function renderLayout(title: string, body: Html, alert: readonly string[] = []): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Magpie</title>
<link rel="stylesheet" href="/app/style.css?v=${VERSION}">
<script type="module" src="/app/script.js?v=${VERSION}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="brand">${raw(LOGO_SVG)}Magpie</header>
${alert.length > 0 ? html`<div class="error" role="alert">${alert.map((line) => html`<p>${renderBackticksAsCode(line)}</p>`)}</div>` : ''}
${body}
</body>
</html>`;
}

/** Returns a page that opens the list of files. The link's secret then leaves the address bar. */
export function redirectPage(home: string, collection: string | undefined): Html {
  const list = fileListAddress(collection, home);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0;url=${list}"><title>Magpie</title></head>
<body><p><a href="${list}">Continue to your files</a></p></body></html>`;
}

export function fileListAddress(collection: string | undefined, home = '/app'): string {
  return collection ? `${home}?${new URLSearchParams({ collection })}` : home;
}

export interface NextPageLink {
  readonly href: string;
  readonly words: string;
}
export const FILE_LIST_LINK: NextPageLink = { href: '/app', words: 'To the list of files' };

export function errorPage(title: string, why: string, next?: NextPageLink): Html {
  const link = next ? html`<p><a class="button" href="${next.href}">${next.words}</a></p>` : '';
  return renderLayout(title, html`<main id="main"><h1>${title}</h1>${link}</main>`, [why]);
}

export function renderBackticksAsCode(line: string): Html {
  const pieces = line.split('`');
  const isCommand = (at: number) => at % 2 === 1 && at < pieces.length - 1;
  return html`${pieces.map((piece, at) => (isCommand(at) ? html`<code>${piece}</code>` : `${at % 2 === 1 ? '`' : ''}${piece}`))}`;
}

export interface FileListView {
  readonly session: UploadSession;
  readonly found: readonly FoundDocument[];
  readonly reading: readonly ReadingProgress[];
  readonly usage: { readonly files: number; readonly bytes: number; readonly quota: number };
  readonly maxBytes: number;
  readonly q: string;
  readonly show: number;
  readonly readOnly: boolean;
  readonly collection: string;
}

export function fileListPage(view: FileListView, alert: readonly string[] = []): Html {
  const { session, usage, readOnly } = view;
  return renderLayout(
    'Your files',
    html`<main id="main"><header>
${field(session, '/app/leave', html`<button>Close</button>`)}
<h1>Your files</h1>
<p class="quiet">User ${session.owner}. Your assistant can list these files and answer questions about them.</p>
</header>
${readOnly ? '' : uploadForm(view)}
<section aria-labelledby="files-heading">
<h2 id="files-heading">Files</h2>
<form class="search" role="search" action="/app" method="get" id="search">
<div><label for="q">Search names and text</label>
<input type="search" id="q" name="q" value="${view.q}" maxlength="200" autocomplete="off"></div>
${view.collection ? html`<input type="hidden" name="collection" value="${view.collection}">` : ''}
<button>Search</button>
</form>
<div id="list">
<p id="count" role="status">${countOf(view)} ${formatUploadSize(usage.bytes)} of ${formatUploadSize(usage.quota)} used.</p>
${view.reading.length > 0 ? html`<ul class="progress" aria-label="Files that are being read">${view.reading.map((one) => html`<li><b><bdi>${one.name}</bdi></b><p>${describeReadingProgress(one)}</p></li>`)}</ul>` : ''}
<ul class="files">
${view.found.slice(0, view.show).map((one) => item(one, view))}
</ul>
${view.found.length > view.show ? html`<p><a class="button" href="/app?${more(view)}">Show more</a></p>` : ''}
</div>
</section>
</main>
<footer><details><summary>Sign out everywhere</summary>
${field(session, '/app/end', html`<p>End this page on all devices, and all links to your files that were given out?</p><button class="bad">Yes, end them all</button>`)}
</details></footer>`,
    alert,
  );
}

export function describeReadingProgress({ stage, done, of }: ReadingProgress): string {
  if (stage === 'waiting') return 'waiting until other files are read';
  const place = of > 0 ? `, ${done} of ${of} page${of === 1 ? '' : 's'}` : '';
  return stage === 'text' ? `reading the text${place}` : `reading the scanned pages by OCR${place}`;
}

function countOf({ found, q, usage }: FileListView): string {
  const files = (count: number) => `${count} file${count === 1 ? '' : 's'}`;
  if (q) return `${files(found.length)} of ${usage.files} with “${q}”.`;
  return usage.files === 0 ? 'No files yet.' : `${files(usage.files)}.`;
}

function more({ q, show, collection }: FileListView): string {
  const address = { q: q || undefined, show: String(show * 2), collection: collection || undefined };
  return String(new URLSearchParams(omitUndefined(address)));
}

function uploadForm({ session, maxBytes, collection }: FileListView): Html {
  const where = { action: '/app/files', put: '/app/files/', reading: '/app/reading' };
  return html`<section aria-labelledby="add-heading">
<h2 id="add-heading">Add files</h2>
${renderUploadForm({ ...where, form: session.form, maxBytes, collection })}
</section>`;
}

export function renderUploadForm({
  action,
  put,
  reading,
  form,
  maxBytes,
  collection,
}: {
  /** Address to which the form is sent without scripts. With scripts, files are sent to the address `put`. */
  readonly action: string;
  readonly put: string;
  readonly reading: string;
  readonly form: string;
  readonly maxBytes: number;
  readonly collection: string;
}): Html {
  return html`<form id="upload" action="${action}" method="post" enctype="multipart/form-data" data-max="${maxBytes}" data-put="${put}" data-reading="${reading}">
<input type="hidden" name="form" value="${form}">
<div class="drop" id="drop">
<label for="files">Files</label>
<input type="file" id="files" name="files" accept="${ACCEPTED_FILE_EXTENSIONS}" multiple required aria-describedby="files-hint">
<p class="quiet" id="files-hint">PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, RTF, HTML, Markdown, text, CSV, mail and pictures, up to ${formatUploadSize(maxBytes)} each<span id="drop-hint" hidden>; you can also drop them here. They are uploaded at once</span>. A file of the same name is replaced.</p>
<div class="options"><details><summary>Password</summary>
<label for="password">Of an encrypted PDF; it is used once and not kept</label>
<input type="password" id="password" name="password" autocomplete="off" maxlength="500">
</details>
<details${collection ? html` open` : ''}><summary>Collection</summary>
<label for="collection">Such as a project; questions can be asked of one collection alone</label>
<input type="text" id="collection" name="collection" value="${collection}" placeholder="default" autocomplete="off" maxlength="60">
</details></div>
<button class="main" id="send">Upload</button>
</div>
</form>
<ul class="progress" id="progress" aria-label="Uploads"></ul>
<p id="said" role="status" class="unseen"></p>`;
}

function item({ document, place }: FoundDocument, { session, readOnly }: FileListView): Html {
  const { name, collection, kind, title, parts, bytes, addedAt } = document;
  const path = encodeURIComponent(name);
  const facts = [
    describePageCount(document),
    `${parts} part${parts === 1 ? '' : 's'}`,
    formatUploadSize(bytes),
    new Date(addedAt).toISOString().slice(0, 10),
    ...(collection === DEFAULT_COLLECTION ? [] : [`in ${collection}`]),
  ].join(' · ');
  return html`<li>
<h3><a href="/app/pages/${path}"><bdi>${name}</bdi></a></h3>
<p class="quiet">${title ? html`<span dir="auto">${title}</span> · ` : ''}${facts}</p>
${place ? html`<p class="excerpt" dir="auto"><a href="/app/pages/${path}?page=${place.page}">${capitalizedUnitName(kind)} ${place.page}</a>: ${place.excerpt}</p>` : ''}
<div class="acts"><a class="button" href="/app/files/${path}" aria-label="Download ${name}" download>Download</a>
${
  readOnly
    ? ''
    : html`<details><summary aria-label="Delete ${name}">Delete</summary>
${field(session, '/app/delete', html`<input type="hidden" name="name" value="${name}"><p>Delete <b>${name}</b> and its text for good?</p><button class="bad">Yes, delete it</button>`)}
</details>`
}
</div>
</li>`;
}

export function capitalizedUnitName(kind: string): string {
  const unit = pageUnitName(kind);
  return unit.charAt(0).toUpperCase() + unit.slice(1);
}

export interface FilePageView extends RequestedFilePage {
  readonly document: FoundDocument['document'];
  /** Secret of a link to this file only. Undefined if the user may see the whole list. */
  readonly pass: string | undefined;
}

export function filePageHtml({ document, page, passage, mark, text, pass }: FilePageView): Html {
  const { name, kind, pages } = document;
  const path = encodeURIComponent(name);
  const query = (more: Readonly<Record<string, string | undefined>>) =>
    String(new URLSearchParams(omitUndefined({ ...more, pass })));
  const at = (number: number) => `/app/pages/${path}?${query({ page: String(number) })}`;
  const unit = capitalizedUnitName(kind);
  const lower = unit.toLowerCase();
  const marked = mark === undefined ? { passage: passage || undefined } : { mark };
  const picture = `/app/pictures/${path}?${query({ page: String(page), ...marked })}`;
  const alt = `${unit} ${page} as it looks${passage ? ', with the passage marked' : ''}; its text is below`;
  return renderLayout(
    `${name}, ${lower} ${page}`,
    html`<main id="main"><header>${pass === undefined ? html`<p><a href="/app">All files</a></p>` : ''}<h1 dir="auto">${name}</h1></header>
<nav class="acts" aria-label="Pages">
${page > 1 ? html`<a class="button" rel="prev" href="${at(page - 1)}">Previous ${lower}</a>` : ''}
${page < pages ? html`<a class="button" rel="next" href="${at(page + 1)}">Next ${lower}</a>` : ''}
<a class="button" href="/app/files/${path}${pass === undefined ? '' : `?${query({})}`}" download>Download</a>
</nav>
<h2>${unit} ${page} of ${pages}</h2>
${
  kind === 'pdf' || kind === 'picture'
    ? html`<figure id="look"><a href="${picture}" aria-label="${unit} ${page} in full size"><img src="${picture}" alt="${alt}"></a></figure>
<h3>Text</h3>`
    : ''
}
<div class="text" dir="auto" tabindex="0" role="region" aria-label="Text of ${lower} ${page}">${text ? highlightPassage(text, passage) : '(no text)'}</div>
</main>`,
  );
}

export function highlightPassage(text: string, passage: string): Html {
  const place = passage ? placeOfPassage(text, passage) : undefined;
  if (!place) return html`${text}`;
  const { from, to } = place;
  return html`${text.slice(0, from)}<mark id="passage">${text.slice(from, to)}</mark>${text.slice(to)}`;
}

function field({ form }: UploadSession, action: string, inner: Html): Html {
  return html`<form action="${action}" method="post"><input type="hidden" name="form" value="${form}">${inner}</form>`;
}

export function formatUploadSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

export interface UploadAppOptions {
  readonly openUser?: () => Promise<string | undefined>;
  readonly publicUrl?: string | undefined;
  readonly readOnly?: boolean;
  readonly home?: string;
  readonly identifyPageUser?: AccessControl['identifyPageUser'];
  readonly createMeter?: AccessControl['createMeter'];
}

export interface UploadAppContext {
  readonly pipe: OperationPipeline;
  readonly readOnly: boolean;
  readonly home: string;
  readonly secure: boolean;
  applyUserLimits<S extends { readonly owner: string } | undefined>(
    c: Context<HttpEnv>,
    session: S,
  ): Promise<S>;
  /** Returns a link that opens the upload page, or undefined if the server requires keys. */
  findOpeningLink(c: Context<HttpEnv>): Promise<NextPageLink | undefined>;
  findNextLink(c: Context<HttpEnv>): Promise<NextPageLink | undefined>;
  readSessionForm(c: Context<HttpEnv>, maxBytes: number): Promise<SubmittedForm>;
}

const FILES_SHOWN = 100;
const MAX_FILES_SHOWN = 10_000;
const MAX_QUERY_CHARS = 200;

export async function sendFileList(
  c: Context<HttpEnv>,
  { pipe, readOnly }: UploadAppContext,
  session: UploadSession,
  alert: readonly string[] = [],
  status = 200,
  collection = c.req.query('collection') ?? '',
): Promise<Response> {
  const room = await pipe.services.documents();
  const q = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_CHARS);
  const found = q
    ? await room.searchDocuments(session.owner, q, disconnectSignal(c))
    : (await room.listDocuments(session.owner)).map((document) => ({ document }));
  const asked = Math.trunc(Number(c.req.query('show'))) || FILES_SHOWN;
  const show = Math.min(Math.max(asked, FILES_SHOWN), MAX_FILES_SHOWN);
  const [usage, reading] = [await room.readUsage(session.owner), room.listReading(session.owner)];
  const { maxBytes } = room;
  const view = { session, found, reading, usage, maxBytes, q, show, readOnly, collection };
  return sendPage(c, fileListPage(view, alert), status);
}

export async function sendPage(c: Context, html: Html, status = 200): Promise<Response> {
  return c.html(html, status as ContentfulStatusCode);
}

export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
