import { AppError } from '../../errors.ts';
import { lazy } from '../../lib/concurrency/lazy.ts';
import type { SearchHit } from '../engine.ts';
import type { PageListing } from '../local-index/page-store.ts';
import { excerpt } from '../merging/excerpt.ts';
import { unpack } from './page-text.ts';

/** What rows of pages become, whatever the database. */

interface TextRow {
  readonly url: string;
  readonly title: string;
  readonly text: Uint8Array;
}

interface ListedRow {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly read_at: number;
}

/** The excerpt is made where the hit is shown: an answer shows few of those that are found. */
export function hitOf({ url, title, text: packed }: TextRow, asked: readonly string[]): SearchHit {
  const text = unpack(packed);
  const snippet = lazy(() => excerpt(text, asked));
  return {
    title: title || url,
    url,
    get snippet() {
      return snippet();
    },
    text,
  };
}

/** The rows up to the limit; one more than that says that there is a next listing. */
export function listing(rows: readonly ListedRow[], limit: number): PageListing {
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

/** Time and number of the last row of the listing before; AppError `bad_request` for any other text. */
export function decodeCursor(cursor: string): [number, number] {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match) return [Number(match[1]), Number(match[2])];
  throw new AppError(
    'bad_request',
    `cursor is ${JSON.stringify(cursor.slice(0, 80))}: it takes the value of next in an earlier answer; leave it out to start from the first page`,
  );
}
