import { maxOf, minOf } from '../../../../lib/long-lists.ts';
import type { PlacedText } from '../pdf-sizes.ts';
import type { Rectangle } from '../pdf-turn.ts';
import type { Matrix } from './matrix.ts';

/** Replacement text (ActualText) for a part of a page whose drawn letters differ from the words. */
export interface ActualTextSpan {
  readonly text: string;
  readonly box: Rectangle;
  readonly transform: Matrix;
}

/** Maximum letters of replacement text per em of width. A longer text may be hidden text. */
const LETTERS_PER_SIZE = 4;
const SPARE_LETTERS = 4;
const TOLERANCE_SIZES = 0.3;
const MAX_SPANS = 20;

interface MarkedText extends PlacedText {
  /** Numbers of the marked parts that contain the text, innermost last. Undefined if marks are not read. */
  readonly spans?: readonly number[];
}

export function textsOfItems<Item extends PlacedText | { readonly type: string }>(
  items: readonly Item[],
): (Extract<Item, PlacedText> & { spans: readonly number[] })[] {
  const open: number[] = [];
  let count = 0;
  return items.flatMap((item) => {
    if ('str' in item) return [{ ...(item as Extract<Item, PlacedText>), spans: open.slice(-MAX_SPANS) }];
    if (item.type.startsWith('begin')) open.push(++count);
    else open.pop();
    return [];
  });
}

const isMarked = ({ str, spans = [] }: MarkedText) => spans.length > 0 && (str === '' || str.trim() !== '');

export function withSpanWords<Text extends MarkedText>(
  texts: readonly Text[],
  spans: readonly ActualTextSpan[],
): Text[] {
  const instead = new Map<Text, Text[]>();
  for (const one of spans) {
    const { text: str, box, transform } = one;
    const [, , c, d, x, y] = transform;
    const size = Math.hypot(c, d);
    // An empty text counts as farther away, because it has no width.
    const distanceTo = ({ transform: [, , , , atX = 0, atY = 0], str: words }: Text) =>
      Math.hypot(atX - x, atY - y) + (words ? 0 : 0.01);
    const most = TOLERANCE_SIZES * size;
    if (str.length > (LETTERS_PER_SIZE * (box[2] - Math.min(box[0], x))) / size + SPARE_LETTERS) continue;
    const [own] = texts
      .filter((one) => isMarked(one) && distanceTo(one) < most)
      .sort((one, other) => distanceTo(one) - distanceTo(other));
    if (own) {
      const first = texts.indexOf(own);
      const isWithin = ({ width, transform: [, , , , atX = 0, atY = 0] }: Text) =>
        Math.abs(atY - y) < size && atX > box[0] - most && atX + width < box[2] + most;
      const near = texts
        .slice(Math.max(0, first - MAX_SPANS), first + MAX_TEXTS)
        .filter((text, at) => at >= Math.min(first, MAX_SPANS) || isWithin(text));
      const drawn = near.filter(({ spans: of }) => of?.includes(own.spans?.at(-1) ?? 0));
      const whole = { ...joinDrawn(own, drawn), str };
      // A space before the letters may be that of the text before the span.
      for (const text of drawn) if (text.str.trim() || isCovered(text, whole)) instead.set(text, []);
      instead.set(own, [whole]);
      continue;
    }
    // If pdf.js returns no text for the drawn letters, the replacement text is put before the next text.
    const next = texts.find(
      ({ transform: [, , , , atX = 0, atY = 0] }) => atX >= x - 0.1 && Math.abs(atY - y) < most,
    );
    const at = next ?? texts.at(-1);
    if (!at) continue;
    const added = { ...at, transform, str, width: Math.max(0, box[2] - x) };
    const others = instead.get(at) ?? [at];
    instead.set(at, next ? [added, ...others] : [...others, added]);
  }
  return texts.flatMap((text) => instead.get(text) ?? (text.str === '' ? [] : [text]));
}

/** Returns the first of the drawn texts with the place of them all: an accent may be drawn before its letter. */
function joinDrawn<Text extends MarkedText>(first: Text, drawn: readonly Text[]): Text {
  const [a = 0, b = 0, c = 0, d = 0, , firstY = 0] = first.transform;
  const level = drawn.filter(
    ({ str, transform }) => str.trim() && Math.abs((transform[5] ?? 0) - firstY) < d,
  );
  const widest = level.reduce((one, text) => (text.width > one.width ? text : one), first);
  if (b !== 0 || a <= 0 || widest.width <= 0) return first;
  const x = minOf(level.flatMap(({ width, transform: [, , , , left = 0] }) => (width > 0 ? [left] : [])));
  const right = maxOf(level.map((text) => (text.transform[4] ?? 0) + text.width));
  return { ...first, transform: [a, b, c, d, x, widest.transform[5] ?? firstY], width: right - x };
}

/** True if most of a space overlaps the letters: the library adds it where an accent is drawn after them. */
function isCovered({ width, transform: [, , , , x = 0] }: MarkedText, letters: MarkedText): boolean {
  const left = letters.transform[4] ?? 0;
  return Math.min(x + width, left + letters.width) - Math.max(x, left) >= width / 2 - 0.01;
}

const MAX_TEXTS = 1000;
