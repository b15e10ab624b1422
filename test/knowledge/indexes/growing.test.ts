import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import hnswlib from 'hnswlib-node';
import { afterAll, describe, expect, test } from 'vitest';
import { listDamagedBits } from '../../../src/knowledge/indexes/bits-file.ts';
import { createGraphIndex, initEmptyGraph } from '../../../src/knowledge/indexes/graph.ts';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import type { GrowingIndex } from '../../../src/knowledge/ranking/vector-index.ts';
import { describeVectorIndex } from '../../contracts/vector-index.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { clustered, dot, nearestOf, seeded } from '../../helpers/vectors.ts';

const graph = (dimensions: number) => {
  const empty = new hnswlib.HierarchicalNSW('ip', dimensions);
  initEmptyGraph(empty);
  return createGraphIndex({ dimensions, model: 'm', graph: empty });
};
describeVectorIndex('graph', async () => graph(16), 1e-5);
describeVectorIndex('growing', () => openGrowingIndex({ dimensions: 16, model: 'm', threshold: 30 }), 1e-5);

const folder = temporaryFolder();
afterAll(() => folder.remove());
const signal = new AbortController().signal;
const entries = (vectors: readonly Float32Array[]) => vectors.entries();

test('the graph finds 0.99 of the ten nearest in clustered vectors, also after removals', () => {
  const vectors = clustered(2000, 64, 40, seeded(5));
  const index = graph(64);
  for (const [id, vector] of vectors.entries()) index.add(id, vector);
  const truth = new Map(vectors.entries());
  const recall = () => {
    const queries = vectors.slice(0, 60);
    const hits = queries.map((query) => {
      const best = new Set(nearestOf(truth, query, 10));
      return index.findNearest(query, 10).filter(({ id }) => best.has(id)).length;
    });
    return hits.reduce((sum, hit) => sum + hit, 0) / (queries.length * 10);
  };
  expect(recall()).toBeGreaterThanOrEqual(0.99);
  for (let id = 0; id < vectors.length; id += 4) {
    index.remove(id);
    truth.delete(id);
  }
  expect(index.waste).toBeCloseTo(0.25);
  expect(recall()).toBeGreaterThanOrEqual(0.99);
  // Filters that let much, some and little through.
  for (const every of [2, 10, 500]) {
    const allowed = (id: number) => id % every === 1;
    const some = new Map([...truth].filter(([id]) => allowed(id)));
    const query = vectors[0] ?? new Float32Array(64);
    const found = index.findNearest(query, 10, allowed).map(({ id }) => id);
    const best = new Set(nearestOf(some, query, 10));
    expect(found).toHaveLength(Math.min(10, some.size));
    expect(found.filter((id) => best.has(id)).length / found.length).toBeGreaterThanOrEqual(0.9);
  }
});

