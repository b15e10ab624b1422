import { AppError } from '../../../errors.ts';
import type { AskLong, RunLong } from '../../../storage/postgres/long-work.ts';
import { oldPgvector } from '../../../storage/postgres/oldest.ts';
import type { TendedGraphs } from '../../store.ts';
import { baseOf } from '../passages/indexed-passage.ts';

/**
 * HNSW indexes of the vectors of owners who have very many: one for each owner and model, since an index over several owners gives the
 * neighbours of all of them. It is a partial index of the owner's partition, by its name the work of this file; the catalogue of the
 * database is the record of which are there, and PostgreSQL itself asks one once it is whole.
 */

/** Indexes at once; those of the owners with the most vectors. Every statement on a partition takes account of all indexes there. */
const MAX_GRAPHS = 64;
/** The part of `from` that an owner has to fall below before an index goes. */
const KEPT_PART = 0.5;
/** The most that pgvector's index takes of 16-bit floats. */
const MAX_DIMENSIONS = 4000;
/** Neighbours of a vector, and those that are compared as it comes in; `bench/postgres-questions.ts` measures the recall. */
const [NEIGHBOURS, COMPARED] = [16, 64];
/** Bytes that a build holds of a vector beside its floats, and the least and most that it may take of the server. */
const BYTES_OF_ONE = 1000;
const [LEAST_BYTES, MOST_BYTES] = [64e6, 1e9];

const PREFIX = 'kb_graph_';

export interface GraphOptions {
  /** Passages of an owner from which an index finds vectors. */
  readonly from: number;
  /** Indexes at once; 64 when left out. */
  readonly most?: number;
  readonly runLong: RunLong;
}

interface Large {
  readonly owner: number;
  readonly model: number;
  readonly vectors: number;
}

/** An index as it is to be. */
interface Graph {
  readonly name: string;
  /** The partition that has the owner's vectors. */
  readonly part: string;
  readonly dimensions: number;
  readonly vectors: number;
  readonly condition: string;
}

interface Found {
  readonly name: string;
  readonly valid: number;
}

const LARGE = `
  SELECT e.owner, e.model, least(o.searched, e.below - 1) AS vectors FROM kb_embedded e JOIN kb_owners o ON o.id = e.owner
  WHERE least(o.searched, e.below - 1) >= $1 ORDER BY vectors DESC, e.owner, e.model LIMIT $2`;
const GRAPHS = `
  SELECT c.relname AS name, x.indisvalid AS valid FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
  WHERE c.relname LIKE '${PREFIX.replaceAll('_', '\\_')}%'
    AND x.indrelid IN (SELECT relid FROM pg_partition_tree(CAST('kb_halfvecs' AS regclass)) WHERE isleaf)
  ORDER BY c.relname`;
const ONE = `
  SELECT CAST(CAST(tableoid AS regclass) AS text) AS part, vector_dims(vector) AS dimensions FROM kb_halfvecs
  WHERE owner = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT 1`;
const VERSION = "SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'";

/**
 * Makes what is missing and drops what is out of use or was broken off, one node at a time. Inserts and questions go on: an index is made
 * beside them, and vectors are compared one by one until it is whole. AppError `unavailable` where pgvector is too old.
 */
export async function tendGraphs(options: GraphOptions, signal: AbortSignal): Promise<TendedGraphs> {
  const work = (ask: AskLong) => tend(ask, options, signal);
  const done = await options.runLong('graphs of the knowledge base', work, signal);
  return done ?? { built: 0, dropped: 0 };
}

async function tend(
  ask: AskLong,
  { from, most = MAX_GRAPHS }: GraphOptions,
  signal: AbortSignal,
): Promise<TendedGraphs> {
  const wanted: Graph[] = [];
  for (const one of await ask<Large>(LARGE, [Math.ceil(from * KEPT_PART), most])) {
    wanted.push(...(await describe(ask, one)));
  }
  const kept = new Set(wanted.map(({ name }) => name));
  // One that is not valid was broken off: what builds one holds the lock that is held here.
  const gone = (await ask<Found>(GRAPHS)).filter(({ name, valid }) => !valid || !kept.has(name));
  for (const { name } of gone) {
    signal.throwIfAborted();
    await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
  const there = new Set((await ask<Found>(GRAPHS)).map(({ name }) => name));
  const missing = wanted.filter(({ name, vectors }) => vectors >= from && !there.has(name));
  if (missing.length > 0) await checkVersion(ask);
  for (const one of missing) {
    signal.throwIfAborted();
    await build(ask, one);
  }
  return { built: missing.length, dropped: gone.length };
}

/** The index of one owner and model; none where no vector is there by now, or where it has more dimensions than an index takes. */
async function describe(ask: AskLong, { owner, model, vectors }: Large): Promise<Graph[]> {
  const first = (BigInt(model) << 55n) + BigInt(baseOf(owner));
  const end = first + (1n << 31n);
  const [one] = await ask<{ part: string; dimensions: number }>(ONE, [owner, `${first}`, `${end}`]);
  if (!one || one.dimensions > MAX_DIMENSIONS) return [];
  const name = `${PREFIX}${owner}_${model}_${one.dimensions}`;
  return [{ ...one, name, vectors, condition: `owner = ${owner} AND id >= ${first} AND id < ${end}` }];
}

async function checkVersion(ask: AskLong): Promise<void> {
  const version = (await ask<{ version: string }>(VERSION))[0]?.version ?? '0';
  const trouble = oldPgvector(version);
  if (trouble !== undefined) throw new AppError('unavailable', trouble);
}

async function build(ask: AskLong, { name, part, dimensions, vectors, condition }: Graph): Promise<void> {
  const bytes = vectors * (2 * dimensions + BYTES_OF_ONE);
  const kilobytes = Math.ceil(Math.min(MOST_BYTES, Math.max(LEAST_BYTES, bytes)) / 1024);
  await ask(`SET maintenance_work_mem = ${kilobytes}`);
  // Several processes would share memory that a container has little of; one leaves the others to questions.
  await ask('SET max_parallel_maintenance_workers = 0');
  // What has another length of vector is not of its condition, and so can be written.
  await ask(`
    CREATE INDEX CONCURRENTLY ${name} ON ${part}
    USING hnsw ((CAST(vector AS halfvec(${dimensions}))) halfvec_ip_ops) WITH (m = ${NEIGHBOURS}, ef_construction = ${COMPARED})
    WHERE ${condition} AND vector_dims(vector) = ${dimensions}`);
}
