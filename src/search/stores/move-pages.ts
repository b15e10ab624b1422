import type { Complete } from '../../storage/move/completion.ts';
import type { MovedRow } from '../../storage/move/rows.ts';
import { prepare } from './page-desk.ts';
import { ownTerms, type PreparedPage, unpack } from './page-text.ts';
import { wordsOf } from './postgres/page-words.ts';
import { placeOf } from './postgres/pages.ts';

export const completePages: Complete = async (rows, dialect) => {
  const pages: PreparedPage[] = [];
  for (const row of rows) pages.push(await preparedOf(row));
  if (dialect === 'postgres') {
    return {
      made: rows.map((row, at) => {
        const [page, url] = [pages[at] as PreparedPage, String(row.url)];
        return { place: placeOf(url), ...wordsOf(String(row.owner), page) };
      }),
    };
  }
  return {
    *after(sql) {
      for (const [at, { titleTerms, textTerms }] of pages.entries()) {
        const { owner, id } = rows[at] as MovedRow;
        const known = yield* sql.get<{ id: number }>(
          'SELECT id FROM page_owners WHERE name = ?',
          owner as string,
        );
        yield* sql.send(
          'INSERT INTO pages_fts (rowid, title, text) VALUES (CAST(? AS INTEGER), ?, ?)',
          id as string,
          ownTerms(known?.id ?? 0, titleTerms),
          ownTerms(known?.id ?? 0, textTerms),
        );
      }
    },
  };
};

function preparedOf({ owner, url, title, text, read_at }: MovedRow): Promise<PreparedPage> {
  return prepare(String(owner), {
    url: String(url),
    title: String(title),
    text: unpack(text as Uint8Array),
    readAt: Number(read_at),
  });
}
