import hnswlib from 'hnswlib-node';
import { createExactIndex } from '../src/knowledge/indexes/exact.ts';
import { createGraphIndex, GRAPH_SETTINGS, initEmptyGraph } from '../src/knowledge/indexes/graph.ts';
import type { VectorIndex } from '../src/knowledge/ranking/vector-index.ts';
import { clustered, seeded } from '../test/helpers/vectors.ts';
import { median, printTable, whole } from './figures.ts';

/**
 * Vector indexes: inserts, searches for the ten nearest, recall against reading everything, memory; 384
 * dimensions around 200 centres. Beside them hnswlib as it is, with the same settings.
 */

const DIMENSIONS = 384;
const QUERIES = 200;
const SIZES = [1000, 10_000, 30_000];

interface Subject {
  readonly name: string;
  add(id: number, vector: Float32Array): void;
  search(vector: Float32Array): readonly number[];
  bytes(): number;
}

/** `npm run bench -- vectors [sizes]`. */
export async function run(given: readonly string[]): Promise<void> {
  for (const size of given.length > 0 ? given.map(Number) : SIZES) {
    process.stdout.write(
      `\n## vectors: ${whole(size)} of ${DIMENSIONS} numbers, ${QUERIES} searches; graph with M ${GRAPH_SETTINGS.links}, ` +
        `efConstruction ${GRAPH_SETTINGS.efConstruction}, ef ${GRAPH_SETTINGS.ef}\n\n`,
    );
    const all = clustered(size + QUERIES, DIMENSIONS, 200, seeded(1));
    const [vectors, queries] = [all.slice(0, size), all.slice(size)];
    const truth = queries.map(() => new Set<number>());
    const rows = [exact('float32'), exact('int8'), graph(), bare(size)].map((subject, at) => {
      const began = performance.now();
      for (const [id, vector] of vectors.entries()) subject.add(id, vector);
      const seconds = (performance.now() - began) / 1000;
      const times: number[] = [];
      let hits = 0;
      for (const [i, query] of queries.entries()) {
        const start = performance.now();
        const ids = subject.search(query);
        times.push(performance.now() - start);
        const best = truth[i] ?? new Set<number>();
        if (at === 0) for (const id of ids) best.add(id);
        hits += ids.filter((id) => best.has(id)).length;
      }
      const sorted = times.toSorted((a, b) => a - b);
      return [
        subject.name,
        `${whole(size / seconds)}/s`,
        `${median(times).toFixed(2)} ms`,
        `${(sorted[Math.floor(QUERIES * 0.99)] ?? 0).toFixed(2)} ms`,
        (hits / (QUERIES * 10)).toFixed(4),
        whole(subject.bytes() / size),
      ];
    });
    printTable(['', 'inserts', 'search p50', 'p99', 'recall@10', 'bytes a vector'], rows);
  }
}

const of = (name: string, index: VectorIndex): Subject => ({
  name,
  add: (id, vector) => index.add(id, vector),
  search: (vector) => index.findNearest(vector, 10).map(({ id }) => id),
  bytes: () => index.bytes,
});

function exact(precision: 'float32' | 'int8'): Subject {
  return of(`exact, ${precision}`, createExactIndex({ dimensions: DIMENSIONS, model: 'm', precision }));
}

function graph(): Subject {
  const empty = new hnswlib.HierarchicalNSW('ip', DIMENSIONS);
  initEmptyGraph(empty);
  return of('graph', createGraphIndex({ dimensions: DIMENSIONS, model: 'm', graph: empty }));
}

function bare(size: number): Subject {
  const index = new hnswlib.HierarchicalNSW('ip', DIMENSIONS);
  index.initIndex(size, GRAPH_SETTINGS.links, GRAPH_SETTINGS.efConstruction);
  index.setEf(GRAPH_SETTINGS.ef);
  return {
    name: 'hnswlib as it is',
    add: (id, vector) => index.addPoint(Array.from(vector), id),
    search: (vector) => index.searchKnn(Array.from(vector), 10).neighbors,
    bytes: () => Number.NaN,
  };
}