describe('an index that grows', () => {
  test('changes its kind in the background and answers meanwhile', async () => {
    const vectors = clustered(1500, 32, 20, seeded(9));
    const index = await openGrowingIndex({ dimensions: 32, model: 'm', threshold: 500 });
    expect(index.kind).toBe('exact');
    await index.addMany(entries(vectors), signal);
    index.remove(3);
    index.add(4000, vectors[3] ?? new Float32Array(32));
    expect(index.findNearest(vectors[3] ?? new Float32Array(32), 1)[0]?.id).toBe(4000);
    await index.settled();
    expect(index.kind).toBe('graph');
    expect(index.size).toBe(1500);
    expect(index.has(3)).toBe(false);
    for (let id = 0; id < 1300; id++) index.remove(id);
    await index.settled();
    expect(index.kind).toBe('exact');
    expect(index.size).toBe(201);
    expect(index.findNearest(vectors[3] ?? new Float32Array(32), 1)[0]?.id).toBe(4000);
  });

  test('is rebuilt after many removals', async () => {
    const vectors = clustered(1200, 16, 20, seeded(2));
    const index = await openGrowingIndex({ dimensions: 16, model: 'm', threshold: 100 });
    await index.addMany(entries(vectors), signal);
    await index.settled();
    const before = index.bytes;
    for (let id = 0; id < 500; id++) index.remove(id);
    await index.settled();
    expect([index.kind, index.size]).toEqual(['graph', 700]);
    expect(index.bytes).toBeLessThan(before);
  });

  test('lets the event loop run during many additions, and stops on a signal', async () => {
    const vectors = clustered(100, 64, 20, seeded(4));
    const index = await openGrowingIndex({ dimensions: 64, model: 'm', threshold: 10_000_000 });
    function* endless() {
      for (let id = 0; ; id++) yield [id, vectors[id % 100] ?? new Float32Array(64)] as const;
    }
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const stop = new AbortController();
    const adding = index.addMany(endless(), stop.signal);
    while (turns < 5) await new Promise((resolve) => setTimeout(resolve, 1));
    stop.abort(new Error('enough'));
    await expect(adding).rejects.toThrow('enough');
    clearInterval(timer);
    expect(index.size).toBeGreaterThan(0);
  });

  test('answers while a graph is built, which begins only after all additions', async () => {
    const vectors = clustered(600, 16, 20, seeded(4));
    const index = await openGrowingIndex({ dimensions: 16, model: 'm', threshold: 100 });
    async function* read() {
      for (const [id, vector] of vectors.entries()) {
        if (id % 100 === 0) await index.settled();
        expect(index.kind).toBe('exact');
        yield [id, vector] as const;
      }
    }
    await index.addMany(read(), signal);
    expect([index.kind, index.size]).toEqual(['exact', 600]);
    expect(index.findNearest(vectors[7] ?? new Float32Array(16), 1)[0]?.id).toBe(7);
    await index.settled();
    expect([index.kind, index.size]).toEqual(['graph', 600]);
  });
});

