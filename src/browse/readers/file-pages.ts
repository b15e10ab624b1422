import { AppError, asAppError, tooLargeError } from '../../errors.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import { countWords } from '../../lib/text/text.ts';
import { detectPageKind, SUPPORTED_CONTENT } from '../fetching/page-kind.ts';
import { type FileKind, isOcrPicture, SUPPORTED_FILES } from '../reading/file-kinds.ts';
import type { PageContent, PageKind } from '../reading/page.ts';
import { cutParts } from '../sections/parts.ts';
import { readDocument } from './document.ts';
import { oneLine } from './markdown.ts';

const PAGE_WORDS = 500;
const MAX_UNIT_WORDS = 2000;
const HEAD_BYTES = 1024;

export interface FilePages {
  readonly kind: FileKind;
  readonly title: string;
  readonly author?: string;
  readonly pages: readonly string[];
  readonly wordless: readonly number[];
}

export interface FileBounds {
  readonly pages: number;
  /** Maximum processor time in milliseconds. */
  readonly time: number;
  /** Maximum length of one page and of all pages, in UTF-16 units. */
  readonly page: number;
  readonly characters: number;
}

/** Kinds that the bytes identify reliably. Such files are read even if their names end in `.pdf`. */
const PLAIN_BY_BYTES = /^(?:docx|xlsx|pptx|odt|ods|odp|epub|rtf|picture)$/;

export function isPdf(body: Uint8Array, name: string): boolean {
  const head = headOf(body);
  if (head.trimStart().startsWith('%PDF-')) return true;
  return /\.pdf$/i.test(name) && head.includes('%PDF-') && !head.startsWith('PK') && !isOcrPicture(head);
}

/** Returns the pages, or sections of about 500 words if the format has no pages. Throws AppError. */
export async function readFilePages(body: Uint8Array, name: string, bounds: FileBounds): Promise<FilePages> {
  const shown = quoteName(name);
  if (body.length === 0) throw new AppError('unsupported', `${shown} is empty`);
  const kind = isOcrPicture(headOf(body)) ? 'picture' : await kindOrRefusal(body, name);
  if (/\.pdf$/i.test(name) && !PLAIN_BY_BYTES.test(kind)) {
    throw new AppError('unsupported', `${shown} is not a PDF, as its name says it is: ${SUPPORTED_FILES}`);
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

export function checkBounds(pages: readonly string[], shown: string, bounds: FileBounds): void {
  const refuse = (what: string, most: number) => {
    throw tooLargeError(`${shown} has ${what}, and at most ${most} are read: split it`);
  };
  if (pages.length > bounds.pages) refuse(`${pages.length} pages`, bounds.pages);
  const longest = pages.findIndex((text) => text.length > bounds.page);
  if (longest >= 0) {
    const why = `page ${longest + 1} of ${shown} has ${pages[longest]?.length} characters of text, and at most ${bounds.page} are read`;
    throw tooLargeError(why);
  }
  const characters = pages.reduce((sum, text) => sum + text.length, 0);
  if (characters > bounds.characters) refuse(`${characters} characters of text`, bounds.characters);
}

async function kindOrRefusal(body: Uint8Array, name: string): Promise<PageKind> {
  try {
    return await detectPageKind({ url: name, contentType: '', body });
  } catch (thrown) {
    throw renamed(thrown, name);
  }
}

function renamed(thrown: unknown, name: string): AppError {
  const { code, message } = asAppError(thrown);
  const plain = message.replace(SUPPORTED_CONTENT, SUPPORTED_FILES);
  const text = plain.startsWith(name) ? quoteName(name) + plain.slice(name.length) : plain;
  return new AppError(code, text, { cause: thrown });
}

function headOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES)).toString('latin1');
}

function pagesOf({ markdown, units }: PageContent): string[] {
  if (!units) return cutParts(markdown, PAGE_WORDS).map((text) => text.trim());
  return units.flatMap((unit) =>
    countWords(unit) > MAX_UNIT_WORDS ? withHeads(cutParts(unit, MAX_UNIT_WORDS / 2)) : [unit.trim()],
  );
}

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
