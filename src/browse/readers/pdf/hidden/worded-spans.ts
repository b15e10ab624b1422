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

type PdfItem = PlacedText | { readonly type: string };

export function textsOfItems<Item extends PdfItem>(
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

export function withSpanWords<Text extends MarkedText>(
  texts: readonly Text[],
  spans: readonly ActualTextSpan[],
): Text[] {
  const instead = new Map<Text, Text[]>();
  for (const one of spans) {
    const { text: str, box, transform } = one;
    const [, , c, d, x, y] = transform;
    const size = Math.hypot(c, d);
    if (str.length > (LETTERS_PER_SIZE * (box[2] - Math.min(box[0], x))) / size + SPARE_LETTERS) continue;
    const first = nearestText(texts, [x, y], TOLERANCE_SIZES * size);
    const own = texts[first];
    if (own) {
      for (const text of texts.slice(first, first + MAX_TEXTS))
        if (text.spans?.includes(own.spans?.at(-1) ?? 0)) instead.set(text, []);
      instead.set(own, [{ ...own, str }]);
      continue;
    }
    // If pdf.js returns no text for the drawn letters, the replacement text is put before the next text.
    const next = texts.find(
      ({ transform: [, , , , atX = 0, atY = 0] }) =>
        atX >= x - 0.1 && Math.abs(atY - y) < TOLERANCE_SIZES * size,
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

/** Returns the index of the marked text whose beginning is nearest to a point, or -1 if none is near. */
function nearestText(texts: readonly MarkedText[], [x, y]: readonly [number, number], most: number): number {
  let [nearest, least] = [-1, most];
  for (const [at, { transform, str, spans }] of texts.entries()) {
    // An empty text counts as farther away, because it has no width.
    const distance = Math.hypot((transform[4] ?? 0) - x, (transform[5] ?? 0) - y) + (str ? 0 : 0.01);
    if (distance < least && spans?.length && (str.trim() || !str)) [nearest, least] = [at, distance];
  }
  return nearest;
}
