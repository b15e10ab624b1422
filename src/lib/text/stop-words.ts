import LISTS from './stop-words.json' with { type: 'json' };

const ALL: ReadonlySet<string> = new Set(Object.values(LISTS).flatMap((words) => words.split('|')));

export function isStopWord(term: string): boolean {
  return ALL.has(term);
}
