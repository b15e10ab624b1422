import { Readable } from 'node:stream';
import { html } from 'hono/html';
import { AppError } from '../../../errors.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { isoTime } from '../../../lib/time/microseconds.ts';
import { disconnectSignal } from '../../http/edge.ts';
import { putFlash } from '../frame/flash.ts';
import { formatDateUtc } from '../frame/format-times.ts';
import { formTokenField } from '../frame/frame.ts';
import { type ConsoleContext, requireScope } from '../frame/page.ts';

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
      if (catalog.readOnly)
        throw new AppError('forbidden', 'this server is read-only: nothing can be imported');
      const [file] = form.files;
      if (!file) throw new AppError('bad_request', 'no file was chosen');
      const intake = await services.intake();
      const { imported, known, failed, warned, warnings } = await intake.importSource(
        visitor.caller.id,
        { stream: file.stream() },
        { signal: disconnectSignal(c), progress: () => {} },
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
