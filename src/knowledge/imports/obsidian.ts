import { omitUndefined } from '../../lib/omit-undefined.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { addExtensionToReason } from '../importing/add-extension-to-reason.ts';
import { decodeText } from '../importing/decode-text.ts';
import type { ImportedEntry, ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import {
  asObject,
  fileTimeToMicros,
  type ImportFields,
  parseTimeMicros,
} from '../importing/import-values.ts';
import { isHiddenOrGenerated } from '../importing/made-by-machines.ts';
import { pageNote, type ReadNote } from '../importing/note.ts';
import { readNoteHtml } from '../importing/note-html.ts';
import { countPictures } from '../importing/notes/embedded-data.ts';
import { findEditTime } from '../importing/notes/exported-files.ts';
import {
  DELETED_MAIL_FILE,
  MARKDOWN_FILE,
  NOTE_FILE,
  PAGE_FILE,
  readNoteFile,
} from '../importing/notes/note-file.ts';
import { createUniqueNames } from '../importing/unique-names.ts';
import { isAnkiTable } from './csv.ts';
import { readImportFileBytes, readImportFileText, yieldItemsOrProblem } from './file-text.ts';
import { findRowFacts } from './row-facts.ts';

export const obsidian: ImportKind = {
  name: 'obsidian',
  title:
    'Obsidian vault or any notes and documents (Markdown, Org, HTML, PDF, Office, mail, contacts, outlines in OPML), also of magpie kb export (folder, ZIP or one file)',
  recognises: async (files) =>
    files.some(({ name }) => MARKDOWN_FILE.test(name)) ||
    (files.some(isNote) &&
      !files.some(({ name }) => /\.(?:csv|tsv)$/i.test(name)) &&
      !(await isAnkiTable(files))),
  async *read(files, options) {
    // Two archives inside an archive may have notes with the same path.
    const nameNote = createUniqueNames((name, number) => `${name}#${number}`);
    const bundles = await readBundles(files);
    for (const file of files) {
      const bundle = bundles.get(`${file.name.slice(0, file.name.lastIndexOf('/') + 1)}info.json`);
      if (bundles.has(file.name)) yield { at: file.name, skipped: 'a file with the times of a note' };
      else if (DELETED_MAIL_FILE.test(file.name))
        yield { at: file.name, skipped: 'a mail that is marked as deleted' };
      else if (bundle?.trashed) yield { at: file.name, skipped: 'a note in the trash' };
      else if (isNote(file)) yield* yieldItemsOrProblem(file, noteItems(file, nameNote, options, bundle));
      else if (!isHiddenOrGenerated(file.name))
        yield { at: file.name, skipped: addExtensionToReason('not a kind of file that is read', file.name) };
    }
  },
};

type BundleFacts = Pick<ImportedEntry, 'createdAt' | 'updatedAt'> & { readonly trashed?: boolean };

/** Reads what Bear writes beside the text of a note: its times, and whether it is in the trash. */
async function readBundles(files: readonly ImportFile[]): Promise<Map<string, BundleFacts>> {
  const found = new Map<string, BundleFacts>();
  for (const file of files.filter(({ name }) => /\.textbundle\/info\.json$/i.test(name))) {
    const info = asObject(parseJsonOrNothing(await readImportFileText(file)));
    const facts = Object.assign({}, ...Object.values(info).map(asObject)) as ImportFields;
    found.set(file.name, {
      createdAt: parseTimeMicros(facts.creationDate),
      updatedAt: parseTimeMicros(facts.modificationDate),
      trashed: Number(facts.trashed) > 0,
    });
  }
  return found;
}

const HTML_FILE = /\.html?$/i;

const isNote = ({ name }: ImportFile): boolean => NOTE_FILE.test(name) || PAGE_FILE.test(name);

function readHtmlNote(html: string, name: string): ReadNote {
  const page = readNoteHtml(html);
  const facts = omitUndefined(findRowFacts(page.properties));
  return { ...pageNote(page, name), ...facts, leftOut: countPictures(html) };
}

async function* noteItems(
  file: ImportFile,
  nameNote: (name: string) => string,
  options: Parameters<ImportKind['read']>[1],
  bundle: BundleFacts = {},
): AsyncGenerator<ImportItem> {
  const { name, warn } = file;
  const bytes = await readImportFileBytes(file);
  const {
    source = file.name,
    createdAt = bundle.createdAt ?? fileTimeToMicros(file.modifiedAt),
    updatedAt,
    warning,
    leftOut = {},
    ...note
  } = HTML_FILE.test(name)
    ? readHtmlNote(decodeText(bytes, name, warn), name)
    : await readNoteFile(name, bytes, { ...options, warn });
  // A copy of an exported file is another note.
  const isOwn = note.id !== undefined && nameNote(`id:${note.id}`) === `id:${note.id}`;
  const own = isOwn
    ? { updatedAt, editedAt: findEditTime(bytes, file.modifiedAt, file.exported) }
    : {
        ...{ id: undefined, key: `note:${nameNote(file.name)}` },
        updatedAt: updatedAt ?? bundle.updatedAt ?? fileTimeToMicros(file.modifiedAt),
      };
  if (warning) yield { at: `${file.name}, line ${warning.line}`, warning: warning.why };
  for (const [skipped, count] of Object.entries(leftOut)) yield { at: name, skipped, count };
  if (isBlankText(note.text)) yield { at: file.name, skipped: 'empty' };
  else yield { at: file.name, entry: { ...note, source, createdAt, ...own } };
}
