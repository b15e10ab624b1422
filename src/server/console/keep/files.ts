import { html } from 'hono/html';
import type { FoundDocument, ReadingProgress } from '../../../documents/types.ts';
import { asAppError } from '../../../errors.ts';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { ACCEPTED_FILE_EXTENSIONS, describePageCount } from '../../app/file-kinds.ts';
import { addFile, readUploadedFile } from '../../app/file-transfer.ts';
import type { SubmittedForm } from '../../app/form.ts';
import { closeUploadSession } from '../../app/session.ts';
import { type Html, toSentence } from '../../html.ts';
import { disconnectSignal } from '../../http/edge.ts';
import { readOnlyError } from '../../invoke.ts';
import { UPLOAD_ASSET } from '../frame/assets.ts';
import { type ConsolePage, formTokenField, renderSignedOutPage } from '../frame/frame.ts';
import { type ConsoleContext, formatDateUtc, requireScope } from '../frame/page.ts';
import { fileListAddress, NEW_LINK, sendConsolePage } from '../frame/page-app.ts';
import { clampPage, pageLinks } from '../frame/paging.ts';
import { type ConsoleVisitor, putFlash } from '../frame/visitor.ts';
import { addFilePages, capitalizedUnitName, fileAddress, formatUploadSize } from './file-page.ts';

const PAGE_SIZE = 25;
const FILES = { opens: 'files' } as const;

const SCRIPT = `/app/assets/${UPLOAD_ASSET.name}`;

/** Adds the pages of a user's files, for who signed in and for who has a link of `pdfload`. */
export function addFilesPages(parts: ConsoleContext): void {
  const { pipe, get } = parts;
  get('/files', async (c, visitor) => list(parts, visitor, c.req.query(), disconnectSignal(c)), FILES);
  get('/uploads', async (c) => c.redirect('/app/files', 302), FILES);
  get(
    '/file/reading',
    async (c, visitor) => {
      const reading = (await pipe.services.documents()).listReading(visitor.caller.id);
      return c.json(reading.map((one) => ({ ...one, words: describeReadingProgress(one) })));
    },
    { ...FILES, counted: false },
  );
  addFilePages(parts, SCRIPT);
  addChanges(parts);
  addEnd(parts);
}

function addEnd({ pipe, post, renew }: ConsoleContext): void {
  post(
    '/end',
    async (c, visitor) => {
      const { id } = visitor.caller;
      await (await pipe.services.passes()).endPasses(id);
      closeUploadSession(c);
      const ended = `All links and open pages of ${id} are ended.`;
      if (visitor.filesOnly) {
        return sendConsolePage(
          c,
          renderSignedOutPage('Signed out everywhere', html`<p>${ended} ${NEW_LINK}</p>`),
          200,
        );
      }
      await renew(c, visitor);
      putFlash(c, ended);
      return '/app/files';
    },
    FILES,
  );
}

