import { setImmediate } from 'node:timers/promises';
import type { HierarchicalNSW } from 'hnswlib-node';
import { createKeyedLock } from '../../lib/keyed-lock.ts';
import type { GrowingIndex, GrowingIndexOptions, VectorIndex } from '../vector-index.ts';
import { createExactIndex } from './exact.ts';
import { beginGraph, createGraphIndex, type GraphIndex } from './graph.ts';
import { readSide, saveGraph } from './graph-file.ts';

export interface GrowthOptions extends GrowingIndexOptions {
  /**
   * Vectors above which the graph takes over. 30,000 by default: up to there reading every vector stays
   * under 10 ms, adds and removes at no cost, and filters for free.
   */
  readonly threshold?: number;
}

type Graphs = (new (space: 'ip', dimensions: number) => HierarchicalNSW) | undefined;

const THRESHOLD_VECTORS = 30_000;
/** Part of removed vectors above which a graph is rebuilt. */
const MAX_WASTE = 0.3;
/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 8;

/** hnswlib-node, where it is installed and loads on this machine. */
async function loadGraphs(): Promise<Graphs> {
  try {
    return (await import('hnswlib-node')).default.HierarchicalNSW;
  } catch {
    return undefined;
  }
}

/**
 * Exact while that is the faster, a graph above; the change is made in the background while the old kind
 * answers, and back to exact when it has shrunk to half the threshold. Without hnswlib-node it stays exact.
 */
export async function openGrowingIndex(options: GrowthOptions, path?: string): Promise<GrowingIndex> {
  const graphs = await loadGraphs();
  const kept = graphs && path !== undefined ? await readGraph(graphs, options, path) : undefined;
  return createGrowingIndex(graphs, options, kept);
}

async function readGraph(
  graphs: NonNullable<Graphs>,
  options: GrowthOptions,
  path: string,
): Promise<GraphIndex | undefined> {
  const side = await readSide(path, options);
  if (!side) return undefined;
  const graph = new graphs('ip', options.dimensions);
  await graph.readIndex(`${path}.graph`);
  return graph.getCurrentCount() === side.labels.length
    ? createGraphIndex({ ...options, ...side, graph })
    : undefined;
}

function createGrowingIndex(graphs: Graphs, options: GrowthOptions, kept?: GraphIndex): GrowingIndex {
  const { dimensions, model } = options;
  const kinds = createKinds(graphs, options, kept);
  const saving = createKeyedLock();

  async function save(path: string): Promise<boolean> {
    await kinds.settled();
    const { graph } = kinds;
    if (!graph) return false;
    const { labels, copies, still } = graph;
    await still((inner) =>
      saveGraph(path, { dimensions, model, labels: labels(), copies: copies() }, (to) =>
        inner.writeIndex(to),
      ),
    );
    return true;
  }

  return {
    dimensions,
    model,
    get kind() {
      return kinds.graph ? 'graph' : 'exact';
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
    findNearest: (vector, k, allowed) => kinds.current.findNearest(vector, k, allowed),
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
    save: (path) => saving.run('save', () => save(path)),
    close: kinds.close,
  };
}

/** The kind of index in use, and the one that is being built to replace it. */
interface Kinds {
  readonly current: VectorIndex;
  /** What is in use where that is a graph. */
  readonly graph: GraphIndex | undefined;
  /** What is being built in place of `current`; changes go to both. */
  readonly next: VectorIndex | undefined;
  add(id: number, vector: Float32Array): void;
  remove(id: number): boolean;
  /** Until what it gives is called, no change of kind begins: it would be made of a part of what is coming. */
  beginLoading(): () => void;
  settled(): Promise<void>;
  close(): void;
}

function createKinds(graphs: Graphs, options: GrowthOptions, kept: GraphIndex | undefined): Kinds {
  const { threshold = THRESHOLD_VECTORS } = options;
  let graph = kept;
  let current: VectorIndex = kept ?? createExactIndex(options);
  let next: VectorIndex | undefined;
  let change: Promise<void> = Promise.resolve();
  let closed = false;
  let loading = 0;

  function consider(): void {
    if (next || closed || !graphs || loading > 0) return;
    if (!graph && current.size > threshold) begin(makeGraph(graphs, options));
    else if (graph && current.size < threshold / 2) begin(undefined);
    else if (graph && graph.waste > MAX_WASTE) begin(makeGraph(graphs, options));
  }

  function begin(to: GraphIndex | undefined): void {
    const target = to ?? createExactIndex(options);
    next = target;
    change = copyInto(target, current, () => closed).then(
      (done) => {
        if (done) [current, graph] = [target, to];
        next = undefined;
        consider();
      },
      () => {
        // Out of memory for a second index: the old one stays in use.
        next = undefined;
        closed = true;
      },
    );
  }

  return {
    get current() {
      return current;
    },
    get graph() {
      return graph;
    },
    get next() {
      return next;
    },
    add(id, vector) {
      current.add(id, vector);
      next?.add(id, vector);
      consider();
    },
    remove(id) {
      next?.remove(id);
      const had = current.remove(id);
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
    },
  };
}

function makeGraph(Graph: NonNullable<Graphs>, { dimensions, model }: GrowthOptions): GraphIndex {
  const empty = new Graph('ip', dimensions);
  beginGraph(empty);
  return createGraphIndex({ dimensions, model, graph: empty });
}

/** Copies in slices between which the event loop runs; false when it was closed before the end. */
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
