import { AppError, asAppError } from '../../errors.ts';
import { quoted } from '../../lib/text/quoted.ts';
import { countWords } from '../../lib/text/text.ts';
import { kindOf, READ_KINDS } from '../fetching/kind.ts';
import { type FileKind, isPicture, READ_FILES } from '../reading/file-kinds.ts';
import type { Content, PageKind } from '../reading/page.ts';
import { cutParts } from '../sections/parts.ts';
import { readDocument } from './document.ts';
import { oneLine } from './markdown.ts';

/** Words of a page of a file that has none of its own. */
const PAGE_WORDS = 500;
/** Words of a slide, a sheet or a chapter beyond which it becomes several pages. */
const MAX_UNIT_WORDS = 2000;
const HEAD_BYTES = 1024;

/** A file's text page by page. */
export interface FilePages {
  readonly kind: FileKind;
  /** Its own title, else its first heading, else ''. */
  readonly title: string;
  readonly author?: string;
  /** Markdown of each page, in order; '' for one without text. */
  readonly pages: readonly string[];
  /** Pages, from 1, with no text but a stamp: what they show may be a picture of text. */
  readonly wordless: readonly number[];
}

export interface FileBounds {
  readonly pages: number;
  /** Milliseconds of processor time. */
  readonly time: number;
  /** UTF-16 units of one page, and of all text. */
  readonly page: number;
  readonly characters: number;
}

/** Kinds whose bytes say what they are whatever the name says. */
const PLAIN_BY_BYTES: ReadonlySet<FileKind> = new Set([
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'epub',
  'rtf',
  'picture',
]);

/** Whether a file is a PDF: not every one begins with its mark, and an archive may hold one as it is. */
export function isPdf(body: Uint8Array, name: string): boolean {
  const head = headOf(body);
  if (head.trimStart().startsWith('%PDF-')) return true;
  return /\.pdf$/i.test(name) && head.includes('%PDF-') && !head.startsWith('PK') && !isPicture(head);
}

/**
 * All pages of a file that is not a PDF: slides, sheets and chapters where it has them, sections of some 500 words where it has not. A
 * picture is one page without words. AppError `unsupported` names what the file is, and what is read instead.
 */
export async function readFilePages(body: Uint8Array, name: string, bounds: FileBounds): Promise<FilePages> {
  const shown = quoted(name);
  if (body.length === 0) throw new AppError('unsupported', `${shown} is empty`);
  const kind = isPicture(headOf(body)) ? 'picture' : await kindOrRefusal(body, name);
  if (/\.pdf$/i.test(name) && !PLAIN_BY_BYTES.has(kind)) {
    throw new AppError('unsupported', `${shown} is not a PDF, as its name says it is: ${READ_FILES}`);
  }
  if (kind === 'picture') return { kind, title: '', pages: [''], wordless: [1] };
  const content = await readDocument(kind, { url: name, contentType: '', body }).catch((thrown: unknown) => {
    throw renamed(thrown, name);
  });
  const pages = pagesOf(content);
  checkBounds(pages, shown, bounds);
  if (!pages.some((text) => text.trim())) throw new AppError('unsupported', `${shown} has no text`);
  const heading = /^#{1,6}[ \t]+(\S.*)$/m.exec(pages.find(Boolean) ?? '')?.[1] ?? '';
  const title = oneLine(content.title) === name ? '' : oneLine(content.title);
  return { kind, title: title || oneLine(heading), author: content.author, pages, wordless: [] };
}

/** AppError `too_large` for what has more pages or text than is kept. */
export function checkBounds(pages: readonly string[], shown: string, bounds: FileBounds): void {
  const refuse = (what: string, most: number) => {
    throw new AppError('too_large', `${shown} has ${what}, and at most ${most} are read: split it`);
  };
  if (pages.length > bounds.pages) refuse(`${pages.length} pages`, bounds.pages);
  const longest = pages.findIndex((text) => text.length > bounds.page);
  if (longest >= 0) {
    const why = `page ${longest + 1} of ${shown} has ${pages[longest]?.length} characters of text, and at most ${bounds.page} are read`;
    throw new AppError('too_large', why);
  }
  const characters = pages.reduce((sum, text) => sum + text.length, 0);
  if (characters > bounds.characters) refuse(`${characters} characters of text`, bounds.characters);
}

async function kindOrRefusal(body: Uint8Array, name: string): Promise<PageKind> {
  try {
    return await kindOf({ url: name, contentType: '', body });
  } catch (thrown) {
    throw renamed(thrown, name);
  }
}

/** An error of a reader of web pages, in the words of files. */
function renamed(thrown: unknown, name: string): AppError {
  const { code, message } = asAppError(thrown);
  const plain = message.replace(READ_KINDS, READ_FILES);
  const text = plain.startsWith(name) ? quoted(name) + plain.slice(name.length) : plain;
  return new AppError(code, text, { cause: thrown });
}

function headOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES)).toString('latin1');
}

function pagesOf({ markdown, units }: Content): string[] {
  if (!units) return cutParts(markdown, PAGE_WORDS).map((text) => text.trim());
  return units.flatMap((unit) =>
    countWords(unit) > MAX_UNIT_WORDS ? withHeads(cutParts(unit, MAX_UNIT_WORDS / 2)) : [unit.trim()],
  );
}

/** Pieces of a text; where a cut goes through a table, what follows has the table's head again. */
function withHeads(pieces: readonly string[]): string[] {
  let head: string[] = [];
  return pieces.map((piece) => {
    const lines = piece.trim().split('\n');
    const again = head.length > 0 && lines[0]?.startsWith('|') && !/^\|[\s|:-]+$/.test(lines[1] ?? '');
    const whole = again ? [...head, ...lines] : lines;
    const rule = whole.findLastIndex((line) => /^\|(?: :?-+:? \|)+$/.test(line));
    const inTable = rule > 0 && whole.slice(rule).every((line) => line.startsWith('|'));
    head = inTable ? whole.slice(rule - 1, rule + 1) : [];
    return whole.join('\n');
  });
}