describe('bits', () => {
  const options = { dimensions: 96, model: 'm', threshold: 100, mostInGraph: 300 };
  const vectors = clustered(1500, 96, 40, seeded(6));
  const first = vectors[0] ?? new Float32Array(96);
  const followed = { below: 1501, removals: 3, restores: 1 };
  const near = (index: { findNearest: GrowingIndex['findNearest'] }, id: number) =>
    index.findNearest(vectors[id] ?? first, 1)[0]?.id;
  const keep = async (name: string) => {
    const path = join(folder.path, name);
    const index = await openGrowingIndex(options);
    await index.addMany(entries(vectors), signal);
    await index.settled();
    index.remove(7);
    expect(await index.save(path, followed)).toBe(true);
    return { path, index };
  };

  test('replace the exact index and the graph above their size, also during additions', async () => {
    const index = await openGrowingIndex(options);
    const kinds = new Set<string>();
    async function* read() {
      for (const [id, vector] of vectors.entries()) {
        if (id % 100 === 0) await index.settled();
        kinds.add(index.kind);
        yield [id, vector] as const;
      }
    }
    await index.addMany(read(), signal);
    expect([...kinds, index.size]).toEqual(['exact', 'bits', 1500]);
    const slow = await openGrowingIndex(options);
    for (const [id, vector] of vectors.slice(0, 200).entries()) slow.add(id, vector);
    await slow.settled();
    expect(slow.kind).toBe('graph');
    for (const [id, vector] of vectors.slice(0, 400).entries()) slow.add(id, vector);
    slow.remove(9);
    await slow.settled();
    expect([slow.kind, slow.size, slow.has(9), near(slow, 399)]).toEqual(['bits', 399, false, 399]);
  });

  test('are loaded as they were saved, with all earlier changes, and accept changes', async () => {
    const { path, index } = await keep('bits');
    const back = await openGrowingIndex(options, path);
    expect([back.kind, back.size, back.has(7), back.followed]).toEqual(['bits', 1499, false, followed]);
    expect(back.findNearest(first, 20)).toEqual(index.findNearest(first, 20));
    const except = [{ first: 0, passages: 100 }];
    expect(back.findNearest(first, 20, undefined, except).every(({ id }) => id >= 100)).toBe(true);
    back.add(7, vectors[7] ?? first);
    back.remove(0);
    expect(near(back, 7)).toBe(7);
    expect(await back.save(path, { ...followed, removals: 4 })).toBe(true);
    const again = await openGrowingIndex(options, path);
    expect([again.size, again.followed?.removals, near(again, 7)]).toEqual([1499, 4, 7]);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('bits'))).toEqual(['bits.bits']);
  });

  test('are saved in place of a graph, and a graph in place of bits', async () => {
    const path = join(folder.path, 'either');
    const files = () =>
      readdirSync(folder.path)
        .filter((name) => name.startsWith('either'))
        .toSorted();
    const small = { ...options, mostInGraph: 5000 };
    const graph = await openGrowingIndex(small);
    await graph.addMany(entries(vectors), signal);
    await graph.save(path);
    expect(files()).toEqual(['either.graph', 'either.labels']);
    const larger = await openGrowingIndex(options, path);
    larger.add(3000, first);
    await larger.settled();
    expect([larger.kind, larger.size, near(larger, 1234)]).toEqual(['bits', 1501, 1234]);
    await larger.save(path);
    expect(files()).toEqual(['either.bits']);
    await graph.save(path);
    expect(files()).toEqual(['either.graph', 'either.labels']);
  });

  test('are saved as they were at the call, whatever changes meanwhile', async () => {
    const { path, index } = await keep('still');
    const saving = index.save(path, followed);
    await Promise.resolve();
    for (let id = 0; id < 1400; id++) index.remove(id);
    await saving;
    expect([1499, 100]).toContain((await openGrowingIndex(options, path)).size);
  });

  const change = (offset: number) => (path: string) => {
    const bytes = readFileSync(path);
    bytes[offset] = (bytes[offset] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
  test.each<[string, (path: string) => void]>([
    ['cut off', (path) => truncateSync(path, 70_000)],
    ['cut off in its header', (path) => truncateSync(path, 40)],
    ['empty', (path) => writeFileSync(path, '')],
    ['something else', (path) => writeFileSync(path, 'hello'.repeat(5000))],
    ['a changed mean', change(4100)],
    ['a changed id', change(4096 + 96 * 4 + 3)],
    ['a changed bit', change(4096 + 96 * 4 + 20_000)],
    [
      'a false count and checksum',
      (path) => {
        const bytes = readFileSync(path);
        const header = JSON.parse(bytes.subarray(0, 4096).toString());
        const claimed = JSON.stringify({ ...header, count: 1e15, perPage: 1 }).padEnd(4095);
        writeFileSync(path, Buffer.concat([Buffer.from(`${claimed}\n`), bytes.subarray(4096)]));
      },
    ],
  ])('%s counts as a missing index, and is found by a check', async (name, harm) => {
    const { path } = await keep(`harmed-${name.replaceAll(' ', '-')}`);
    const damaged = async () => (await listDamagedBits(folder.path)).filter((one) => one === path);
    expect(await damaged()).toEqual([]);
    harm(`${path}.bits`);
    expect((await openGrowingIndex(options, path)).size).toBe(0);
    expect(await damaged()).toEqual([path]);
  });

  test('of another model or other dimensions count as a missing index', async () => {
    const { path } = await keep('another');
    expect((await openGrowingIndex({ ...options, model: 'n' }, path)).size).toBe(0);
    expect((await openGrowingIndex({ ...options, dimensions: 48 }, path)).size).toBe(0);
  });
});

