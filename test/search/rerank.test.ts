import { expect, test } from 'vitest';
import { rerank, type Similarity } from '../../src/search/rerank.ts';

const page = (name: string, score: number, title: string, snippet: string) => ({
  url: `https://${name}.example/`,
  title,
  snippet,
  engines: ['a'],
  score,
});
const PAGES = [
  page('first', 0.05, 'Cars of the season', 'New models and old ones.'),
  page('second', 0.049, 'Magpies', 'A magpie builds its nest of twigs.'),
  page('third', 0.048, 'Nests', 'How magpies are building nests in tall trees: the nest of the magpie.'),
];
const { signal } = new AbortController();
const names = async (reranking: Parameters<typeof rerank>[2], query = 'magpie nests', pages = PAGES) =>
  (await rerank(pages, query, reranking, signal)).map(({ url }) => new URL(url).hostname.split('.')[0]);

test('without weights the order of the engines stays', async () => {
  expect(await names({ words: 0, meaning: 0 })).toEqual(['first', 'second', 'third']);
});

test('words of the question, in any form, bring a page forward', async () => {
  expect(await names({ words: 10, meaning: 0 })).toEqual(['third', 'second', 'first']);
  expect(await names({ words: 10, meaning: 0 }, 'the of and')).toEqual(['first', 'second', 'third']);
});

test('a similarity is asked for title and snippet, and weighed', async () => {
  const seen: unknown[] = [];
  const similarity: Similarity = async (query, texts) => {
    seen.push(query, ...texts);
    return [0.1, 0.2, 0.9];
  };
  expect(await names({ words: 0, meaning: 5, similarity })).toEqual(['third', 'second', 'first']);
  expect(seen).toEqual(['magpie nests', ...PAGES.map(({ title, snippet }) => `${title}. ${snippet}`)]);
});

test('one that fails or never answers leaves the order without it', async () => {
  const fails: Similarity = () => Promise.reject(new Error('no model'));
  expect(await names({ words: 0, meaning: 5, similarity: fails })).toEqual(['first', 'second', 'third']);
  const hangs: Similarity = () => new Promise(() => {});
  expect(await names({ words: 0, meaning: 5, similarity: hangs })).toEqual(['first', 'second', 'third']);
});

test('nothing to order', async () => {
  expect(await names({ words: 1, meaning: 0 }, 'x', [])).toEqual([]);
});
