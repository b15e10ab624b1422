import { omitUndefined } from '../../lib/omit-undefined.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import { addExtensionToReason } from '../importing/add-extension-to-reason.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { fileTimeToMicros } from '../importing/import-values.ts';
import { isHiddenOrGenerated } from '../importing/made-by-machines.ts';
import { NOTE_FILE, pageNote, readNote } from '../importing/note.ts';
import { readImportFileText, yieldItemsOrProblem } from './file-text.ts';
import { readNoteHtml } from './note-html.ts';
import { findRowFacts } from './row-facts.ts';
import { createUniqueNames } from './unique-names.ts';

export const obsidian: ImportKind = {
  name: 'obsidian',
  title:
    'Obsidian vault or any notes in Markdown, text or HTML, also of magpie kb export (folder, ZIP or one file)',
  recognises: async (files) =>
    files.some(({ name }) => /\.(?:md|markdown)$/i.test(name)) ||
    (files.some(isNote) && !files.some(({ name }) => /\.(?:csv|tsv)$/i.test(name))),
  async *read(files) {
    // Two archives inside an archive may have notes with the same path.
    const nameNote = createUniqueNames((name, number) => `${name}#${number}`);
    for (const file of files) {
      if (isNote(file)) yield* yieldItemsOrProblem(file, noteItems(file, nameNote));
      else if (!isHiddenOrGenerated(file.name))
        yield { at: file.name, skipped: addExtensionToReason('not Markdown, text or HTML', file.name) };
    }
  },
};

const HTML_FILE = /\.html?$/i;

function isNote({ name }: ImportFile): boolean {
  return NOTE_FILE.test(name) || HTML_FILE.test(name);
}

function readHtmlNote(html: string, name: string): ReturnType<typeof readNote> {
  const page = readNoteHtml(html);
  return { ...pageNote(page, name), ...omitUndefined(findRowFacts(page.properties)) };
}

async function* noteItems(file: ImportFile, nameNote: (name: string) => string): AsyncGenerator<ImportItem> {
  const read = HTML_FILE.test(file.name) ? readHtmlNote : readNote;
  const {
    source = file.name,
    createdAt = fileTimeToMicros(file.modifiedAt),
    updatedAt = fileTimeToMicros(file.modifiedAt),
    warning,
    ...note
  } = read(await readImportFileText(file), file.name);
  const key = note.id === undefined ? `note:${nameNote(file.name)}` : note.key;
  if (warning) yield { at: `${file.name}, line ${warning.line}`, warning: warning.why };
  if (isBlankText(note.text)) yield { at: file.name, skipped: 'empty' };
  else yield { at: file.name, entry: { ...note, source, createdAt, updatedAt, key } };
}
