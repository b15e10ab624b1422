import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type EngineService,
  type KeyedService,
  readHits,
  readJson,
} from '../../../src/search/answers/json-answer.ts';

const SERVICE = { name: 'Example', env: 'EXAMPLE_KEY' };
const read = (body: string, service: EngineService | KeyedService = SERVICE) =>
  readJson(body, z.object({ results: z.array(z.unknown()) }), service);

test('a body of the expected shape is returned', () => {
  expect(read('{"results":[1]}')).toEqual({ results: [1] });
});

test.each([
  ['{"error":{"message":"Invalid API key sk-1","code":"invalid"}}', 'refused', 'check EXAMPLE_KEY'],
  ['{"message":"Unauthorized."}', 'refused', 'check EXAMPLE_KEY'],
  ['{"detail":{"error":"exceeds your plan\'s set usage limit"}}', 'rate_limited', 'used up'],
  ['{"error":"x","tag":"NO_MORE_CREDITS"}', 'rate_limited', 'used up'],
  ['{"errors":[{"reason":"rateLimitExceeded"}]}', 'rate_limited', 'too often'],
  ['{"error":"Too many requests"}', 'rate_limited', 'too often'],
  ['{"error":"ouch sk-1"}', 'refused', 'it refuses the request'],
])('the error body %s is reported as %s', (body, kind, says) => {
  const run = () => read(body);
  expect(run).toThrow(expect.objectContaining({ kind, message: expect.stringContaining(says) }));
  expect(run).not.toThrow('sk-1');
});

test.each(['', 'null', '[]', '7', '<html>', '{}', '{"code":1}', '{"results":{}}'])(
  '%j counts as a changed answer',
  (body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'changed' }));
  },
);

test('an engine without an API key has no error bodies', () => {
  expect(() => read('{"error":"x"}', { name: 'Example' })).toThrow(
    expect.objectContaining({ kind: 'changed' }),
  );
});

test('unexpected items are left out, and a list without any expected item is a changed answer', () => {
  const hits = (items: unknown[]) => readHits(items, z.object({ url: z.string() }), SERVICE, (item) => item);
  expect(hits([7, { url: 'https://a.example/' }, null, {}])).toHaveLength(1);
  expect(hits([])).toEqual([]);
  expect(() => hits([7, {}])).toThrow(expect.objectContaining({ kind: 'changed' }));
});

test('the first items of an endless list are read', () => {
  const items = Array.from({ length: 5000 }, (_, at) => ({ url: `https://p${at}.example/` }));
  const hits = readHits(items, z.object({ url: z.string() }), SERVICE, ({ url }) => ({ url, title: 'x' }));
  expect(hits).toHaveLength(1000);
});
