import { readFileSync } from 'node:fs';

/** Stop words by language. */
const LISTS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('./stop-words.json', import.meta.url), 'utf8'),
);

const ALL: ReadonlySet<string> = new Set(Object.values(LISTS).flatMap((list) => list.split(' ')));

export function isStopWord(term: string): boolean {
  return ALL.has(term);
}
