import type { Context } from 'hono';
import { html } from 'hono/html';
import type { DocumentInfo, FoundDocument } from '../../../documents/types.ts';
import { asAppError, notFoundError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { VERSION } from '../../../version.ts';
import { describePageCount } from '../../app/file-kinds.ts';
import { addFile, readUploadedFile, sendAsAttachment } from '../../app/file-transfer.ts';
import type { SubmittedForm } from '../../app/form.ts';
import {
  capitalizedUnitName,
  describeReadingProgress,
  fileListAddress,
  formatUploadSize,
  type Html,
  highlightPassage,
  renderUploadForm,
  toSentence,
} from '../../app/page.ts';
import { type RequestedFilePage, readRequestedPage, sendPageImage } from '../../app/requested-page.ts';
import { disconnectSignal, type HttpEnv } from '../../http/edge.ts';
import { readOnlyError } from '../../invoke.ts';
import { highlightWords, truncateAtWord } from '../find/ask.ts';
import { type ConsolePage, formTokenField } from '../frame/frame.ts';
import { type ConsoleContext, formatDateUtc, requireScope } from '../frame/page.ts';
import { clampPage, pageLinks } from '../frame/paging.ts';
import { type ConsoleVisitor, putFlash } from '../frame/visitor.ts';

const PAGE_SIZE = 25;
const FILES = { opens: 'files' } as const;

export function addFilesPages(parts: ConsoleContext): void {
  const { pipe, get } = parts;
  const { services } = pipe;
  get('/files', async (c, visitor) => list(parts, visitor, c.req.query(), disconnectSignal(c)), 'files');
  get('/uploads', async (c) => c.redirect('/app/files', 302), 'files');
  get(
    '/file/download',
    async (c, visitor) => {
      requireScope(visitor, 'read');
      return sendAsAttachment(c, await services.documents(), visitor.caller.id, c.req.query('name') ?? '');
    },
    'files',
  );
  get(
    '/file/reading',
    async (c, visitor) => {
      const reading = (await services.documents()).listReading(visitor.caller.id);
      return c.json(reading.map((one) => ({ ...one, words: describeReadingProgress(one) })));
    },
    'files',
  );
  addFilePage(parts);
  addChanges(parts);
}

function addChanges(parts: ConsoleContext): void {
  const { pipe } = parts;
  const taking = { pipe, readOnly: pipe.catalog.readOnly === true };
  const room = () => pipe.services.documents();
  parts.put('/file/upload', async (c, { caller, ...visitor }) => {
    requireScope({ caller, ...visitor }, 'write');
    const sent = readUploadedFile(c, c.req.query('name') ?? '', (await room()).maxBytes);
    const added = await addFile(c, taking, caller.id, sent);
    return c.json({ ...added, words: describePageCount(added) }, 201);
  });

  const add = async (c: Parameters<typeof addFile>[0], visitor: ConsoleVisitor, form: SubmittedForm) => {
    requireScope(visitor, 'write');
    const collection = form.field('collection').trim() || undefined;
    const password = form.field('password') || undefined;
    const problems: string[] = form.files.length === 0 ? ['No file was chosen.'] : [];
    for (const file of form.files) {
      const sent = { name: file.name, bytes: file.stream(), password, collection };
      await addFile(c, taking, visitor.caller.id, sent).catch((thrown: unknown) =>
        problems.push(toSentence(asAppError(thrown).message)),
      );
    }
    if (problems.length > 0) {
      const page = await list(parts, visitor, omitUndefined({ collection }), disconnectSignal(c));
      return { ...page, alert: problems.join(' ') };
    }
    putFlash(c, `${formatCount(form.files.length, 'file')} added.`);
    return fileListAddress(collection, '/app/files');
  };
  parts.post('/file/add', add, { ...FILES, maxBytes: async () => (await room()).maxBytes });

  parts.post(
    '/file/delete',
    async (c, visitor, form) => {
      requireScope(visitor, 'write');
      if (taking.readOnly) throw readOnlyError('deletion of a file');
      const name = form.field('name');
      await (await room()).removeDocument(visitor.caller.id, name);
      putFlash(c, `${name} is deleted.`);
      return '/app/files';
    },
    FILES,
  );
}

async function list(
  { pipe }: ConsoleContext,
  visitor: ConsoleVisitor,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ConsolePage> {
  requireScope(visitor, 'read');
  const room = await pipe.services.documents();
  const owner = visitor.caller.id;
  const q = (query.q ?? '').trim().slice(0, 200);
  const collection = (query.collection ?? '').slice(0, 60);
  const all: readonly FoundDocument[] = q
    ? await room.searchDocuments(owner, q, signal)
    : (await room.listDocuments(owner)).map((document) => ({ document }));
  const [usage, reading] = [await room.readUsage(owner), room.listReading(owner)];
  const { from, page } = clampPage(query.page, all.length, PAGE_SIZE);
  const may = visitor.caller.scopes.has('write') && !pipe.catalog.readOnly;
  const drop = {
    ...{ action: '/app/file/add', put: '/app/file/upload?name=', reading: '/app/file/reading' },
    ...{ form: visitor.form, maxBytes: room.maxBytes, collection },
  };
  const readings = reading.map(
    (one) => html`<li><b><bdi>${one.name}</bdi></b><p class="quiet">${describeReadingProgress(one)}</p></li>`,
  );
  return {
    title: 'Files',
    about: 'PDF, Word, slides and more: kept, read, and asked with the page that answers.',
    place: 'files',
    script: `/app/script.js?v=${VERSION}`,
    body: html`${may ? html`<section aria-label="Add files">${renderUploadForm(drop)}</section>` : html`<p class="note">${pipe.catalog.readOnly ? 'This server is read-only: files can be read and asked.' : 'Your key may read files: adding and deleting takes the scope write.'}</p>`}
<form role="search" action="/app/files" method="get" id="search"><div class="field"><input name="q" id="q" aria-label="Search names and text" value="${q}" maxlength="200" autocomplete="off" placeholder="Search names and text"><button class="main">Search</button></div></form>
<div id="list" class="stack"><p class="quiet" role="status">${q ? `${formatCount(all.length, 'file')} of ${usage.files} with “${q}”` : formatCount(usage.files, 'file')} · ${formatUploadSize(usage.bytes)} of ${formatUploadSize(usage.quota)} used</p>
${reading.length > 0 ? html`<ul class="progress" aria-label="Files that are being read">${readings}</ul>` : ''}
${all.length === 0 ? empty(q) : table(all.slice(from, from + PAGE_SIZE), visitor, may)}
${pageLinks('/app/files', omitUndefined({ q: q || undefined }), page, Math.ceil(all.length / PAGE_SIZE))}</div>`,
  };
}

function empty(q: string): Html {
  return q
    ? html`<section class="panel empty"><h2>No file has “${q}”</h2><p>Names and texts were searched. <a href="/app/files">All files</a></p></section>`
    : html`<section class="panel empty"><h2>No files yet</h2><p>Drop one above, such as the manual of your washing machine, and ask it: “How do I clean the filter?”</p></section>`;
}

function table(found: readonly FoundDocument[], visitor: ConsoleVisitor, may: boolean): Html {
  return html`<section class="panel" aria-label="Files"><table class="cards"><thead><tr><th>Name</th><th>Read</th><th class="num">Size</th><th>Added</th>${may ? html`<th class="end"><span class="unseen">Actions</span></th>` : ''}</tr></thead>
<tbody>${found.map((one) => row(one, visitor, may))}</tbody></table></section>`;
}

function row({ document, place }: FoundDocument, visitor: ConsoleVisitor, may: boolean): Html {
  const { name, title, bytes, addedAt, kind, collection } = document;
  const at = (page?: number) =>
    `/app/file?${new URLSearchParams(omitUndefined({ name, page: page?.toString() }))}`;
  return html`<tr><td><a href="${at()}"><b><bdi>${name}</bdi></b></a>${collection === 'default' ? '' : html` <span class="tag">${collection}</span>`}${title ? html`<br><span class="quiet" dir="auto">${title}</span>` : ''}
${place ? html`<p class="quiet" dir="auto"><a href="${at(place.page)}">${capitalizedUnitName(kind)} ${place.page}</a>: ${place.excerpt}</p>` : ''}</td>
<td><span class="tag good">${describePageCount(document)}</span></td><td class="num">${formatUploadSize(bytes)}</td><td>${formatDateUtc(addedAt)}</td>
${
  may
    ? html`<td class="end"><details class="sure"><summary class="bad" aria-label="Delete ${name}">Delete</summary><form method="post" action="/app/file/delete">${formTokenField(visitor)}<input type="hidden" name="name" value="${name}"><p>Delete it and its text for good?</p><button class="bad small">Yes, delete it</button></form></details></td>`
    : ''
}</tr>`;
}

const SHOWN_CHARS = 280;
const MARKED_CHARS = 600;
const ANSWERS = 3;
const DRAWN = ['pdf', 'picture'];

interface FileMatch {
  readonly metadata: { readonly text: string; readonly page?: number; readonly title?: string };
}

function addFilePage(parts: ConsoleContext): void {
  parts.get('/file', (c, visitor) => filePage(parts, c, visitor), 'files');
  parts.get(
    '/file/picture',
    async (c, visitor) => {
      requireScope(visitor, 'read');
      const picture = await sendPageImage(c, parts.pipe.services, visitor.caller.id, nameOf(c));
      if (picture) return picture;
      throw notFoundError('this page cannot be drawn: its text is on its page');
    },
    'files',
  );
}

function nameOf(c: Context<HttpEnv>): string {
  const name = c.req.query('name');
  if (name) return name;
  throw notFoundError('this address names no file: choose one from the list');
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
  const q = (c.req.query('q') ?? '').trim().slice(0, 2000);
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
