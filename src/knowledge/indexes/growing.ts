import { setImmediate } from 'node:timers/promises';
import type { HierarchicalNSW } from 'hnswlib-node';
import type { GrowingIndex, GrowingIndexOptions, VectorIndex } from '../vector-index.ts';
import { createExactIndex } from './exact.ts';
import { beginGraph, createGraphIndex, type GraphIndex } from './graph.ts';
import { readLabels, saveGraph } from './graph-file.ts';

export interface GrowthOptions extends GrowingIndexOptions {
  /**
   * Vectors above which the graph takes over. 30,000 by default: up to there reading every vector stays
   * under 10 ms, adds and removes at no cost, and filters for free.
   */
  readonly threshold?: number;
}

type Graphs = (new (space: 'ip', dimensions: number) => HierarchicalNSW) | undefined;

const THRESHOLD = 30_000;
/** Part of removed vectors above which a graph is made anew. */
const MOST_WASTE = 0.3;
/** Milliseconds of work between two turns of the event loop. */
const SLICE = 8;

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
  const labels = await readLabels(path, options);
  if (!labels) return undefined;
  const graph = new graphs('ip', options.dimensions);
  await graph.readIndex(`${path}.graph`);
  return graph.getCurrentCount() === labels.length
    ? createGraphIndex({ ...options, graph, labels })
    : undefined;
}

function createGrowingIndex(graphs: Graphs, options: GrowthOptions, kept?: GraphIndex): GrowingIndex {
  const { dimensions, model, threshold = THRESHOLD } = options;
  let graph = kept;
  let current: VectorIndex = kept ?? createExactIndex(options);
  /** What is being made in the place of `current`; changes go to both. */
  let next: VectorIndex | undefined;
  let change: Promise<void> = Promise.resolve();
  let saved: Promise<unknown> = Promise.resolve();
  let closed = false;
  /** Calls of addMany under way: what is being loaded need not wait for a graph, which is made afterwards. */
  let loading = 0;

  function consider(): void {
    if (next || closed || !graphs || loading > 0) return;
    if (!graph && current.size > threshold) begin(makeGraph(graphs));
    else if (graph && current.size < threshold / 2) begin(undefined);
    else if (graph && graph.waste > MOST_WASTE) begin(makeGraph(graphs));
  }

  function makeGraph(Graph: NonNullable<Graphs>): GraphIndex {
    const empty = new Graph('ip', dimensions);
    beginGraph(empty);
    return createGraphIndex({ dimensions, model, graph: empty });
  }

  function begin(to: GraphIndex | undefined): void {
    const target = to ?? createExactIndex(options);
    next = target;
    change = fill(target).then(
      (done) => {
        if (done) [current, graph] = [target, to];
        next = undefined;
        consider();
      },
      () => {
        // Out of memory for a second index: the old one goes on.
        next = undefined;
        closed = true;
      },
    );
  }

  async function fill(target: VectorIndex): Promise<boolean> {
    let started = performance.now();
    for (const id of [...current.ids()]) {
      if (performance.now() - started > SLICE) {
        await setImmediate();
        started = performance.now();
      }
      if (closed) return false;
      const vector = target.has(id) ? undefined : current.vector(id);
      if (vector) target.add(id, vector);
    }
    return true;
  }

  function add(id: number, vector: Float32Array): void {
    current.add(id, vector);
    next?.add(id, vector);
    consider();
  }

  async function settled(): Promise<void> {
    while (next) await change;
  }

  async function save(path: string): Promise<boolean> {
    await settled();
    if (!graph) return false;
    const { labels, still } = graph;
    await still((inner) =>
      saveGraph(path, { dimensions, model, labels: labels() }, (to) => inner.writeIndex(to)),
    );
    return true;
  }

  return {
    dimensions,
    model,
    get kind() {
      return graph ? 'graph' : 'exact';
    },
    get size() {
      return current.size;
    },
    get bytes() {
      return current.bytes + (next?.bytes ?? 0);
    },
    has: (id) => current.has(id),
    ids: () => current.ids(),
    vector: (id) => current.vector(id),
    add,
    remove(id) {
      next?.remove(id);
      const had = current.remove(id);
      consider();
      return had;
    },
    findNearest: (vector, k, allowed) => current.findNearest(vector, k, allowed),
    async addMany(vectors, signal) {
      let started = performance.now();
      loading++;
      try {
        for await (const [id, vector] of vectors) {
          signal.throwIfAborted();
          add(id, vector);
          if (performance.now() - started <= SLICE) continue;
          await setImmediate();
          started = performance.now();
        }
      } finally {
        loading--;
        consider();
      }
    },
    settled,
    save(path) {
      const mine = saved.then(() => save(path));
      saved = mine.catch(() => {});
      return mine;
    },
    close() {
      closed = true;
    },
  };
}
