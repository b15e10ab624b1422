import { expect, test } from 'vitest';
import { maskKeyInAnswers } from '../../../src/search/asking/mask-key.ts';
import type { SearchEngine } from '../../../src/search/engine.ts';
import { NO_FACTS } from '../../helpers/engine-site.ts';

const query = { text: 'magpie', limit: 1 };
/** An engine whose answers are a title each. */
const engine: SearchEngine = {
  name: 'echo',
  about: {
    title: 'Test',
    website: 'https://a.example',
    needsKey: true,
    categories: ['general'],
    takes: [],
    pace: 0,
    facts: NO_FACTS,
  },
  request: () => ({ url: 'https://a.example/', headers: { 'x-key': 'sk-12345678' } }),
  parse: (body) => [{ title: body, url: 'https://a.example/', snippet: '' }],
};
const title = (key: string, body: string) => maskKeyInAnswers(engine, key).parse(body, query)[0]?.title;

test('a key is masked wherever an answer contains it', () => {
  expect(title('sk-12345678', 'sk-12345678 and id:sk-12345678')).toBe('[key] and id:[key]');
});

test('a word that only resembles a key is not masked', () => {
  expect(title('test', 'a test of magpies')).toBe('a test of magpies');
});

test('the request still contains the key', () => {
  expect(maskKeyInAnswers(engine, 'sk-12345678').request(query)).toEqual(engine.request(query));
});
