import { maxOf, minOf } from '../../../lib/long-lists.ts';
import { groupIntoRows, median, type TextSegment } from './pdf-segments.ts';

const MIN_NUMBERS = 5;
/** Minimum width of a line of running text, as a multiple of the font size. */
const TEXT_SIZES = 15;
/** Minimum share of lines of running text, and of such lines that begin with a small letter because a sentence goes on. */
const TEXT_SHARE = 0.6;
const GOES_ON_SHARE = 0.3;

/** Leaves out the numbers with which drafts and laws count their lines in the left margin. */
export function withoutLineNumbers(segments: readonly TextSegment[]): readonly TextSegment[] {
  const firsts = groupIntoRows(segments).flatMap(([one]) =>
    one && /^\s*\d{1,4}\s*$/.test(one.text) ? one : [],
  );
  const edge = median(firsts.map(({ right }) => right));
  const numbers = new Set(firsts.filter(({ right, size }) => Math.abs(right - edge) < 1.5 * size));
  const [one = 0, ...others] = [...numbers].map(({ text }) => Number(text));
  const step = (others[0] ?? 0) - one;
  if (numbers.size < MIN_NUMBERS || step < 1 || others.some((other, at) => other !== one + (at + 1) * step))
    return segments;
  const rest = segments.filter((segment) => !numbers.has(segment));
  const text = rest.filter(({ left, right, size }) => right - left > TEXT_SIZES * size);
  const isText = text.length > TEXT_SHARE * Math.max(rest.length, numbers.size);
  const goesOn = text.filter((line) => /^\s*\p{Ll}/u.test(line.text)).length > GOES_ON_SHARE * text.length;
  const isBeside = maxOf([...numbers].map(({ right }) => right)) < minOf(rest.map(({ left }) => left));
  return isText && goesOn && isBeside ? rest : segments;
}
