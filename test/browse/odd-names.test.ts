import { describe, expect, test } from 'vitest';
import { fitData } from '../../src/browse/extracting/fit-data.ts';
import { readFileData } from '../../src/browse/readers/file-data.ts';
import { readHtml } from '../../src/browse/readers/html.ts';
import { parseSitemap } from '../../src/search/crawling/sitemap.ts';

/** Names that every object of JavaScript has, and keys, labels and names as long as a page. */

const TEXT = 'Magpies build their nests in high trees and roof them with thorns.';
const ODD = ['constructor', '__proto__', 'hasownproperty'];

describe.each(ODD)('%s', (odd) => {
  test.each([
    ['a tag', `<p>${TEXT}</p><${odd}>x</${odd}>`],
    ['a tag in a formula', `<p>${TEXT}</p><math><${odd}>x</${odd}></math>`],
    ['a tag in a list', `<p>${TEXT}</p><ul>${`<li><${odd} class=a>x</${odd}></li>`.repeat(5)}</ul>`],
    [
      'a class, an id and a name',
      `<div class=${odd} id=${odd} itemprop=${odd} role=${odd}><p>${TEXT}</p></div>`,
    ],
  ])('does not change the page as %s', (_, html) => {
    for (const withData of [false, true])
      expect(readHtml(html, 'https://a.example/', withData).markdown).toContain(TEXT);
  });

  test('does not hide the addresses of a sitemap as an element', () => {
    const map = `<urlset><url><${odd}>x</${odd}><loc>https://a.example/1</loc></url></urlset>`;
    const { pages } = parseSitemap(Buffer.from(map), 'https://a.example/sitemap.xml');
    expect(pages.map(({ url }) => url)).toEqual(['https://a.example/1']);
  });

  test.each([
    ['JSON', `{"${odd}": "x", "title": "${TEXT}"}`, 'json', 'application/json'],
    ['YAML', `${odd}: x\ntitle: ${TEXT}\n`, 'text', 'text/yaml'],
    ['XML', `<r><${odd}>x</${odd}><title>${TEXT}</title></r>`, 'xml', 'text/xml'],
  ] as const)('does not hide the other members of %s as a member', async (_, text, kind, type) => {
    const structured = await readFileData(text, kind, { type, path: '/' });
    const schema = { type: 'object', properties: { title: { type: 'string' }, [odd]: { type: 'string' } } };
    const { data } = fitData({ structured, markdown: '', facts: {} }, schema, 1000);
    expect(data).toMatchObject({ title: TEXT });
  });
});

test.each(['? '.repeat(50_000), '{'.repeat(50_000), '? [a, b]\n: c\n'.repeat(5000)])(
  'YAML keys that are lists or maps are left out: %#',
  async (hostile) => {
    const text = `title: ${TEXT}\n---\n${hostile}`;
    const structured = await readFileData(text, 'text', { type: 'text/yaml', path: '/' });
    expect(JSON.stringify(structured?.whole)).toContain(TEXT);
  },
);

test('a tab label as long as a page does not become the label of any panel', () => {
  const panels = `<div role=tabpanel aria-labelledby=t><p>${TEXT}</p></div>`.repeat(1000);
  const { markdown } = readHtml(`<button id=t role=tab>${'word '.repeat(100_000)}</button>${panels}`);
  expect(markdown).toContain(TEXT);
  expect(markdown).not.toContain('word word');
});
