import { AppError } from '../../errors.ts';
import { checkFilter } from '../ranking/query.ts';
import type { EntryStore } from '../store.ts';
import type { EntryPage, KnowledgeEntry, ListFilter } from '../types.ts';

const MAX_LISTED = 1000;
const MAX_READ = 20_000;
const READ_AT_ONCE = 200;

export interface EntryListRequest {
  readonly owner: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly filter: ListFilter;
}

export async function listEntries(
  store: Pick<EntryStore, 'listEntries'>,
  { owner, limit, cursor, filter }: EntryListRequest,
): Promise<EntryPage> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LISTED) {
    throw new AppError('bad_request', `limit is ${limit}: it takes a whole number from 1 to ${MAX_LISTED}`);
  }
  const { text, ...rest } = filter;
  const checked = checkFilter(rest);
  const sought = plain(text ?? '');
  const read = (most: number, from: string | undefined) =>
    store.listEntries(owner, most, 'newest', from, checked);
  if (sought === '') return read(limit, cursor);
  const found: KnowledgeEntry[] = [];
  let from = cursor;
  for (let done = 0; done < MAX_READ; done += READ_AT_ONCE) {
    const step = await read(READ_AT_ONCE, from);
    for (const [at, entry] of step.entries.entries()) {
      if (!plain(`${entry.title}\n${entry.text}`).includes(sought)) continue;
      found.push(entry);
      // Reads the entries up to this one again, because only the store can make a cursor for the next page.
      if (found.length === limit) return { entries: found, next: (await read(at + 1, from)).next };
    }
    from = step.next;
    if (from === undefined) break;
  }
  return { entries: found, next: from };
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}
