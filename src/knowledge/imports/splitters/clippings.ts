import { parseTimeMicros } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';

/**
 * Splits the clippings of a Kindle: the book, a line such as `- Your Highlight on page 3 | Added on ...` in the
 * reader's language, a blank line, and the words, up to a line of `=`.
 */
export function* splitClippings(text: unknown): Generator<FoundRecord> {
  for (const part of String(text)
    .replaceAll('\uFEFF', '')
    .split(/^={10}\s{0,3}$/m)) {
    const [title = '', about = '', ...words] = part.trim().split(/\r?\n/);
    const content = words.join('\n').trim();
    const clipping = about.replace(/^- /, '');
    const time = parseTimeMicros(clipping.slice(clipping.lastIndexOf('|') + 1).trim());
    if (content !== '') yield { record: { title, content, clipping, time } };
    else if (title !== '') yield { skipped: 'a bookmark without words', count: 1 };
  }
}
