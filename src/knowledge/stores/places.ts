import type { Statements } from '../../storage/sqlite.ts';
import type { EntryStore } from '../store.ts';
import type { Filter } from '../types.ts';
import { listHidden, listParts } from './file-parts.ts';
import { baseOf } from './indexed-passage.ts';
import { findOwner } from './owners.ts';
import type { StoreParts } from './parts.ts';
import type { Run } from './passages.ts';
import { HIDDEN, inCollection, LIVE } from './rows.ts';
import { readBeside } from './trash-places.ts';

type Places = Pick<
  EntryStore,
  'filterPlaces' | 'listFilePlaces' | 'listHiddenPassages' | 'listNewestPlaces' | 'listPlaces'
>;

const LISTED_AT_ONCE = 500;

/** Which places an owner's passages have. */
export function createPlaces({ db, trash }: Pick<StoreParts, 'db' | 'trash'>): Places {
  return {
    async filterPlaces(owner, filter) {
      const { tags = [], ...others } = filter;
      if (tags.length === 0 && Object.values(others).every((value) => value === undefined)) return undefined;
      return db.read((sql) => filterPlaces(sql, owner, filter));
    },

    listFilePlaces: (owner, name, { fromPage, toPage }) =>
      db.read((sql) => {
        const number = findOwner(sql, owner)?.id ?? null;
        const parts = HIDDEN.includes(name) ? [] : listParts(sql, number, name);
        if (parts.length === 0 || number === null) return undefined;
        const base = baseOf(number);
        const places = parts.flatMap(({ first, passages }) =>
          sql
            .all<{ id: number }>(
              'SELECT id FROM kb_passages WHERE id >= ? AND id < ? AND page BETWEEN ? AND ? ORDER BY id',
              base + first,
              base + first + passages,
              fromPage,
              toPage,
            )
            .map(({ id }) => id - base),
        );
        return new Set(places);
      }),

    listHiddenPassages: (owner) =>
      db.read((sql) => listHidden(sql, findOwner(sql, owner)?.id ?? null).sort((a, b) => a.first - b.first)),

    listNewestPlaces: (owner, limit, within) =>
      db.read((sql) => {
        const number = findOwner(sql, owner)?.id ?? null;
        const newest: number[] = [];
        for (let before = Number.MAX_SAFE_INTEGER; newest.length < limit; ) {
          const rows = sql.all<{ at: number; first: number }>(
            `SELECT at, first FROM kb_entries WHERE owner = ? AND digest IS NOT NULL AND trash <= 0 AND at < ?
             ORDER BY at DESC LIMIT ?`,
            number,
            before,
            LISTED_AT_ONCE,
          );
          const last = rows.at(-1);
          if (!last) break;
          before = last.at;
          newest.push(...rows.map(({ first }) => first).filter((first) => within?.has(first) ?? true));
        }
        return newest.slice(0, limit);
      }),

    listPlaces: (owner, from, limit) =>
      db.read((sql) => {
        const row = findOwner(sql, owner);
        if (!row) return [];
        const { id } = row;
        const read = (start: number, most: number) =>
          sql.all<{ place: number }>(
            'SELECT id - ? AS place FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
            baseOf(id),
            baseOf(id) + start,
            baseOf(id + 1),
            most,
          );
        return readBeside(trash.listTrashed(sql, row), from, limit, read).map(({ place }) => place);
      }),
  };
}

function filterPlaces(
  sql: Statements,
  owner: string,
  { tags = [], source, since, until, collection }: Filter,
): Set<number> {
  const of = inCollection(collection);
  const conditions = [`${LIVE}${of.where}`, ...tags.map(() => 'instr(e.tags, ?) > 0')];
  const values: (string | number)[] = [...of.values, ...tags.map((tag) => `\n${tag}\n`)];
  const sources = typeof source === 'string' ? [source] : (source ?? []);
  const matching = sources.map((one) => {
    const prefix = one.slice(0, -1);
    values.push(...(one.endsWith('*') ? [prefix, prefix] : [one]));
    return one.endsWith('*') ? 'substr(e.source, 1, length(?)) = ?' : 'e.source = ?';
  });
  if (source !== undefined) conditions.push(`(${matching.join(' OR ') || 'FALSE'})`);
  const runs = sql.all<Run>(
    `SELECT first, passages FROM kb_entries e WHERE owner = ? AND at >= ? AND at < ? AND ${conditions.join(' AND ')}`,
    findOwner(sql, owner)?.id ?? null,
    since ?? 0,
    until ?? Number.MAX_SAFE_INTEGER,
    ...values,
  );
  const places = new Set<number>();
  for (const { first, passages } of runs) {
    for (let place = first; place < first + passages; place++) places.add(place);
  }
  return places;
}
