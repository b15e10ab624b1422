import { setImmediate } from 'node:timers/promises';
import type { DocumentStore } from './document-store.ts';
import type { FoundDocument } from './types.ts';

const STEP_PAGES = 50;
/** Maximum pages whose text one search reads. Further files are searched by name only. */
const MAX_PAGES = 50_000;
const EXCERPT_CHARS = 80;

export async function searchDocuments(
  store: Pick<DocumentStore, 'listDocuments' | 'listPages'>,
  owner: string,
  words: string,
  signal: AbortSignal,
): Promise<FoundDocument[]> {
  const sought = words.trim().toLowerCase();
  const found: FoundDocument[] = [];
  let left = MAX_PAGES;
  for (const document of await store.listDocuments(owner)) {
    let place: FoundDocument['place'];
    for (let from = 1; from <= document.pages && left > 0 && !place; from += STEP_PAGES) {
      const pages = await store.listPages(owner, document.name, from, STEP_PAGES);
      for (const { page, text } of pages) {
        const at = text.toLowerCase().indexOf(sought);
        if (at < 0) continue;
        place = { page, excerpt: excerptOf(text, at, sought.length) };
        break;
      }
      left -= STEP_PAGES;
      await setImmediate();
      signal.throwIfAborted();
    }
    const named = `${document.name}\n${document.title}`.toLowerCase().includes(sought);
    if (place || named) found.push({ document, place });
  }
  return found;
}

function excerptOf(text: string, at: number, length: number): string {
  const [from, to] = [Math.max(0, at - EXCERPT_CHARS), Math.min(text.length, at + length + EXCERPT_CHARS)];
  const piece = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${piece}${to < text.length ? '…' : ''}`;
}
