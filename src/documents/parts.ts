import { setImmediate } from 'node:timers/promises';
import { countWords } from '../lib/text/text.ts';

/** Words that a part comes near to. */
const PART_WORDS = 3000;
/** Pages that are counted in one step. */
const STEP_PAGES = 200;

/**
 * The part, from 1, that each page belongs to: runs of whole pages, each ended where the next page would bring
 * it further from 3,000 words than it is. The same pages always give the same parts.
 */
export async function partsOf(pages: readonly string[]): Promise<number[]> {
  const parts: number[] = [];
  let part = 1;
  let words = 0;
  for (const text of pages) {
    const more = countWords(text);
    if (words > 0 && words + more - PART_WORDS > Math.abs(PART_WORDS - words)) {
      part++;
      words = 0;
    }
    words += more;
    parts.push(part);
    if (parts.length % STEP_PAGES === 0) await setImmediate();
  }
  return parts;
}
