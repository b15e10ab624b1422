import { parseTimeMicros } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';

/** Splits `My Clippings.txt`: a title, a line with place and day in the reader's language, and the marked text. */
export function* splitClippings(file: unknown): Generator<FoundRecord> {
  for (const clipping of String(file).split(/^={10}\s*$/m)) {
    const lines = clipping.replaceAll('\uFEFF', '').trim().split(/\r?\n/);
    const [title = '', place = '', ...words] = lines.map((line) => line.trim());
    const day = place.slice(place.lastIndexOf('|') + 1).trim();
    const text = [words.join('\n').trim(), place].filter(Boolean).join('\n\n');
    if (title !== '')
      yield { record: { id: `${title} ${place}`, title, text, created: parseTimeMicros(day) } };
  }
}
