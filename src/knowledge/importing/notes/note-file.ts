import type { PageReader, PageText } from '../../types.ts';
import { decodeText } from '../decode-text.ts';
import { parseTimeMicros } from '../import-values.ts';
import { pageNote, type ReadNote, readNote } from '../note.ts';
import { countPictures, withoutEmbeddedData } from './embedded-data.ts';
import { readOrgNote } from './org.ts';

/** Matches Markdown with all its usual endings, also of R Markdown, Quarto, MDX and Livebook. */
export const MARKDOWN_FILE =
  /\.(?:md|mdx|mdc|mmd|mdown|mdwn|mdtext|mdtxt|mkd|mkdn|mkdown|markdn|markdown|rmd|rmarkdown|qmd|livemd)$/i;
/** Matches notes, which are decoded here. */
export const NOTE_FILE = new RegExp(`${MARKDOWN_FILE.source}|\\.(?:txt|text|canvas|excalidraw|org)$`, 'i');
/** Matches other files, which a `PageReader` reads: pages, documents, and mails in a Maildir's `cur` and `new`. */
export const PAGE_FILE =
  /(?:^|\/)(?:(?:cur|new)\/\d{6,12}\.[^/]{1,250}|winmail\.dat)$|\.(?:html?|xhtml|pdf|doc[xm]|ppt[xm]|xls[xm]|od[tsp]|epub|rtf|eml|mbox|msg|mht|mhtml|ics|ical|ifb|vcs|vcf|vcard|opml|ipynb|csv|tsv|rst|adoc|asciidoc|tex)$/i;

/** Matches mails of a Maildir whose flags say that they are deleted, such as `cur/1700000000.1.host:2,ST`. */
export const DELETED_MAIL_FILE = /(?:^|\/)cur\/[^/]{1,250},(?=[A-Za-z]{0,20}T)[A-Za-z]{1,20}$/;
/** Matches mails, of a Maildir only with names such as `1700000000.M1P2.host`. */
const MAIL_FILE = /(?:^|\/)(?:cur|new)\/\d{9,11}\.[MPQR#_]?\d[^/]{0,250}$|\.(?:eml|mbox|msg)$/i;

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

/** Returns the times at which the mails of a file were sent. The file's own time is only when it was saved. */
function mailTimes(page: PageText, name: string): Pick<ReadNote, 'createdAt' | 'updatedAt'> {
  const [sent, last = sent] = [page.published, page.updated].map((time) => parseTimeMicros(time));
  return sent === undefined || !MAIL_FILE.test(name) ? {} : { createdAt: sent, updatedAt: last };
}

export function readTextNote(raw: string, name: string): ReadNote {
  return /\.org$/i.test(name) ? readOrgNote(raw.replace(/^\uFEFF/, ''), name) : readNote(raw, name);
}
