import type { PlacedText } from '../pdf-sizes.ts';
import type { HiddenText } from './hidden-texts.ts';

/** How far a hidden text's baseline may be below the box's bottom, as a share of the box's height. */
const BELOW = 0.3;
const ABOVE = 0.5;
const TOLERANCE_POINTS = 1;
/** If at least this share of a text's width is hidden, the whole text is removed. */
const WHOLE = 0.9;

/** Removes hidden texts. If an equal visible text is at the same place, removes only one of them. */
export function withoutHiddenTexts<Text extends PlacedText>(
  texts: readonly Text[],
  hidden: readonly HiddenText[],
): Text[] {
  let seen = [...texts];
  for (const one of hidden) {
    let left = Math.max(1, lettersOf(one.text));
    const own = seen.find((text) => isAt(text, one) && text.str.includes(one.text.trim()));
    seen = seen.flatMap((text) => {
      if (left <= 0 || (own ? text !== own : !isAt(text, one))) return [text];
      const rest = partsBeside(text, one);
      left -= lettersOf(text.str) - rest.reduce((sum, { str }) => sum + lettersOf(str), 0);
      return rest;
    });
  }
  return seen;
}

const lettersOf = (text: string): number => text.replace(/\s+/g, '').length;

function isAt({ str, transform, width }: PlacedText, { box }: HiddenText): boolean {
  if (!str.trim()) return false;
  const [left, bottom, right, top] = box;
  const [a = 0, b = 0, , , x = 0, y = 0] = transform;
  if (Math.abs(b) > 0.01 * Math.abs(a) || a < 0)
    return x >= left - 1 && x <= right + 1 && y >= bottom - 1 && y <= top + 1;
  const height = top - bottom;
  const rise = y - bottom;
  if (rise < -BELOW * height - TOLERANCE_POINTS || rise > ABOVE * height + TOLERANCE_POINTS) return false;
  return Math.min(x + width, right) - Math.max(x, left) > 0.25 * Math.min(width, right - left);
}

function partsBeside<Text extends PlacedText>(text: Text, { text: words, box }: HiddenText): Text[] {
  const { str, transform, width } = text;
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  const [left, , right] = box;
  const isUpright = Math.abs(b) <= 0.01 * Math.abs(a) && a > 0;
  if (!isUpright || Math.min(x + width, right) - Math.max(x, left) >= WHOLE * width) return [];
  const letter = width / str.length;
  const near = Math.max(0, Math.floor((left - x) / letter));
  const known = nearest(str, words.trim(), near);
  const from = known ?? near;
  const to = known === undefined ? Math.ceil((right - x) / letter) : known + words.trim().length;
  const part = (start: number, end: number): Text => ({
    ...text,
    str: str.slice(start, end),
    width: (end - start) * letter,
    transform: [a, b, c, d, x + start * letter, y],
  });
  return [part(0, from), part(Math.min(to, str.length), str.length)].filter((one) => one.str.trim());
}

function nearest(str: string, words: string, place: number): number | undefined {
  let best: number | undefined;
  for (let at = words ? str.indexOf(words) : -1; at >= 0; at = str.indexOf(words, at + 1)) {
    if (best === undefined || Math.abs(at - place) < Math.abs(best - place)) best = at;
  }
  return best;
}
