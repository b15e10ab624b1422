import { withoutInvisible } from '../../../lib/text/invisible.ts';
import type { AttachmentReader } from '../email.ts';
import { oneLine } from '../markdown.ts';
import { lineBeside } from './pdf-comments.ts';
import { buildLines, type PdfLine } from './pdf-lines.ts';
import { computeTextSizes, type PlacedText } from './pdf-sizes.ts';
import { type QuarterTurns, turnOfText, turnPoint, turnRectangle } from './pdf-turn.ts';

/** Minimum font size of text in the margin. Smaller text is skipped, because people cannot read it. */
const MIN_SIZE_POINTS = 1.5;
const MAX_LINES = 50;
const MAX_MARGINS = 500;
const MAX_ATTACHMENTS = 100;
const WORDS = /\p{L}{2}/u;

export function linesInMargin(
  texts: readonly PlacedText[],
  usual: QuarterTurns,
  view: readonly number[],
  known: Set<string>,
): PdfLine[] {
  const [x1 = 0, y1 = 0, x2 = 600, y2 = 842] = view;
  const sizes = computeTextSizes(texts);
  const found = ([0, 1, 2, 3, undefined] as const).flatMap((turn) => {
    if (turn === usual) return [];
    const [left, bottom, right, top] = turnRectangle(turn ?? 0, [x1, y1, x2, y2]);
    const runs = sizes.flatMap(({ item, size }) => {
      if (turnOfText(item.transform) !== turn || size < MIN_SIZE_POINTS) return [];
      const [x, y] = turnPoint(turn ?? 0, item.transform[4] ?? 0, item.transform[5] ?? 0);
      const isSeen = x + item.width >= left && x <= right && y + size >= bottom && y <= top;
      return isSeen ? [{ text: cleanPdfText(item.str), x, y, width: item.width, size }] : [];
    });
    return buildLines(runs, top, bottom).map(({ cells }) => oneLine(cells.join(' ')));
  });
  const fresh = [...new Set(found)]
    .filter((text) => WORDS.test(text) && !known.has(text))
    .slice(0, MAX_LINES);
  for (const text of fresh) if (known.size < MAX_MARGINS) known.add(text);
  return fresh.length > 0 ? [lineBeside('Beside the text', fresh.join('; '))] : [];
}

interface WithAttachments {
  getAttachments(): Promise<unknown>;
  getAttachmentContent(key: string): Promise<Uint8Array | null>;
}

async function attachmentsOf(
  document: WithAttachments,
): Promise<[string, { readonly filename?: string; readonly description?: string }][]> {
  const files = await document.getAttachments().catch(() => undefined);
  return files instanceof Map ? [...files].slice(0, MAX_ATTACHMENTS) : [];
}

export async function readAttached(document: WithAttachments, inside: AttachmentReader): Promise<string> {
  const files = [];
  for (const [key, { filename = '' }] of await attachmentsOf(document)) {
    const content = await document.getAttachmentContent(key).catch(() => null);
    if (content?.length)
      files.push({ filename, mimeType: 'a file', disposition: null, content: Uint8Array.from(content) });
  }
  if (files.length === 0) return '';
  return `## Attachments\n\n${await (await import('../email.ts')).readAttachments(files, inside)}`;
}

export async function attachmentLines(document: WithAttachments): Promise<PdfLine[]> {
  const all = await attachmentsOf(document);
  return all.map(([, { filename = '', description = '' }]) => {
    const [name, about] = [filename, description].map((text) =>
      oneLine(withoutInvisible(text)).slice(0, 300),
    );
    return lineBeside('Attachment', (name || 'a file') + (about ? ` (${about})` : ''));
  });
}

/** Minimum number of letters in a word that is printed with gaps between its letters. */
const SPACED_LETTERS = 6;
const SPACED = new RegExp(`^(?:[\\p{Lu}\\p{Ll}] {1,3}){${SPACED_LETTERS - 1},100}[\\p{Lu}\\p{Ll}]$`, 'u');

/** Joins a word that is printed with gaps, as in `S T A T I O N`, but not a list such as `A B C D E F`. */
export function joinSpacedLetters(text: string): string {
  if (!SPACED.test(text.trim())) return text;
  const codes = [...text.replaceAll(' ', '')].map((letter) => letter.codePointAt(0) ?? 0);
  const steps = codes.filter((code, at) => code + 1 === codes[at + 1]).length;
  const isList = 2 * steps >= codes.length - 1 || new Set(codes).size <= 2;
  return isList ? text : text.replace(/ {2,3}| /g, (gap) => (gap.length > 1 ? ' ' : ''));
}

/** Spaces in `中 文 字` are removed if the mean width of all its characters is below this, in font sizes. */
const HAN_SIZES = 0.7;

/** Returns the texts of lines in which gaps separate all letters, for example `N E W  Y O R K`. */
export function findSpacedTexts<Text extends PlacedText>(texts: readonly Text[]): ReadonlySet<Text> {
  const words = texts.filter(({ str }) => str.trim());
  const lines = Map.groupBy(words, ({ fontName, transform }) => `${fontName} ${transform[5]}`);
  const isSpaced = (line: readonly Text[]) => {
    const text = line.map(({ str }) => str.trim()).join('  ');
    return line.length > 1 && /^(?:\p{L} {1,2})*\p{L}$/u.test(text) && joinSpacedLetters(text) !== text;
  };
  const isTight = ({ str, width, transform: [, , c = 0, d = 0] }: Text) =>
    /^(?:\p{Script=Han} )+\p{Script=Han}$/u.test(str) && width < HAN_SIZES * str.length * Math.hypot(c, d);
  return new Set([...[...lines.values()].filter(isSpaced).flat(), ...words.filter(isTight)]);
}

const FORMS = /[\ufb50-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]/g;

/** Removes invisible characters, except a final soft hyphen. Normalizes Arabic and vertical letter forms. */
export function cleanPdfText(text: string): string {
  const plain = withoutInvisible(text)
    .replace(/(?!\s)\p{Cc}|[\u{100000}-\u{1007ff}]/gu, '')
    .normalize('NFC');
  const shown = plain.replace(FORMS, (form) => form.normalize('NFKC'));
  return /\u00ad\s*$/.test(text.slice(-9)) ? `${shown.trimEnd()}\u00ad` : shown;
}
