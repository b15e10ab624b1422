import type { PageReader } from '../../types.ts';
import { decodeText } from '../decode-text.ts';
import { pageNote, type ReadNote, readNote } from '../note.ts';
import { countPictures, withoutEmbeddedData } from './embedded-data.ts';
import { readOrgNote } from './org.ts';

/** Matches notes, which are decoded here. */
export const NOTE_FILE = /\.(?:md|markdown|mdown|mdx|txt|text|canvas|excalidraw|org)$/i;
/** Matches other files, which a `PageReader` reads: pages, documents, and mails in a Maildir's `cur` and `new`. */
export const PAGE_FILE =
  /(?:^|\/)(?:(?:cur|new)\/\d{6,12}\.[^/]{1,250}|winmail\.dat)$|\.(?:html?|xhtml|pdf|doc[xm]|ppt[xm]|xls[xm]|od[tsp]|epub|rtf|eml|mbox|msg|mht|mhtml|ics|ical|ifb|vcs|vcf|vcard|opml|ipynb|csv|tsv|rst|adoc|asciidoc|tex)$/i;

export interface NoteFileOptions {
  readonly read: PageReader;
  readonly signal: AbortSignal;
  readonly warn?: ((why: string) => void) | undefined;
}

/** Reads a file of any kind that sync, import and `upsert` accept. Counts parts that are left out in `leftOut`. */
export async function readNoteFile(
  name: string,
  body: Uint8Array,
  { read, signal, warn }: NoteFileOptions,
): Promise<ReadNote> {
  const page = NOTE_FILE.test(name) ? undefined : await read({ url: name, contentType: '', body }, signal);
  if (page?.reduced !== undefined) warn?.(page.reduced);
  const note = page ? pageNote(page, name) : readTextNote(decodeText(body, name, warn), name);
  if (note.id !== undefined) return note;
  const { text, leftOut } = withoutEmbeddedData(note.text.replace(/^\uFEFF/gm, ''));
  const isHtml = /\.x?html?$/i.test(name);
  return { ...note, text, leftOut: isHtml ? countPictures(Buffer.from(body).toString('latin1')) : leftOut };
}

export function readTextNote(raw: string, name: string): ReadNote {
  return /\.org$/i.test(name) ? readOrgNote(raw.replace(/^\uFEFF/, ''), name) : readNote(raw, name);
}
