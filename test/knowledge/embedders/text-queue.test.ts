import { expect, test } from 'vitest';
import { createTextQueue, type QueuedText } from '../../../src/knowledge/embedders/text-queue.ts';
import { estimateTokens } from '../../../src/knowledge/embedders/tokens.ts';

const CALL = {};
const text = (words: string, tokens: number, kind: QueuedText['kind'] = 'passage'): QueuedText => ({
  text: words,
  tokens,
  kind,
  call: CALL,
  failures: 0,
  done: () => {},
  fail: () => {},
});
const passages = (count: number, tokens: number) => Array.from({ length: count }, () => text('p', tokens));

test('batches are limited in texts and in tokens including padding', () => {
  const queue = createTextQueue();
  queue.push([...passages(100, 5), ...passages(10, 100), ...passages(3, 256)]);
  const batches: QueuedText[][] = [];
  while (queue.size > 0) batches.push(queue.take());
  expect(batches.flat()).toHaveLength(113);
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(32);
    expect(batch.length * Math.max(...batch.map(({ tokens }) => tokens))).toBeLessThanOrEqual(512);
  }
  expect(batches[0]).toHaveLength(32);
  expect(queue.take()).toEqual([]);
});

test('questions are sent first, and passages still get their turn', () => {
  const queue = createTextQueue();
  queue.push(passages(500, 200));
  const kinds: string[] = [];
  for (let i = 0; i < 40; i++) {
    queue.push([text('q', 10, 'query')]);
    kinds.push(queue.take()[0]?.kind ?? '');
  }
  expect(kinds.slice(0, 8)).toEqual(Array(8).fill('query'));
  expect(kinds.filter((kind) => kind === 'passage')).toHaveLength(4);
});

test('the texts of a failed batch are sent again first, and alone', () => {
  const queue = createTextQueue();
  const [a, b] = [text('a', 10), text('b', 10)];
  queue.push([a, b, ...passages(5, 10)]);
  const broken = queue.take();
  expect(broken).toHaveLength(7);
  for (const one of broken) one.failures++;
  queue.unshift(broken);
  queue.push(passages(3, 10));
  expect(queue.take()).toEqual([a]);
  expect(queue.take()).toEqual([b]);
  queue.drop(new Set(broken));
  expect(queue.take()).toHaveLength(3);
});

test.each([
  ['', 2],
  ['the quick brown fox', 7],
  ['鵲'.repeat(10), 12],
  ['!'.repeat(1000), 256],
])('the tokens of %j are estimated', (words, tokens) => {
  expect(estimateTokens(words, 256)).toBe(tokens);
});

test('texts of different callers never share a batch', () => {
  const queue = createTextQueue();
  const other = { ...text('b', 10), call: {} };
  queue.push([text('a', 10), other, text('c', 10), text('d', 10)]);
  expect([queue.take(), queue.take(), queue.take()].map((batch) => batch.length)).toEqual([1, 1, 2]);
});
