import { expect, test } from 'vitest';
import { PAGE_KINDS } from '../../src/browse/reading/page.ts';
import { createPageReader } from '../../src/browse/reading/page-reader.ts';
import { SAMPLES, WORDS } from '../helpers/kinds.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';

const desk = sharedReaders();
const reader = createPageReader(desk);

test('every document kind has a sample', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual([...PAGE_KINDS].sort());
});

test.each(PAGE_KINDS)('a page of the kind %s is recognized, and its words are read', async (kind) => {
  const { body, type = '' } = SAMPLES[kind];
  const raw = { url: 'https://x.example/file', contentType: type, body: Buffer.from(body) };
  const { page } = await reader.readPage(raw, new AbortController().signal);
  expect(page.kind).toBe(kind);
  expect(page.markdown).toContain(WORDS);
});
