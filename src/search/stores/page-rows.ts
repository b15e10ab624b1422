import { badRequestError } from '../../errors.ts';
import { makeLazily } from '../../lib/concurrency/lazy.ts';
import type { SearchHit } from '../engine.ts';
import { excerpt } from '../merging/excerpt.ts';
import type { PageListing } from '../page-store.ts';
import { decompressText } from './page-text.ts';

export interface PageRow {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly text: Uint8Array;
  readonly read_at: number;
}

export type TextRow = Pick<PageRow, 'url' | 'title' | 'text'>;
type ListedRow = Omit<PageRow, 'text'>;

export function toSearchHit({ url, title, text: packed }: TextRow, asked: readonly string[]): SearchHit {
  const text = decompressText(packed);
  const snippet = makeLazily(() => excerpt(text, asked));
  return {
    title: title || url,
    url,
    get snippet() {
      return snippet();
    },
    text,
  };
}

export function toPageListing(rows: readonly ListedRow[], limit: number): PageListing {
  const pages = rows.slice(0, limit);
  const last = pages.at(-1);
  return {
    pages: pages.map(({ url, title, read_at }) => ({ url, title, readAt: read_at })),
    next: rows.length > limit && last ? encodeCursor(last) : undefined,
  };
}

function encodeCursor({ read_at, id }: ListedRow): string {
  return Buffer.from(`${read_at}.${id}`).toString('base64url');
}

/** Decodes a cursor: time and id of the last page of a list. Throws AppError `bad_request` if invalid. */
export function decodeCursor(cursor: string): [number, number] {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match) return [Number(match[1]), Number(match[2])];
  throw badRequestError(
    `cursor is ${JSON.stringify(cursor.slice(0, 80))}: it takes the value of next in an earlier answer; leave it out to start from the first page`,
  );
}
