import { setImmediate } from 'node:timers/promises';
import type { AnyDatabase, Sql, StepGenerator } from '../../../storage/any-database.ts';
import { fragment, raw, type SqlFragment } from '../../../storage/sql-template.ts';
import { fromOwnPassages, isOfOwner } from '../entries/owner-sql.ts';
import type { StoreParts, VectorStoreParts } from '../parts.ts';
import { computePassageKeyBase } from '../passages/indexed-passage.ts';
import { countPassagesFrom, readRowsOutsideRuns } from '../trash/trashed-passages.ts';
import { findModelId, firstUnembeddedPassage } from './models.ts';

const MAX_COUNTED = 10_000;
const COUNTED_AT_ONCE = 1000;
const OWNERS_AT_ONCE = 1000;

export function fromKeptPassages(sql: Sql, owner: number, from: number, to: number): SqlFragment {
  return fragment`${fromOwnPassages(sql, owner)} WHERE p.id >= ${from} AND p.id < ${to} AND e.trash <= 0`;
}

/** Returns a condition for owners. Without a choice it holds for all. */
function isMultilingual(multilingual: boolean | undefined): SqlFragment {
  return multilingual === undefined ? raw('TRUE') : fragment`o.multilingual = ${Number(multilingual)}`;
}

export async function countUnembedded(
  { db, trash }: VectorStoreParts,
  owner: string,
  model: string,
  most: number,
): Promise<number> {
  const state = await trash.readState(owner);
  if (!state) return 0;
  const { id, next, searched } = state.row;
  const below = await db.read((sql) => firstUnembeddedPassage(sql, model, id));
  if (below >= next) return 0;
  const wanted = Math.min(most, MAX_COUNTED);
  let [count, from] = [0, below];
  for (let more = true; more; ) {
    const limit = Math.min(COUNTED_AT_ONCE, wanted - count);
    const start = from;
    const rows = await db.read((sql) => readRowsOutsideRuns(state.trashed, start, limit, placesOf(sql, id)));
    count += rows.length;
    from = (rows.at(-1)?.place ?? from) + 1;
    more = rows.length === limit && count < wanted;
    if (more) await setImmediate();
  }
  if (count < MAX_COUNTED) return count;
  const places = next - below - countPassagesFrom(state.trashed, below);
  return Math.min(most, Math.max(count, Math.min(searched, places)));
}

function placesOf(sql: Sql, owner: number) {
  const [base, end] = [computePassageKeyBase(owner), computePassageKeyBase(owner + 1)];
  return (start: number, limit: number) =>
    sql.all<{ place: number }>`SELECT p.id - ${base} AS place
      ${fromKeptPassages(sql, owner, base + start, end)} ORDER BY p.id LIMIT ${limit}`;
}

interface OwnerCandidate {
  readonly id: number;
  readonly name: string;
  readonly below: number;
}

interface JudgedCandidate extends OwnerCandidate {
  readonly kept: number | undefined;
}

/**
 * Tests if each owner's first waiting passage is kept. Reads them separately, because owners are in several
 * partitions. `CROSS JOIN` makes SQLite read passages first.
 */
function* judge(sql: Sql, candidates: readonly OwnerCandidate[]): StepGenerator<JudgedCandidate[]> {
  const first = yield* sql.allEach<{ kept: number }>(
    candidates.map(
      ({ id, below }) => fragment`SELECT t.trash <= 0 AS kept FROM kb_passages p
        CROSS JOIN kb_entries t ON t.owner = ${id} AND t.at = p.entry
        WHERE ${isOfOwner(sql, id, 'p.')} AND p.id >= ${computePassageKeyBase(id) + below}
        AND p.id < ${computePassageKeyBase(id + 1)} ORDER BY p.id LIMIT 1`,
    ),
  );
  return candidates.map((one, at) => ({ ...one, kept: first[at]?.[0]?.kept }));
}

export async function listOwnersToEmbed(
  parts: VectorStoreParts,
  model: string,
  multilingual: boolean | undefined,
  limit: number,
): Promise<string[]> {
  const waiting: string[] = [];
  for (let after = 0; ; await setImmediate()) {
    const last = after;
    const some = await parts.db.read(function* (sql) {
      const key = (yield* findModelId(sql, model)) ?? null;
      const behind = yield* sql.all<OwnerCandidate>`SELECT o.id, o.name, coalesce(e.below, 1) AS below
        FROM kb_owners o LEFT JOIN kb_embedded e ON e.model = ${key} AND e.owner = o.id
        WHERE o.id > ${last} AND o.searched > 0 AND ${isMultilingual(multilingual)}
        AND o.next > coalesce(e.below, 1) ORDER BY o.id LIMIT ${OWNERS_AT_ONCE}`;
      return yield* judge(sql, behind);
    });
    for (const one of some) {
      if (await isWaiting(parts, model, one)) waiting.push(one.name);
      if (waiting.length >= limit) return waiting;
    }
    if (some.length < OWNERS_AT_ONCE) return waiting;
    after = some.at(-1)?.id ?? after;
  }
}

