import { formatListNumber, listItemMark } from '../../office/number-labels.ts';
import type { HtmlElement } from '../parsing/node.ts';

const numbers = new WeakMap<HtmlElement, number>();
const LETTERED = /list-style(?:-type)?\s{0,9}:[^;]{0,40}\b(lower|upper)-(alpha|latin|roman)/i;

/** Returns the mark of a numbered item. Markdown has no lists with letters: these are words after a bullet. */
export function markOfItem(item: HtmlElement, ol: HtmlElement): string {
  const { type = '', style = '' } = ol.attributes;
  const [, size, kind] = LETTERED.exec(style) ?? [];
  const letter = kind && (/roman/i.test(kind) ? 'i' : 'a');
  const format = letter ? (/upper/i.test(size ?? '') ? letter.toUpperCase() : letter) : type;
  const number = numberOf(item, ol);
  const roman = /^i$/i.test(format) ? formatListNumber(number, format) : `${number}`;
  const mark = /^a$/i.test(format) ? lettersOfNumber(number) : roman;
  return listItemMark(`${format === 'A' ? mark.toUpperCase() : mark}.`);
}

/** Writes a number as letters, as browsers do: `z` for 26, `aa` for 27 and `ab` for 28. */
function lettersOfNumber(number: number): string {
  if (number < 1) return String(number);
  const last = (number - 1) % 26;
  const before = (number - 1 - last) / 26;
  return `${before > 0 ? lettersOfNumber(before) : ''}${String.fromCharCode(97 + last)}`;
}

export function numberOf(item: HtmlElement, ol: HtmlElement): number {
  const known = numbers.get(item);
  if (known !== undefined) return known;
  const items = ol.children.filter(({ tag }) => tag === 'li');
  const down = ol.attributes.reversed !== undefined;
  let next = Number.parseInt(ol.attributes.start ?? `${down ? items.length : 1}`, 10) || 1;
  for (const child of items) {
    const own = Number.parseInt(child.attributes.value ?? '', 10);
    if (own >= 0) next = own;
    numbers.set(child, Math.max(0, next));
    next += down ? -1 : 1;
  }
  return numbers.get(item) ?? 1;
}
