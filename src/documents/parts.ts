import { setImmediate } from 'node:timers/promises';
import { countWords } from '../lib/text/text.ts';

const PART_WORDS = 3000;
const STEP_PAGES = 200;

/** Returns the part number (from 1) of each page. A part has whole pages with about 3,000 words. */
export async function assignPagesToParts(pages: readonly string[]): Promise<number[]> {
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
