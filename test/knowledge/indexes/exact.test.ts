import { expect, test } from 'vitest';
import { createExactIndex } from '../../../src/knowledge/indexes/exact.ts';
import { describeVectorIndex } from '../../contracts/vector-index.ts';
import { clustered, nearestOf, seeded } from '../../helpers/vectors.ts';

describeVectorIndex('exact', async () => createExactIndex({ dimensions: 16, model: 'm' }), 1e-5);
describeVectorIndex(
  'exact, int8',
  async () => createExactIndex({ dimensions: 16, model: 'm', precision: 'int8' }),
  0.02,
);

test('a search finds vectors across chunks of memory, and removals free the chunks', () => {
  const vectors = clustered(2500, 8, 30, seeded(3));
  const index = createExactIndex({ dimensions: 8, model: 'm' });
  for (const [id, vector] of vectors.entries()) index.add(id, vector);
  const full = index.bytes;
  const truth = new Map(vectors.entries());
  for (const query of vectors.slice(0, 20)) {
    expect(index.findNearest(query, 10).map(({ id }) => id)).toEqual(nearestOf(truth, query, 10));
  }
  for (let id = 0; id < 2000; id++) {
    index.remove(id);
    truth.delete(id);
  }
  expect(index.bytes).toBeLessThan(full / 2);
  for (const query of vectors.slice(0, 20)) {
    expect(index.findNearest(query, 10).map(({ id }) => id)).toEqual(nearestOf(truth, query, 10));
  }
});

test('a hundred vectors of 384 numbers take less than 250 KB', () => {
  const index = createExactIndex({ dimensions: 384, model: 'm' });
  for (let id = 0; id < 100; id++) index.add(id, new Float32Array(384).fill(0.05));
  expect(index.bytes).toBeLessThan(250_000);
});
