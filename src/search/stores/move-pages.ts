import type { DeriveData, MovedRow } from '../../storage/move/rows.ts';
import { preparePageInPool } from './page-pool.ts';
import { decompressText, type PreparedPage, prefixTermsWithOwner } from './page-text.ts';
import { encodePageWords } from './postgres/page-words.ts';
import { hashUrl } from './postgres/pages.ts';

export const indexMovedPages: DeriveData = async (rows, dialect) => {
  const pages: PreparedPage[] = [];
  for (const row of rows) pages.push(await preparedOf(row));
  if (dialect === 'postgres') {
    return {
      made: rows.map((row, at) => {
        const [page, url] = [pages[at] as PreparedPage, String(row.url)];
        return { place: hashUrl(url), ...encodePageWords(String(row.owner), page) };
      }),
    };
  }
  return {
    *after(sql) {
      for (const [at, { titleTerms, textTerms }] of pages.entries()) {
        const { owner, id } = rows[at] as MovedRow;
        const known = yield* sql.get<{ id: number }>`SELECT id FROM page_owners
          WHERE name = ${owner as string}`;
        yield* sql.send`INSERT INTO pages_fts (rowid, title, text)
          VALUES (CAST(${id as string} AS INTEGER), ${prefixTermsWithOwner(known?.id ?? 0, titleTerms)},
          ${prefixTermsWithOwner(known?.id ?? 0, textTerms)})`;
      }
    },
  };
};

function preparedOf({ owner, url, title, text, read_at }: MovedRow): Promise<PreparedPage> {
  return preparePageInPool(String(owner), {
    url: String(url),
    title: String(title),
    text: decompressText(text as Uint8Array),
    readAt: Number(read_at),
  });
}
