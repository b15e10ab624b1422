import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectPageKind } from '../../../src/browse/fetching/page-kind.ts';
import { readFeed } from '../../../src/browse/readers/feeds/feed.ts';

const URL_ = 'https://q.example/list.opml';
const outline = (body: string, head = '') =>
  `<?xml version="1.0"?>\n<opml version="2.0"><head>${head}</head><body>${body}</body></opml>`;
const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;');

test('an outline is a nested list with boxes, notes and attributes', async () => {
  const note = 'Meet at <b>the desk</b>\nTimes: <a href="https://t.example/">https://t.example/</a>';
  const body = `<outline text="Trip" _note="${escapeXml(note)}"><outline text="Bread &amp; cheese" _complete="true"/><outline text="Tent"><outline text="by Sunday" created="2026-03-04"/></outline></outline><outline text="Tides" title="Tides" type="rss" xmlUrl="https://t.example/rss"/>`;
  expect(
    await readFeed(
      outline(
        body,
        '<title>My list</title><ownerEmail>kim@x.example</ownerEmail><expansionState>1,2</expansionState>',
      ),
      URL_,
    ),
  ).toEqual({
    title: 'My list',
    markdown: [
      'ownerEmail: kim@x.example',
      '',
      '- Trip',
      '  Meet at **the desk**',
      '  Times: [https://t.example/](https://t.example/)',
      '  - [x] Bread & cheese',
      '  - Tent',
      '    - by Sunday',
      '      created: 2026-03-04',
      '- Tides',
      '  type: rss',
      '  xmlUrl: https://t.example/rss',
    ].join('\n'),
  });
});

test.each(['', '<?xml version="1.0"?>\n'])(
  'an outline is recognised by its first element: %j',
  async (declaration) => {
    const body = Buffer.from(`${declaration}<opml version="1.0"><body/></opml>`);
    expect(await detectPageKind({ url: URL_, contentType: '', body })).toBe('feed');
  },
);

test('every word of an outline is in its list, however deep it stands', async () => {
  const text = fc.constantFrom('quay', 'Möwe 1.10', 'лодка', '3 < 4', 'R&D', 'a "b" c', 'two\nlines', '小舟');
  const open = fc
    .tuple(text, fc.option(text))
    .map(([own, note]) => `text="${escapeXml(own)}"${note === null ? '' : ` _note="${escapeXml(note)}"`}`);
  const { item } = fc.letrec<{ item: string; inner: string }>((tie) => ({
    inner: fc
      .tuple(open, fc.array(tie('item'), { maxLength: 3 }))
      .map(([own, items]) => `<outline ${own}>${items.join('')}</outline>`),
    item: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      open.map((own) => `<outline ${own}/>`),
      tie('inner'),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 3 }), async (items) => {
      const { markdown } = await readFeed(outline(items.join('')), URL_);
      const words = (all: string) => (all.match(/[\p{L}\p{N}]+/gu) ?? []).length;
      const given = items.join('').replace(/<\/?outline|text=|_note=|&#10;|&(?:amp|lt|quot);/g, ' ');
      expect(words(markdown)).toBe(words(given));
    }),
  );
});
