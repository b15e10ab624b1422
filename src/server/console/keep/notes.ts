import { Readable } from 'node:stream';
import { html } from 'hono/html';
import { badRequestError, forbiddenError, notFoundError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { isoTime } from '../../../lib/time/microseconds.ts';
import type { SubmittedForm } from '../../app/form.ts';
import type { Html } from '../../html.ts';
import { disconnectSignal } from '../../http/edge.ts';
import { truncateAtWord } from '../find/ask.ts';
import { formTokenField } from '../frame/frame.ts';
import { type ConsoleContext, formatDateUtc, requireScope } from '../frame/page.ts';
import { type ConsoleVisitor, putFlash } from '../frame/visitor.ts';

const PAGE_SIZE = 20;
const SHOWN_CHARS = 300;

interface Note {
  readonly id: string;
  readonly text: string;
  readonly title?: string | undefined;
  readonly source?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly createdAt?: string | undefined;
  readonly fileName?: string | undefined;
}

type NoteListing = { readonly entries: readonly Note[]; readonly next?: string };
type NoteHits = { readonly matches: readonly { readonly id: string; readonly metadata: Omit<Note, 'id'> }[] };
type StatusAnswer = { readonly status: { readonly status: string } };

export function addNotesPages(parts: ConsoleContext): void {
  parts.get('/notes', async (c, visitor) => {
    const q = (c.req.query('q') ?? '').trim().slice(0, 2000);
    const tag = (c.req.query('tag') ?? '').trim().slice(0, 100);
    const tags = tag ? [tag] : undefined;
    const cursor = c.req.query('cursor');
    let [notes, next] = [[] as readonly Note[], undefined as string | undefined];
    if (q) {
      const input = omitUndefined({ q, topK: PAGE_SIZE, tags });
      const { matches } = await parts.call<NoteHits>(c, visitor, 'query', input);
      notes = matches.map(({ id, metadata }) => ({ ...metadata, id }));
    } else {
      const input = omitUndefined({ limit: PAGE_SIZE, tags, cursor });
      ({ entries: notes, next } = await parts.call<NoteListing>(c, visitor, 'listEntries', input));
    }
    const about =
      q || tag
        ? `${formatCount(notes.length, 'note')} that fit`
        : 'What you and your assistant keep, newest first.';
    return {
      title: 'Notes',
      about,
      place: 'notes',
      body: html`${searchForm(q, tag)}${addForm(visitor)}${list(notes, visitor)}
${next === undefined ? '' : html`<p><a class="button" rel="next" href="/app/notes?${new URLSearchParams(omitUndefined({ tag: tag || undefined, cursor: next }))}">Older notes</a></p>`}
<div class="row"><a class="button" href="/app/notes/trash">Trash</a><a class="button" href="/app/notes/transfer">Import and export</a></div>`,
    };
  });

  parts.get('/notes/edit', async (c, visitor) => {
    const id = (c.req.query('id') ?? '').slice(0, 500);
    const { entries } = await parts.call<NoteListing>(c, visitor, 'listEntries', { id });
    const [note] = entries;
    if (!note) throw notFoundError('this note does not exist, or lies in the trash');
    return {
      title: 'Edit a note',
      about: `Kept ${formatDateUtc(note.createdAt)}`,
      place: 'notes',
      body: editForm(note, visitor),
    };
  });
  addNoteForms(parts);
}

function addNoteForms(parts: ConsoleContext): void {
  parts.post('/notes/add', async (c, visitor, form) => {
    const { title, source, tags } = factsOf(form);
    const facts = { title: title || undefined, source: source || undefined, tags };
    const input = omitUndefined({ q: form.field('text'), ...facts });
    const { status } = await parts.call<StatusAnswer>(c, visitor, 'upsertjson', input);
    putFlash(c, status.status);
    return '/app/notes';
  });
  parts.post('/notes/change', async (c, visitor, form) => {
    const input = { id: form.field('id'), text: form.field('text'), ...factsOf(form) };
    await parts.call(c, visitor, 'updateEntry', input);
    putFlash(c, 'The note is changed.');
    return '/app/notes';
  });
  parts.post('/notes/delete', async (c, visitor, form) => {
    const id = form.field('id');
    const { trash } = await parts.call(c, visitor, 'deleteEntry', { id });
    putFlash(c, 'The note is deleted.', trash === undefined ? undefined : id);
    return '/app/notes';
  });
  parts.post('/notes/undo', async (c, visitor, form) => {
    const input = { id: form.field('id'), restore: true };
    const { status } = await parts.call<StatusAnswer>(c, visitor, 'deleteEntry', input);
    putFlash(c, status.status);
    return '/app/notes';
  });
}

function factsOf(form: SubmittedForm) {
  const tags = form
    .field('tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  return { title: form.field('title').trim(), source: form.field('source').trim(), tags };
}

function searchForm(q: string, tag: string): Html {
  return html`<form role="search" action="/app/notes" method="get"><div class="field"><input name="q" aria-label="Search notes by meaning" value="${q}" maxlength="2000" placeholder="Search by meaning">
${tag ? html`<input type="hidden" name="tag" value="${tag}">` : ''}<button class="main">Search</button></div></form>
${q || tag ? html`<div class="chips">${tag ? html`<span class="tag">${tag}</span>` : ''}<a class="chip" href="/app/notes">All notes</a></div>` : ''}`;
}

function fields(note: Partial<Note>): Html {
  return html`<label>Text<textarea name="text" required maxlength="900000">${note.text ?? ''}</textarea></label>
<label>Title<input name="title" maxlength="500" value="${note.title ?? ''}"></label>
<label>Tags, by commas<input name="tags" maxlength="2000" value="${note.tags?.join(', ') ?? ''}"></label>
<label>Source<input name="source" maxlength="2000" value="${note.source ?? ''}"></label>`;
}

function addForm(visitor: ConsoleVisitor): Html {
  return html`<details class="panel"><summary>Add a note</summary><form method="post" action="/app/notes/add">${formTokenField(visitor)}${fields({})}<div><button class="main">Add the note</button></div></form></details>`;
}

function editForm(note: Note, visitor: ConsoleVisitor): Html {
  return html`<section class="panel"><form method="post" action="/app/notes/change">${formTokenField(visitor)}<input type="hidden" name="id" value="${note.id}">${fields(note)}
<div class="row"><button class="main">Save</button><a class="button" href="/app/notes">Cancel</a></div></form></section>`;
}

function list(notes: readonly Note[], visitor: ConsoleVisitor): Html {
  if (notes.length === 0) {
    return html`<section class="panel empty"><h2>No notes here</h2><p>Add one above, or say to your assistant: “Remember that magpies nest in thorny bushes.”</p></section>`;
  }
  return html`<section class="panel" aria-label="Notes">${notes.map((note) => item(note, visitor))}</section>`;
}

function item({ id, text, title, tags = [], createdAt, fileName, source }: Note, visitor: ConsoleVisitor) {
  const name = title || fileName || text.slice(0, 80);
  const edit = `/app/notes/edit?${new URLSearchParams({ id })}`;
  const own = fileName === undefined;
  return html`<article class="hit"><div class="row between"><h2 dir="auto">${own ? html`<a href="${edit}">${name}</a>` : name}</h2>${
    own
      ? html`<form method="post" action="/app/notes/delete">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><button class="small bad" aria-label="Delete ${name}">Delete</button></form>`
      : ''
  }</div>
<div class="where"><span>${formatDateUtc(createdAt)}</span>${source ? html`<span dir="auto">${source}</span>` : ''}${tags.map((tag) => html`<a class="tag" href="/app/notes?${new URLSearchParams({ tag })}">${tag}</a>`)}</div>
<p class="text" dir="auto">${truncateAtWord(text, SHOWN_CHARS)}</p></article>`;
}

const SHOWN = 50;
const MAX_IMPORT_BYTES = 50_000_000;

export function addNotesTransfer(parts: ConsoleContext): void {
  const { services, catalog } = parts.pipe;
  parts.get('/notes/trash', async (_c, visitor) => {
    requireScope(visitor, 'read');
    const { batches, days } = await (await services.knowledge()).listTrash(visitor.caller.id, SHOWN);
    return {
      title: 'Trash',
      about: `Deleted notes stay here for ${formatCount(days, 'day')}.`,
      place: 'notes',
      body:
        batches.length === 0
          ? html`<section class="panel empty"><h2>The trash is empty</h2><p><a href="/app/notes">To the notes</a></p></section>`
          : html`<section class="panel" aria-label="Deleted notes">${batches.map(
              ({ id, text, records, removedAt }) => html`<article class="hit"><h2 dir="auto">${text}</h2>
<div class="where">${formatCount(records, 'note')}, deleted ${formatDateUtc(isoTime(removedAt))}</div>
<div class="acts"><form method="post" action="/app/notes/restore">${formTokenField(visitor)}<input type="hidden" name="batch" value="${id}"><button aria-label="Restore ${text}">Restore</button></form></div></article>`,
            )}</section>`,
    };
  });
  parts.post('/notes/restore', async (c, visitor, form) => {
    const input = { q: '', restore: form.field('batch') };
    const { status } = await parts.call<{ status: { status: string } }>(c, visitor, 'reset', input);
    putFlash(c, status.status);
    return '/app/notes/trash';
  });

  parts.get('/notes/transfer', async (_c, visitor) => ({
    title: 'Import and export',
    about: 'Backups of your notes, and what you have in other programs.',
    place: 'notes',
    body: html`<section class="panel"><h2>Export</h2><p>All notes as JSON lines, which an import reads back.</p><div><a class="button" href="/app/notes/export" download>Download the notes</a></div></section>
<section class="panel"><h2>Import</h2><form method="post" action="/app/notes/import" enctype="multipart/form-data">${formTokenField(visitor)}
<label>A backup, or an export of ChatGPT, Claude, Notion, Pocket or a browser, up to 50 MB<input type="file" name="files" required></label>
<div><button class="main">Import</button></div></form></section>`,
  }));
  parts.get('/notes/export', async (c, visitor) => {
    requireScope(visitor, 'read');
    const knowledge = await services.knowledge();
    const signal = disconnectSignal(c);
    const lines = async function* () {
      for await (const entry of knowledge.exportEntries(visitor.caller.id)) {
        if (signal.aborted) return;
        yield Buffer.from(`${JSON.stringify({ ...entry, key: entry.key || undefined })}\n`);
      }
    };
    return new Response(Readable.toWeb(Readable.from(lines())) as ReadableStream<Uint8Array>, {
      headers: {
        'Content-Type': 'application/jsonl; charset=utf-8',
        'Content-Disposition': 'attachment; filename="magpie-notes.jsonl"',
      },
    });
  });
  parts.post(
    '/notes/import',
    async (c, visitor, form) => {
      requireScope(visitor, 'write');
      if (catalog.readOnly) throw forbiddenError('this server is read-only: nothing can be imported');
      const [file] = form.files;
      if (!file) throw badRequestError('no file was chosen');
      const intake = await services.intake();
      const { readBytes: read } = await services.browse();
      const { imported, known, failed, warned, warnings } = await intake.importSource(
        visitor.caller.id,
        { stream: file.stream() },
        { read, signal: disconnectSignal(c), progress: () => {} },
      );
      putFlash(
        c,
        `${formatCount(imported, 'note')} imported, ${known} were there already, ${failed} failed.${
          warned > 0 ? ` ${warned} kept, with a warning: ${warnings[0]?.why}.` : ''
        }`,
      );
      return '/app/notes';
    },
    { maxBytes: MAX_IMPORT_BYTES },
  );
}
