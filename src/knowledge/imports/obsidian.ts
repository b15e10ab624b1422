import { omitUndefined } from '../../lib/omit-undefined.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import { addExtensionToReason } from '../importing/add-extension-to-reason.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { fileTimeToMicros } from '../importing/import-values.ts';
import { isHiddenOrGenerated } from '../importing/made-by-machines.ts';
import { pageNote, type ReadNote } from '../importing/note.ts';
import { readNoteHtml } from '../importing/note-html.ts';
import { countPictures } from '../importing/notes/embedded-data.ts';
import { NOTE_FILE, PAGE_FILE, readNoteFile } from '../importing/notes/note-file.ts';
import { createUniqueNames } from '../importing/unique-names.ts';
import { readImportFileBytes, readImportFileText, yieldItemsOrProblem } from './file-text.ts';
import { findRowFacts } from './row-facts.ts';

export const obsidian: ImportKind = {
  name: 'obsidian',
  title:
    'Obsidian vault or any notes and documents (Markdown, Org, HTML, PDF, Office, mail, contacts, outlines in OPML), also of magpie kb export (folder, ZIP or one file)',
  recognises: async (files) =>
    files.some(({ name }) => /\.(?:md|markdown)$/i.test(name)) ||
    (files.some(isNote) && !files.some(({ name }) => /\.(?:csv|tsv)$/i.test(name))),
  async *read(files, options) {
    // Two archives inside an archive may have notes with the same path.
    const nameNote = createUniqueNames((name, number) => `${name}#${number}`);
    for (const file of files) {
      if (isNote(file)) yield* yieldItemsOrProblem(file, noteItems(file, nameNote, options));
      else if (!isHiddenOrGenerated(file.name))
        yield { at: file.name, skipped: addExtensionToReason('not a kind of file that is read', file.name) };
    }
  },
};

const HTML_FILE = /\.html?$/i;

function isNote({ name }: ImportFile): boolean {
  return NOTE_FILE.test(name) || PAGE_FILE.test(name);
}

function readHtmlNote(html: string, name: string): ReadNote {
  const page = readNoteHtml(html);
  const facts = omitUndefined(findRowFacts(page.properties));
  return { ...pageNote(page, name), ...facts, leftOut: countPictures(html) };
}

async function* noteItems(
  file: ImportFile,
  nameNote: (name: string) => string,
  options: Parameters<ImportKind['read']>[1],
): AsyncGenerator<ImportItem> {
  const { name, warn } = file;
  const {
    source = file.name,
    createdAt = fileTimeToMicros(file.modifiedAt),
    updatedAt = fileTimeToMicros(file.modifiedAt),
    warning,
    leftOut = {},
    ...note
  } = HTML_FILE.test(name)
    ? readHtmlNote(await readImportFileText(file), name)
    : await readNoteFile(name, await readImportFileBytes(file), { ...options, warn });
  const key = note.id === undefined ? `note:${nameNote(file.name)}` : note.key;
  if (warning) yield { at: `${file.name}, line ${warning.line}`, warning: warning.why };
  for (const [skipped, count] of Object.entries(leftOut)) yield { at: name, skipped, count };
  if (isBlankText(note.text)) yield { at: file.name, skipped: 'empty' };
  else yield { at: file.name, entry: { ...note, source, createdAt, updatedAt, key } };
}
