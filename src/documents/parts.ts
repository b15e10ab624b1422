import { countWords } from '../lib/text.ts';

/** Words that a part comes near to. */
export const PART_WORDS = 3000;

/**
 * The part, from 1, that each page belongs to: runs of whole pages, each ended where the next page would bring
 * it further from 3,000 words than it is. The same pages always give the same parts.
 */
export function partsOf(pages: readonly string[]): number[] {
  let part = 1;
  let words = 0;
  return pages.map((text) => {
    const more = countWords(text);
    if (words > 0 && words + more - PART_WORDS > Math.abs(PART_WORDS - words)) {
      part++;
      words = 0;
    }
    words += more;
    return part;
  });
}
