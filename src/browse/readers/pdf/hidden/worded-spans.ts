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
      for (const text of texts.slice(first, first + MAX_TEXTS))
        if (text.spans?.includes(own.spans?.at(-1) ?? 0)) instead.set(text, []);
      instead.set(own, [{ ...own, str }]);
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

const MAX_TEXTS = 1000;
