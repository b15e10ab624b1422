import { badRequestError } from '../../errors.ts';
import { foldLetters } from '../../lib/text/fold-letters.ts';
import { joinGroups } from '../ranking/numbers.ts';
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
    throw badRequestError(`limit is ${limit}: it takes a whole number from 1 to ${MAX_LISTED}`);
  }
  const { text, ...rest } = filter;
  const checked = checkFilter(rest);
  const sought = plain(text ?? '');
  const isFound = ({ title, text: said }: KnowledgeEntry) => {
    const words = plain(`${title}\n${said}`);
    return (
      words.includes(sought) || (/\p{N}/u.test(sought) && joinGroups(words).includes(joinGroups(sought)))
    );
  };
  const read = (most: number, from: string | undefined) =>
    store.listEntries(owner, most, 'newest', from, checked);
  if (sought === '') return read(limit, cursor);
  const found: KnowledgeEntry[] = [];
  let from = cursor;
  for (let done = 0; done < MAX_READ; done += READ_AT_ONCE) {
    const step = await read(READ_AT_ONCE, from);
    for (const [at, entry] of step.entries.entries()) {
      if (!isFound(entry)) continue;
      found.push(entry);
      // Reads the entries up to this one again, because only the store can make a cursor for the next page.
      if (found.length === limit) return { entries: found, next: (await read(at + 1, from)).next };
    }
    from = step.next;
    if (from === undefined) break;
  }
  return { entries: found, next: from };
}

/** Signs that are typed in several ways. */
const QUOTE = /[‘’‚‛′`´ʼ]/g;
const DOUBLE_QUOTE = /[“”„‟″«»]/g;
const DASH = /[‐-―−]/g;
/** Accents of Hebrew and Arabic, which texts may leave out. In other scripts, marks are parts of letters. */
const OPTIONAL_MARKS = /[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** Returns a text as a person might type it: without invisible signs, accents and typographic signs. */
function plain(text: string): string {
  const signs = text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(QUOTE, "'")
    .replace(DOUBLE_QUOTE, '"')
    .replace(DASH, '-');
  const words = foldLetters(signs.normalize('NFKC').toLowerCase()).replace(OPTIONAL_MARKS, '');
  return words.replaceAll('ς', 'σ').replace(/\s+/g, ' ').trim();
}
