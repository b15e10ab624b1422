import { setImmediate } from 'node:timers/promises';
import type { HierarchicalNSW } from 'hnswlib-node';
import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import { importOptionalPackage } from '../../lib/optional-packages.ts';
import { createPassageNumberSet } from '../ranking/passage-number-set.ts';
import type {
  AllowedIds,
  ExcludedRanges,
  GrowingIndex,
  GrowingIndexOptions,
  VectorIndex,
} from '../ranking/vector-index.ts';
import { type BitsIndex, createBitsIndex } from './bits.ts';
import { deleteBits, type KeptBits, readBits, saveBits } from './bits-file.ts';
import { createExactIndex } from './exact.ts';
import { createGraphIndex, type GraphIndex, initEmptyGraph } from './graph.ts';
import { deleteGraph, loadGraphLabels, saveGraph } from './graph-file.ts';

export interface GrowthOptions extends GrowingIndexOptions {
  /** A graph replaces the exact index above this number of vectors. Default: 30,000 (searched in 10 ms). */
  readonly threshold?: number;
  /** Above this many vectors, a bits index replaces a graph. Default: 60,000 (no hnswlib: `threshold`). */
  readonly mostInGraph?: number;
}

type Graphs = (new (space: 'ip', dimensions: number) => HierarchicalNSW) | undefined;

const THRESHOLD_VECTORS = 30_000;
const MOST_IN_GRAPH = 60_000;
const MEAN_OF = 5000;
const MAX_WASTE = 0.3;
const SLICE_MS = 8;

async function loadGraphs(): Promise<Graphs> {
  try {
    return (await importOptionalPackage<{ default: { HierarchicalNSW: Graphs } }>('graphs')).default
      .HierarchicalNSW;
  } catch {
    return undefined;
  }
}

/** Opens an index that grows from exact to graph to bits. The old kind answers while the new kind is built. */
export async function openGrowingIndex(options: GrowthOptions, path?: string): Promise<GrowingIndex> {
  const graphs = await loadGraphs();
  if (path === undefined) return createGrowingIndex(graphs, options);
  const bits = await readBits(path, options, setImmediate);
  if (bits) return createGrowingIndex(graphs, options, bits);
  const graph = graphs && (await readGraph(graphs, options, path));
  return createGrowingIndex(graphs, options, graph && { graph });
}

async function readGraph(graphs: NonNullable<Graphs>, options: GrowthOptions, path: string) {
  const side = await loadGraphLabels(path, options);
  if (!side) return undefined;
  const graph = new graphs('ip', options.dimensions);
  await graph.readIndex(`${path}.graph`);
  return graph.getCurrentCount() === side.labels.length
    ? createGraphIndex({ ...options, ...side, graph })
    : undefined;
}

type StoredIndex = KeptBits | { readonly graph: GraphIndex };

function createGrowingIndex(graphs: Graphs, options: GrowthOptions, kept?: StoredIndex): GrowingIndex {
  const { dimensions, model } = options;
  const kinds = createKinds(graphs, options, kept);
  const saving = createKeyedLock();

  const save: GrowingIndex['save'] = async (path, followed) => {
    await kinds.settled();
    const { graph, bits } = kinds;
    if (bits) {
      await saveBits(path, bits, followed);
      await deleteGraph(path);
      return true;
    }
    if (!graph) return false;
    const { labels, copies, still } = graph;
    await still((inner) =>
      saveGraph(path, { dimensions, model, labels: labels(), copies: copies() }, (to) =>
        inner.writeIndex(to),
      ),
    );
    await deleteBits(path);
    return true;
  };

  return {
    dimensions,
    model,
    followed: kept && 'followed' in kept ? kept.followed : undefined,
    get kind() {
      return kinds.bits ? 'bits' : kinds.graph ? 'graph' : 'exact';
    },
    get size() {
      return kinds.current.size;
    },
    get bytes() {
      return kinds.current.bytes + (kinds.next?.bytes ?? 0);
    },
    has: (id) => kinds.current.has(id),
    ids: () => kinds.current.ids(),
    vector: (id) => kinds.current.vector(id),
    add: kinds.add,
    remove: kinds.remove,
    findNearest: (vector, k, allowed, except) =>
      kinds.current.findNearest(vector, k, except?.length ? without(except, allowed) : allowed),
    async addMany(vectors, signal) {
      const loaded = kinds.beginLoading();
      try {
        let started = performance.now();
        for await (const [id, vector] of vectors) {
          signal.throwIfAborted();
          kinds.add(id, vector);
          if (performance.now() - started <= SLICE_MS) continue;
          await setImmediate();
          started = performance.now();
        }
      } finally {
        loaded();
      }
    },
    settled: kinds.settled,
    save: (path, followed) => saving.run('save', () => save(path, followed)),
    close: kinds.close,
  };
}

