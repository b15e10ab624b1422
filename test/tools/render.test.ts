import { expect, test } from 'vitest';
import { searchBody } from '../../src/flows/searching/search-body.ts';
import { browse } from '../../tools/browse.ts';
import { listpdfs } from '../../tools/listpdfs.ts';
import { metadatakb } from '../../tools/metadatakb.ts';

/** Numbers have their words in the right form. */

const match = (metadata: object) =>
  metadatakb.output.parse({
    matches: [{ id: 'ada-1', metadata: { text: '', ...metadata }, score: 1, sparseValues: {}, values: [] }],
  });

test.each([
  [
    { records: 1, passages: 1, bytes: 1, pending: 1 },
    ['1 entry in 1 passage, 1 byte of text', ', 1 passage to come'],
  ],
  [
    { records: 2, passages: 3, bytes: 4, pending: 5 },
    ['2 entries in 3 passages, 4 bytes', ', 5 passages to come'],
  ],
])('metadatakb is rendered for %j', (metadata, texts) => {
  const text = metadatakb.render?.(match({ ...metadata, model: 'm' }), 'person', () => true) ?? '';
  for (const one of texts) expect(text).toContain(one);
});

test.each([
  [1, '1 link:'],
  [2, '2 links:'],
])('a page with %i links is rendered', (count, text) => {
  const links = Array.from({ length: count }, (_, i) => ({ title: 'x', url: `https://x.example/${i}` }));
  const result = { title: 'A', link: 'https://x.example/', full_content: 'a', links, linkCount: count };
  expect(browse.render?.(searchBody.parse({ results: [result], rules: '' }), 'person', () => true)).toContain(
    `\n${text}\n`,
  );
});

test('the answer of listpdfs is rendered', () => {
  const metadata = { fileName: 'a.pdf', text: '', pages: 1, parts: 1, bytes: 1, uploadedAt: '' };
  const output = listpdfs.output.parse({
    matches: [{ id: 'a.pdf', metadata, score: 1, sparseValues: {}, values: [] }],
  });
  expect(listpdfs.render?.(output, 'person', () => true)).toBe('- a.pdf: 1 page, 1 part');
});
