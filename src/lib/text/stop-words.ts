import LISTS from './stop-words.json' with { type: 'json' };

const ALL: ReadonlySet<string> = new Set(Object.values(LISTS).flatMap((words) => words.split('|')));

export const isStopWord = (term: string): boolean => ALL.has(term);
