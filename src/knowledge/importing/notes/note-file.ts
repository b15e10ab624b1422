import type { PageReader, PageText } from '../../types.ts';
import { decodeText } from '../decode-text.ts';
import { parseTimeMicros } from '../import-values.ts';
import { pageNote, type ReadNote, readNote } from '../note.ts';
import { countPictures, withoutEmbeddedData } from './embedded-data.ts';
import { readOrgNote } from './org.ts';

/** Matches notes, which are decoded here. */
export const NOTE_FILE = /\.(?:md|markdown|mdown|mdx|txt|text|canvas|excalidraw|org)$/i;
/** Matches other files, which a `PageReader` reads: pages, documents, and mails in a Maildir's `cur` and `new`. */
export const PAGE_FILE =
  /(?:^|\/)(?:(?:cur|new)\/\d{6,12}\.[^/]{1,250}|winmail\.dat)$|\.(?:html?|xhtml|pdf|doc[xm]|ppt[xm]|xls[xm]|od[tsp]|epub|rtf|eml|mbox|msg|mht|mhtml|ics|ical|ifb|vcs|vcf|vcard|opml|ipynb|csv|tsv|rst|adoc|asciidoc|tex)$/i;

/** Matches mails of a Maildir whose flags say that they are deleted, such as `cur/1700000000.1.host:2,ST`. */
export const DELETED_MAIL_FILE = /(?:^|\/)cur\/[^/]{1,250},(?=[A-Za-z]{0,20}T)[A-Za-z]{1,20}$/;
const MAIL_FILE = /(?:^|\/)(?:cur|new)\/[^/]{1,270}$|\.(?:eml|mbox|msg)$/i;

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
  const note = page
    ? { ...pageNote(page, name), ...mailTimes(page, name) }
    : readTextNote(decodeText(body, name, warn), name);
  if (note.id !== undefined) return note;
  const { text, leftOut } = withoutEmbeddedData(note.text.replace(/^\uFEFF/gm, ''));
  const isHtml = /\.x?html?$/i.test(name);
  const others = isHtml ? countPictures(Buffer.from(body).toString('latin1')) : leftOut;
  return { ...note, text, leftOut: { ...page?.leftOut, ...others } };
}

/** Returns the time at which a mail was sent. The file's own time is only when it was saved. */
function mailTimes({ published }: PageText, name: string): Pick<ReadNote, 'createdAt' | 'updatedAt'> {
  const sent = MAIL_FILE.test(name) ? parseTimeMicros(published) : undefined;
  return sent === undefined ? {} : { createdAt: sent, updatedAt: sent };
}

export function readTextNote(raw: string, name: string): ReadNote {
  return /\.org$/i.test(name) ? readOrgNote(raw.replace(/^\uFEFF/, ''), name) : readNote(raw, name);
}
