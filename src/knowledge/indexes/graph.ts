import type { HierarchicalNSW } from 'hnswlib-node';
import { type AllowedIds, checkVector, type Neighbour, type VectorIndex } from '../ranking/vector-index.ts';
import { createExactIndex, type Int8Vectors } from './exact.ts';
import { createNearestHeap } from './nearest-heap.ts';

export interface GraphOptions {
  readonly dimensions: number;
  readonly model: string;
  readonly graph: HierarchicalNSW;
  readonly labels?: readonly number[];
  readonly copies?: Int8Vectors;
}

export interface GraphIndex extends VectorIndex {
  readonly waste: number;
  labels(): readonly number[];
  copies(): Int8Vectors;
  still<T>(work: (graph: HierarchicalNSW) => Promise<T>): Promise<T>;
}

export const REMOVED_VECTOR_ID = -1;
/** Settings of the HNSW graph. With 100,000 vectors, recall@10 is 0.998, and a search takes 1.2 ms. */
export const GRAPH_SETTINGS = { links: 16, efConstruction: 200, ef: 200 } as const;
const FIRST_CAPACITY = 1024;
/** If a filter allows more vectors than this, searching the graph is faster than comparing each vector. */
const MAX_READ = 4000;
const MAX_CANDIDATES = 1000;
const PLACE_BYTES = 360;

export function initEmptyGraph(graph: HierarchicalNSW): void {
  graph.initIndex(FIRST_CAPACITY, GRAPH_SETTINGS.links, GRAPH_SETTINGS.efConstruction);
}

/** Creates an index on hnswlib's graph. Does not use its filters: an error in a filter ends the process. */
export function createGraphIndex(options: GraphOptions): GraphIndex {
  const { dimensions, model, graph } = options;
  const written = createWrittenGraph(options);
  const { labelOf } = written;
  let pending: Map<number, Float32Array | undefined> | undefined;

  function has(id: number): boolean {
    return pending?.has(id) ? pending.get(id) !== undefined : labelOf.has(id);
  }

  return {
    dimensions,
    model,
    get size() {
      let size = labelOf.size;
      for (const [id, vector] of pending ?? [])
        size += Number(vector !== undefined) - Number(labelOf.has(id));
      return size;
    },
    get bytes() {
      return written.bytes();
    },
    get waste() {
      return written.labels.length === 0 ? 0 : 1 - labelOf.size / written.labels.length;
    },
    labels: () => written.labels,
    copies: written.copies,
    has,
    *ids() {
      for (const id of labelOf.keys()) if (!pending?.has(id)) yield id;
      for (const [id, vector] of pending ?? []) if (vector) yield id;
    },
    vector: (id) => (pending?.has(id) ? pending.get(id)?.slice() : written.read(id)),
    add(id, vector) {
      checkVector(vector, dimensions);
      if (pending) pending.set(id, vector.slice());
      else written.put(id, vector);
    },
    remove(id) {
      if (!pending) return written.drop(id);
      const had = has(id);
      pending.set(id, undefined);
      return had;
    },
    findNearest(vector, k, allowed) {
      const query = checkVector(vector, dimensions);
      const set = pending || allowed ? visible(labelOf.keys(), allowed, pending) : undefined;
      const nearest = createNearestHeap(k);
      for (const { id, similarity } of written.find(query, k, set)) nearest.offer(id, similarity);
      for (const [id, fresh] of pending ?? []) {
        if (fresh && allows(allowed, id)) nearest.offer(id, dotOf(fresh, query));
      }
      return nearest.sorted();
    },
    async still(work) {
      const changes = new Map<number, Float32Array | undefined>();
      pending = changes;
      try {
        return await work(graph);
      } finally {
        pending = undefined;
        for (const [id, vector] of changes) {
          if (vector) written.put(id, vector);
          else written.drop(id);
        }
      }
    },
  };
}

function createWrittenGraph({ dimensions, model, graph, ...options }: GraphOptions) {
  const copies = createExactIndex({ dimensions, model, precision: 'int8' });
  const labels = [...(options.labels ?? [])];
  const labelOf = new Map<number, number>();
  const point = (label: number) => Float32Array.from(graph.getPoint(label));
  for (const [label, id] of labels.entries()) {
    if (id === REMOVED_VECTOR_ID) continue;
    labelOf.set(id, label);
  }
  if (options.copies) copies.load(options.copies);
  // Reading a vector from the graph takes 0.1 ms, so only vectors without an int8 copy are read.
  for (const [id, label] of labelOf) if (!copies.has(id)) copies.add(id, point(label));
  for (const id of [...copies.ids()]) if (!labelOf.has(id)) copies.remove(id);

  function drop(id: number): boolean {
    const label = labelOf.get(id);
    if (label === undefined) return false;
    graph.markDelete(label);
    labels[label] = REMOVED_VECTOR_ID;
    labelOf.delete(id);
    return copies.remove(id);
  }

  function byGraph(query: Float32Array, candidates: number): Neighbour[] {
    const wanted = Math.min(candidates, labelOf.size);
    if (wanted === 0) return [];
    graph.setEf(Math.max(GRAPH_SETTINGS.ef, wanted));
    const { neighbors, distances } = graph.searchKnn(Array.from(query), wanted);
    return neighbors.map((label, at) => ({
      id: labels[label] ?? REMOVED_VECTOR_ID,
      similarity: 1 - (distances[at] ?? 1),
    }));
  }

  function byReading(query: Float32Array, k: number, allowed: ReadonlySet<number>): Neighbour[] {
    return copies
      .findNearest(query, 4 * k + 20, allowed)
      .map(({ id }) => ({ id, similarity: dotOf(point(labelOf.get(id) ?? 0), query) }));
  }

  return {
    labels,
    copies: copies.copies,
    labelOf: labelOf as ReadonlyMap<number, number>,
    bytes: () => copies.bytes + graph.getMaxElements() * (dimensions * 4 + PLACE_BYTES),
    read(id: number): Float32Array | undefined {
      const label = labelOf.get(id);
      return label === undefined ? undefined : point(label);
    },
    put(id: number, vector: Float32Array): void {
      drop(id);
      const capacity = graph.getMaxElements();
      if (labels.length >= capacity) graph.resizeIndex(Math.ceil(capacity * 1.5));
      const label = labels.push(id) - 1;
      graph.addPoint(Array.from(vector), label);
      labelOf.set(id, label);
      copies.add(id, vector);
    },
    drop,
    find(query: Float32Array, k: number, allowed: ReadonlySet<number> | undefined): Neighbour[] {
      if (!allowed) return byGraph(query, k);
      const candidates = Math.ceil((1.5 * k * labelOf.size) / Math.max(1, allowed.size)) + 10;
      if (allowed.size > MAX_READ && candidates <= MAX_CANDIDATES) {
        const found = byGraph(query, candidates).filter(({ id }) => allowed.has(id));
        if (found.length >= k) return found;
      }
      return byReading(query, k, allowed);
    },
  };
}

function dotOf(vector: Float32Array, query: Float32Array): number {
  return vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0);
}

function allows(allowed: AllowedIds | undefined, id: number): boolean {
  if (allowed === undefined) return true;
  return allowed instanceof Function ? allowed(id) : allowed.has(id);
}

function visible(
  ids: Iterable<number>,
  allowed: AllowedIds | undefined,
  changed: ReadonlyMap<number, unknown> | undefined,
): ReadonlySet<number> {
  const set = new Set<number>();
  for (const id of ids) if (allows(allowed, id) && !changed?.has(id)) set.add(id);
  return set;
}
