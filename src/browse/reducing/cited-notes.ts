import type { MarkdownBlock } from './blocks.ts';

const DEFINED = /^ {0,3}\[\^([^\]\s]{1,100})\]:/;
const CITED = /\[\^([^\]\s]{1,100})\](?!:)/g;

export function findCitedNotes(blocks: readonly MarkdownBlock[]): ReadonlyMap<number, readonly number[]> {
  const notes = new Map<string, number>();
  blocks.forEach(({ kind, text }, index) => {
    const id = kind === 'note' ? DEFINED.exec(text)?.[1] : undefined;
    if (id !== undefined && !notes.has(id)) notes.set(id, index);
  });
  const cited = new Map<number, readonly number[]>();
  if (notes.size === 0) return cited;
  blocks.forEach(({ kind, text }, index) => {
    if (kind === 'code' || !text.includes('[^')) return;
    const own = new Set([...text.matchAll(CITED)].map(([, id = '']) => notes.get(id)));
    const found = [...own].filter((note) => note !== undefined && note !== index) as number[];
    if (found.length > 0) cited.set(index, found);
  });
  return cited;
}

export function collectCitedNotes(
  indexes: Iterable<number>,
  cited: ReadonlyMap<number, readonly number[]>,
): readonly number[] {
  const found = new Set<number>();
  const open = [...indexes];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const note of cited.get(index) ?? []) {
      if (found.has(note)) continue;
      found.add(note);
      open.push(note);
    }
  }
  return [...found].sort((a, b) => a - b);
}