describe('a saved graph', () => {
  const options = { dimensions: 24, model: 'm', threshold: 50 };
  const vectors = clustered(400, 24, 10, seeded(6));
  const first = vectors[0] ?? new Float32Array(24);
  const keep = async (name: string) => {
    const path = join(folder.path, name);
    const index = await openGrowingIndex(options);
    await index.addMany(entries(vectors), signal);
    index.remove(7);
    expect(await index.save(path)).toBe(true);
    return { path, index };
  };

  test('is loaded as it was saved, and accepts changes', async () => {
    const { path, index } = await keep('whole');
    const back = await openGrowingIndex(options, path);
    expect([back.kind, back.size, back.has(7)]).toEqual(['graph', 399, false]);
    expect(back.findNearest(first, 10)).toEqual(index.findNearest(first, 10));
    back.add(7, first);
    expect(back.findNearest(first, 2).map(({ id }) => id)).toEqual([0, 7]);
    expect(await back.save(path)).toBe(true);
    expect((await openGrowingIndex(options, path)).size).toBe(400);
    expect(
      readdirSync(folder.path)
        .filter((name) => name.startsWith('whole'))
        .toSorted(),
    ).toEqual(['whole.graph', 'whole.labels']);
  });

  test('accepts changes during a save', async () => {
    const { path, index } = await keep('busy');
    const saving = [index.save(path), index.save(path)];
    // The writing itself begins some turns later.
    for (let turn = 0; turn < 200; turn++) {
      if (turn === 3) index.add(1000, first);
      if (turn === 4) expect(index.remove(0)).toBe(true);
      if (turn > 4) {
        expect(index.findNearest(first, 1)[0]?.id).toBe(1000);
        expect([index.size, index.has(0)]).toEqual([399, false]);
        expect(index.findNearest(first, 400, (id) => id < 5).map(({ id }) => id)).not.toContain(0);
      }
      await new Promise(setImmediate);
    }
    expect(await Promise.all(saving)).toEqual([true, true]);
    expect([index.findNearest(first, 1)[0]?.id, index.size, index.remove(0)]).toEqual([1000, 399, false]);
    expect(dot(index.vector(1000) ?? first, first)).toBeCloseTo(1);
  });

  test.each<[string, (path: string) => void]>([
    ['cut off', (path) => truncateSync(`${path}.graph`, 1000)],
    [
      'a changed byte',
      (path) => {
        const bytes = readFileSync(`${path}.graph`);
        bytes[5000] = (bytes[5000] ?? 0) ^ 1;
        writeFileSync(`${path}.graph`, bytes);
      },
    ],
    ['labels cut off', (path) => truncateSync(`${path}.labels`, 600)],
    ['labels of something else', (path) => writeFileSync(`${path}.labels`, 'hello\n')],
    ['no labels', (path) => writeFileSync(`${path}.labels`, '')],
  ])('%s counts as a missing graph', async (name, harm) => {
    const { path } = await keep(name.replaceAll(' ', '-'));
    harm(path);
    expect((await openGrowingIndex(options, path)).size).toBe(0);
  });

  test('of another model or other dimensions counts as a missing graph', async () => {
    const { path } = await keep('other');
    expect((await openGrowingIndex({ ...options, model: 'n' }, path)).size).toBe(0);
    expect((await openGrowingIndex({ ...options, dimensions: 48 }, path)).size).toBe(0);
    expect((await openGrowingIndex(options, join(folder.path, 'absent'))).size).toBe(0);
  });

  test('a small index is not saved', async () => {
    const index = await openGrowingIndex(options);
    index.add(1, first);
    expect(await index.save(join(folder.path, 'small'))).toBe(false);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('small'))).toEqual([]);
  });
});

test('bits replace the graph when the library is missing', async () => {
  const hide = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name === 'hnswlib-node') throw new Error('not installed');
      return next(name, context);
    } });`;
  const module = new URL('../../../src/knowledge/indexes/growing.ts', import.meta.url).href;
  const program = join(folder.path, 'hidden.mjs');
  writeFileSync(
    program,
    `const { openGrowingIndex } = await import(${JSON.stringify(module)});
    const index = await openGrowingIndex({ dimensions: 2, model: 'm', threshold: 3 }, 'nowhere');
    for (let id = 0; id < 10; id++) index.add(id, new Float32Array([1, id]));
    await index.settled();
    process.stdout.write(JSON.stringify([index.kind, index.findNearest(new Float32Array([0, 1]), 1)[0].id]));`,
  );
  const flag = `data:text/javascript,${encodeURIComponent(hide)}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', flag, program]);
  expect(JSON.parse(stdout)).toEqual(['bits', 9]);
});