function without(stretches: ExcludedRanges, allowed: AllowedIds | undefined): AllowedIds {
  const hidden = createPassageNumberSet();
  for (const { first, passages } of stretches) {
    for (let place = first; place < first + passages; place++) hidden.add(place);
  }
  const fits = allowed instanceof Function ? allowed : (id: number) => allowed?.has(id) ?? true;
  return (id) => !hidden.has(id) && fits(id);
}

interface Kinds {
  readonly current: VectorIndex;
  readonly graph: GraphIndex | undefined;
  readonly bits: BitsIndex | undefined;
  readonly next: VectorIndex | undefined;
  add(id: number, vector: Float32Array): void;
  remove(id: number): boolean;
  /** Until the returned function is called, no graph is built. Called before many vectors are loaded. */
  beginLoading(): () => void;
  settled(): Promise<void>;
  close(): void;
}

type IndexStage =
  | { readonly exact: VectorIndex; readonly graph?: undefined; readonly bits?: undefined }
  | { readonly graph: GraphIndex; readonly exact?: undefined; readonly bits?: undefined }
  | { readonly bits: BitsIndex; readonly exact?: undefined; readonly graph?: undefined };

const indexOf = (kind: IndexStage): VectorIndex => kind.exact ?? kind.graph ?? kind.bits;

function betterKind({ exact, graph }: IndexStage, graphs: Graphs, options: GrowthOptions, loading: boolean) {
  const { threshold = THRESHOLD_VECTORS, mostInGraph = MOST_IN_GRAPH, expected = 0 } = options;
  const current = exact ?? graph;
  if (!current) return undefined;
  const most = graphs ? Math.max(threshold, mostInGraph) : threshold;
  if (current.size > (loading && expected > most ? Math.min(MEAN_OF, most) : most)) {
    return { bits: createBitsIndex({ ...options, mean: meanOf(current) }) };
  }
  if (loading || !graphs) return undefined;
  if (!graph) return current.size > threshold ? { graph: makeGraph(graphs, options) } : undefined;
  if (current.size < threshold / 2) return { exact: createExactIndex(options) };
  return graph.waste > MAX_WASTE ? { graph: makeGraph(graphs, options) } : undefined;
}

function createKinds(graphs: Graphs, options: GrowthOptions, kept: StoredIndex | undefined): Kinds {
  let kind: IndexStage = { exact: createExactIndex(options) };
  if (kept) kind = 'graph' in kept ? { graph: kept.graph } : { bits: kept.index };
  let next: IndexStage | undefined;
  let change: Promise<void> = Promise.resolve();
  let closed = false;
  let loading = 0;

  function consider(): void {
    if (next || closed) return;
    const from = kind.exact ?? kind.graph;
    const to = from && betterKind(kind, graphs, options, loading > 0);
    if (!from || !to) return;
    next = to;
    change = copyInto(indexOf(to), from, () => closed).then(
      (done) => {
        if (done) kind = to;
        next = undefined;
        consider();
      },
      () => {
        next = undefined;
        closed = true;
      },
    );
  }

  return {
    get current() {
      return indexOf(kind);
    },
    get graph() {
      return kind.graph;
    },
    get bits() {
      return kind.bits;
    },
    get next() {
      return next && indexOf(next);
    },
    add(id, vector) {
      indexOf(kind).add(id, vector);
      if (next) indexOf(next).add(id, vector);
      consider();
    },
    remove(id) {
      if (next) indexOf(next).remove(id);
      const had = indexOf(kind).remove(id);
      consider();
      return had;
    },
    beginLoading() {
      loading++;
      return () => {
        loading--;
        consider();
      };
    },
    async settled() {
      while (next) await change;
    },
    close() {
      closed = true;
      kind.bits?.close();
      next?.bits?.close();
    },
  };
}

function meanOf(index: VectorIndex): Float32Array {
  const sums = new Float64Array(index.dimensions);
  const every = Math.max(1, Math.floor(index.size / MEAN_OF));
  let [at, taken] = [0, 0];
  for (const id of index.ids()) {
    const vector = at++ % every === 0 ? index.vector(id) : undefined;
    if (!vector) continue;
    taken++;
    for (const [i, value] of vector.entries()) sums[i] = (sums[i] ?? 0) + value;
  }
  return Float32Array.from(sums, (sum) => sum / Math.max(taken, 1));
}

function makeGraph(Graph: NonNullable<Graphs>, { dimensions, model }: GrowthOptions): GraphIndex {
  const empty = new Graph('ip', dimensions);
  initEmptyGraph(empty);
  return createGraphIndex({ dimensions, model, graph: empty });
}

async function copyInto(target: VectorIndex, from: VectorIndex, closed: () => boolean): Promise<boolean> {
  let started = performance.now();
  for (const id of [...from.ids()]) {
    if (performance.now() - started > SLICE_MS) {
      await setImmediate();
      started = performance.now();
    }
    if (closed()) return false;
    const vector = target.has(id) ? undefined : from.vector(id);
    if (vector) target.add(id, vector);
  }
  return true;
}
