import { unavailableError } from '../../../errors.ts';
import type { RunLongStatement, RunLongWork } from '../../../storage/postgres/long-work.ts';
import { describeOldPgvector } from '../../../storage/postgres/oldest-versions.ts';
import type { GraphUpkeepResult } from '../../store.ts';
import { computePassageKeyBase } from '../passages/indexed-passage.ts';

/** An HNSW index has vectors of one owner only: a shared index would return other owners' vectors. */

/** Maximum number of indexes, because each slows down the planning of every statement on its partition. */
const MAX_GRAPHS = 64;
const KEPT_PART = 0.5;
const MAX_DIMENSIONS = 4000;
/** Index parameters m and ef_construction. `bench/postgres-questions.ts` measures their recall. */
const [NEIGHBOURS, COMPARED] = [16, 64];
/** Bytes per vector that building an index needs in addition to the vector's numbers. */
const BYTES_OF_ONE = 1000;
const [LEAST_BYTES, MOST_BYTES] = [64e6, 1e9];
const PREFIX = 'kb_graph_';

export interface VectorIndexUpkeepOptions {
  readonly from: number;
  readonly most?: number;
  readonly runLong: RunLongWork;
}

interface Large {
  readonly owner: number;
  readonly model: number;
  readonly vectors: number;
}

interface Graph {
  readonly name: string;
  readonly part: string;
  readonly dimensions: number;
  readonly vectors: number;
  readonly condition: string;
}

interface GraphIndexRow {
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

/** Builds missing indexes and drops unused ones, in one process at a time. Throws if pgvector is too old. */
export async function maintainVectorIndexes(
  options: VectorIndexUpkeepOptions,
  signal: AbortSignal,
): Promise<GraphUpkeepResult> {
  const work = (ask: RunLongStatement) => tend(ask, options, signal);
  const done = await options.runLong('graphs of the knowledge base', work, signal);
  return done ?? { built: 0, dropped: 0 };
}

async function tend(
  ask: RunLongStatement,
  { from, most = MAX_GRAPHS }: VectorIndexUpkeepOptions,
  signal: AbortSignal,
): Promise<GraphUpkeepResult> {
  const wanted: Graph[] = [];
  for (const one of await ask<Large>(LARGE, [Math.ceil(from * KEPT_PART), most])) {
    wanted.push(...(await describe(ask, one)));
  }
  const kept = new Set(wanted.map(({ name }) => name));
  const gone = (await ask<GraphIndexRow>(GRAPHS)).filter(({ name, valid }) => !valid || !kept.has(name));
  for (const { name } of gone) {
    signal.throwIfAborted();
    await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
  const there = new Set((await ask<GraphIndexRow>(GRAPHS)).map(({ name }) => name));
  const missing = wanted.filter(({ name, vectors }) => vectors >= from && !there.has(name));
  if (missing.length > 0) await checkVersion(ask);
  for (const one of missing) {
    signal.throwIfAborted();
    await build(ask, one);
  }
  return { built: missing.length, dropped: gone.length };
}

async function describe(ask: RunLongStatement, { owner, model, vectors }: Large): Promise<Graph[]> {
  const first = (BigInt(model) << 55n) + BigInt(computePassageKeyBase(owner));
  const end = first + (1n << 31n);
  const [one] = await ask<{ part: string; dimensions: number }>(ONE, [owner, `${first}`, `${end}`]);
  if (!one || one.dimensions > MAX_DIMENSIONS) return [];
  const name = `${PREFIX}${owner}_${model}_${one.dimensions}`;
  return [{ ...one, name, vectors, condition: `owner = ${owner} AND id >= ${first} AND id < ${end}` }];
}

async function checkVersion(ask: RunLongStatement): Promise<void> {
  const version = (await ask<{ version: string }>(VERSION))[0]?.version ?? '0';
  const trouble = describeOldPgvector(version);
  if (trouble !== undefined) throw unavailableError(trouble);
}

async function build(ask: RunLongStatement, { name, part, dimensions, vectors, condition }: Graph) {
  const bytes = vectors * (2 * dimensions + BYTES_OF_ONE);
  const kilobytes = Math.ceil(Math.min(MOST_BYTES, Math.max(LEAST_BYTES, bytes)) / 1024);
  await ask(`SET maintenance_work_mem = ${kilobytes}`);
  // Parallel workers slow down queries and need shared memory, which containers limit.
  await ask('SET max_parallel_maintenance_workers = 0');
  await ask(`
    CREATE INDEX CONCURRENTLY ${name} ON ${part}
    USING hnsw ((CAST(vector AS halfvec(${dimensions}))) halfvec_ip_ops) WITH (m = ${NEIGHBOURS}, ef_construction = ${COMPARED})
    WHERE ${condition} AND vector_dims(vector) = ${dimensions}`);
}