function addChanges(parts: ConsoleContext): void {
  const { pipe } = parts;
  const taking = { pipe, readOnly: pipe.catalog.readOnly === true };
  const room = () => pipe.services.documents();
  parts.put('/files/:name', async (c, visitor) => {
    requireScope(visitor, 'write');
    const sent = readUploadedFile(c, c.req.param('name') ?? '', (await room()).maxBytes);
    const added = await addFile(c, taking, visitor.caller.id, sent);
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
    return fileListAddress(collection);
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
  const readings = reading.map(
    (one) => html`<li><b><bdi>${one.name}</bdi></b><p class="quiet">${describeReadingProgress(one)}</p></li>`,
  );
  return {
    title: 'Files',
    about: 'PDF, Word, slides and more: kept, read, and asked with the page that answers.',
    place: 'files',
    script: SCRIPT,
    body: html`${may ? html`<section aria-label="Add files">${uploadForm(visitor.form, room.maxBytes, collection)}</section>` : html`<p class="note">${pipe.catalog.readOnly ? 'This server is read-only: files can be read and asked.' : 'Your key may read files: adding and deleting takes the scope write.'}</p>`}
<form role="search" action="/app/files" method="get" id="search"><div class="field"><input name="q" id="q" aria-label="Search names and text" value="${q}" maxlength="200" autocomplete="off" placeholder="Search names and text">${collection ? html`<input type="hidden" name="collection" value="${collection}">` : ''}<button class="main">Search</button></div></form>
<div id="list" class="stack"><p class="quiet" role="status">${q ? `${formatCount(all.length, 'file')} of ${usage.files} with “${q}”` : formatCount(usage.files, 'file')} · ${formatUploadSize(usage.bytes)} of ${formatUploadSize(usage.quota)} used</p>
${reading.length > 0 ? html`<ul class="progress" aria-label="Files that are being read">${readings}</ul>` : ''}
${all.length === 0 ? empty(q) : table(all.slice(from, from + PAGE_SIZE), visitor, may)}
${pageLinks('/app/files', omitUndefined({ q: q || undefined, collection: collection || undefined }), page, Math.ceil(all.length / PAGE_SIZE))}</div>
${may ? endForm(visitor) : ''}`,
  };
}

function endForm(visitor: ConsoleVisitor): Html {
  return html`<details class="acts"><summary>Sign out everywhere</summary><form method="post" action="/app/end">${formTokenField(visitor)}<p>End this page on all devices, and all links to your files that were given out?</p><div><button class="bad">Yes, end them all</button></div></form></details>`;
}

function empty(q: string): Html {
  return q
    ? html`<section class="panel empty"><h2>No file has “${q}”</h2><p>Names and texts were searched. <a href="/app/files">All files</a></p></section>`
    : html`<section class="panel empty"><h2>No files yet</h2><p>Drop one above, such as the manual of your washing machine, and ask it: “How do I clean the filter?”</p></section>`;
}

function table(found: readonly FoundDocument[], visitor: ConsoleVisitor, may: boolean): Html {
  return html`<section class="panel" aria-label="Files"><table class="cards"><thead><tr><th>Name</th><th>Read</th><th class="num">Size</th><th>Added</th><th class="end"><span class="unseen">Actions</span></th></tr></thead>
<tbody>${found.map((one) => row(one, visitor, may))}</tbody></table></section>`;
}

function row({ document, place }: FoundDocument, visitor: ConsoleVisitor, may: boolean): Html {
  const { name, title, parts, bytes, addedAt, kind, collection } = document;
  const at = (page?: number) =>
    `/app/file?${new URLSearchParams(omitUndefined({ name, page: page?.toString() }))}`;
  return html`<tr><td><a href="${at()}"><b><bdi>${name}</bdi></b></a>${collection === DEFAULT_COLLECTION ? '' : html` <span class="tag">${collection}</span>`}${title ? html`<br><span class="quiet" dir="auto">${title}</span>` : ''}
${place ? html`<p class="quiet" dir="auto"><a href="${at(place.page)}">${capitalizedUnitName(kind)} ${place.page}</a>: ${place.excerpt}</p>` : ''}</td>
<td><span class="tag good">${describePageCount(document)}</span> <small>${formatCount(parts, 'part')}</small></td><td class="num">${formatUploadSize(bytes)}</td><td>${formatDateUtc(addedAt)}</td>
<td class="end"><div class="acts"><a class="button" href="${fileAddress(name)}" aria-label="Download ${name}" download>Download</a>${
    may
      ? html`<details class="sure"><summary class="bad" aria-label="Delete ${name}">Delete</summary><form method="post" action="/app/file/delete">${formTokenField(visitor)}<input type="hidden" name="name" value="${name}"><p>Delete <b>${name}</b> and its text for good?</p><button class="bad small">Yes, delete it</button></form></details>`
      : ''
  }</div></td></tr>`;
}

function uploadForm(form: string, maxBytes: number, collection: string): Html {
  return html`<form id="upload" action="/app/file/add" method="post" enctype="multipart/form-data" data-max="${maxBytes}" data-put="/app/files/" data-reading="/app/file/reading">
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

function describeReadingProgress({ stage, done, of }: ReadingProgress): string {
  if (stage === 'waiting') return 'waiting until other files are read';
  const place = of > 0 ? `, ${done} of ${of} page${of === 1 ? '' : 's'}` : '';
  return stage === 'text' ? `reading the text${place}` : `reading the scanned pages by OCR${place}`;
}