async function isWaiting(parts: VectorStoreParts, model: string, { name, kept }: JudgedCandidate) {
  if (kept !== 0) return kept === 1;
  return (await countUnembedded(parts, name, model, 1)) > 0;
}

export async function findOwnerWithUnusedVectors(
  parts: VectorStoreParts,
  model: string,
  { wanted, multilingual, before }: { wanted: string; multilingual: boolean; before: number },
) {
  for (let after = 0; ; await setImmediate()) {
    const last = after;
    const some = await parts.db.read(function* (sql) {
      const having = yield* sql.all<OwnerCandidate>`SELECT o.id, o.name, coalesce(e.below, 1) AS below
        FROM kb_embedded v CROSS JOIN kb_owners o ON o.id = v.owner
          LEFT JOIN kb_embedded e ON e.model = ${(yield* findModelId(sql, wanted)) ?? null} AND e.owner = o.id
        WHERE v.model = ${(yield* findModelId(sql, model)) ?? null} AND v.owner > ${last}
        AND o.multilingual = ${Number(multilingual)}
          AND (SELECT all_at FROM kb_models WHERE id = v.model) < ${before}
        ORDER BY v.owner LIMIT ${OWNERS_AT_ONCE}`;
      return yield* judge(sql, having);
    });
    for (const one of some) if (!(await isWaiting(parts, wanted, one))) return one;
    if (some.length < OWNERS_AT_ONCE) return undefined;
    after = some.at(-1)?.id ?? after;
  }
}

interface PassageGap {
  readonly id: number;
  readonly searched: number;
  readonly below: number;
  readonly next: number;
}

export async function readEmbeddingProgress(
  { db }: Pick<StoreParts, 'db'>,
  model: string,
  multilingual: boolean | undefined,
): Promise<{ done: number; total: number }> {
  let [total, waiting] = [0, 0];
  for (let after = 0, more = true; more; await setImmediate()) {
    const last = after;
    const owners = await db.read(function* (sql) {
      const key = (yield* findModelId(sql, model)) ?? null;
      return yield* sql.all<PassageGap>`SELECT o.id, o.searched, o.next, coalesce(e.below, 1) AS below
        FROM kb_owners o LEFT JOIN kb_embedded e ON e.model = ${key} AND e.owner = o.id
        WHERE o.id > ${last} AND ${isMultilingual(multilingual)} ORDER BY o.id LIMIT ${OWNERS_AT_ONCE}`;
    });
    const behind = owners.filter(({ next, below }) => next > below);
    for (const { searched } of owners) total += searched;
    for (const { searched, next, below } of behind) {
      if (next - below >= MAX_COUNTED) waiting += Math.min(searched, next - below);
    }
    waiting += await countGaps(
      db,
      behind.filter(({ next, below }) => next - below < MAX_COUNTED),
    );
    more = owners.length === OWNERS_AT_ONCE;
    after = owners.at(-1)?.id ?? after;
  }
  return { done: Math.max(0, total - waiting), total };
}

async function countGaps(db: AnyDatabase, gaps: readonly PassageGap[]): Promise<number> {
  let count = 0;
  let lot: { id: number; from: number; to: number }[] = [];
  let room = COUNTED_AT_ONCE;
  const flush = async () => {
    const ranges = lot;
    lot = [];
    room = COUNTED_AT_ONCE;
    count += await db.read(function* (sql) {
      const counts = yield* sql.allEach<{ n: number }>(
        ranges.map(({ id, from, to }) => {
          const base = computePassageKeyBase(id);
          return fragment`SELECT count(*) AS n ${fromKeptPassages(sql, id, base + from, base + to)}`;
        }),
      );
      return counts.flat().reduce((sum, { n }) => sum + n, 0);
    });
    await setImmediate();
  };
  for (const { id, below, next } of gaps) {
    for (let from = below; from < next; ) {
      const to = Math.min(next, from + room);
      lot.push({ id, from, to });
      room -= to - from;
      from = to;
      if (room === 0) await flush();
    }
  }
  if (lot.length > 0) await flush();
  return count;
}
