import { setImmediate } from 'node:timers/promises';
import type { FoundDocument } from './document.ts';
import type { DocumentStore } from './document-store.ts';

/** Pages that are looked through before others get a turn: some milliseconds. */
const STEP = 50;
/** Pages that are looked through for one search; beyond them only names are. */
const PAGES = 50_000;
/** Characters before and after the words that are found. */
const AROUND = 80;

/** An owner's files, newest first, whose name, title or text has `words` as they stand, whatever their case. */
export async function findDocuments(
  store: DocumentStore,
  owner: string,
  words: string,
  signal: AbortSignal,
): Promise<FoundDocument[]> {
  const sought = words.trim().toLowerCase();
  const found: FoundDocument[] = [];
  let left = PAGES;
  for (const document of store.list(owner)) {
    let place: FoundDocument['place'];
    for (let from = 1; from <= document.pages && left > 0 && !place; from += STEP) {
      const pages = store.pagesFrom(owner, document.name, from, STEP);
      for (const { page, text } of pages) {
        const at = text.toLowerCase().indexOf(sought);
        if (at < 0) continue;
        place = { page, excerpt: excerptOf(text, at, sought.length) };
        break;
      }
      left -= STEP;
      await setImmediate();
      signal.throwIfAborted();
    }
    const named = `${document.name}\n${document.title}`.toLowerCase().includes(sought);
    if (place || named) found.push({ document, place });
  }
  return found;
}

function excerptOf(text: string, at: number, length: number): string {
  const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + length + AROUND)];
  const piece = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${piece}${to < text.length ? '…' : ''}`;
}
