import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPptx } from '../../../src/browse/readers/office/pptx.ts';
import { inReadingOrder } from '../../../src/browse/readers/office/reading-order.ts';
import { CHART, pptx } from '../../helpers/archives.ts';

const paragraph = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const xfrm = (x: number, y: number, cx = 100, cy = 20) =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>`;
const shape = (text: string, place: string, holder = '', hidden = '') =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="n"${hidden}/><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody>${text && (text.startsWith('<') ? text : paragraph(text))}</p:txBody></p:sp>`;
const group = (shapes: string, place = '') => `<p:grpSp><p:grpSpPr>${place}</p:grpSpPr>${shapes}</p:grpSp>`;
const inGroup = (
  x: number,
  y: number,
  cx: number,
  cy: number,
  fromX: number,
  fromY: number,
  cw: number,
  ch: number,
) =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/><a:chOff x="${fromX}" y="${fromY}"/><a:chExt cx="${cw}" cy="${ch}"/></a:xfrm>`;

const read = async (...options: Parameters<typeof pptx>) =>
  (await readPptx(pptx(...options), 'a.pptx')).markdown.replace('## Slide 1\n\n', '');

describe('shapes are read in the order of the eye', () => {
  test.each([
    ['from top to bottom', shape('two', xfrm(0, 100)) + shape('one', xfrm(0, 0)), 'one two'],
    [
      'from left to right, although the left one is a little lower',
      shape('two', xfrm(200, 0)) + shape('one', xfrm(0, 3)),
      'one two',
    ],
    [
      'columns whose boxes overlap, each whole',
      shape('d', xfrm(200, 15, 100, 30)) +
        shape('b', xfrm(0, 20, 100, 30)) +
        shape('c', xfrm(200, 0, 100, 25)) +
        shape('a', xfrm(0, 0, 100, 35)),
      'a b c d',
    ],
    [
      'a background does not matter',
      shape('', xfrm(0, 0, 1000, 1000)) +
        shape('three', xfrm(0, 100)) +
        shape('two', xfrm(200, 0)) +
        shape('one', xfrm(0, 2)),
      'one two three',
    ],
    [
      'groups by where they are shown',
      group(
        shape('two', xfrm(0, 0)) + shape('three', xfrm(0, 500)),
        inGroup(0, 50, 100, 100, 0, 0, 1000, 1000),
      ) +
        shape('one', xfrm(0, 0)) +
        shape('four', xfrm(0, 160)),
      'one two three four',
    ],
    [
      'groups in groups',
      group(
        group(shape('three', xfrm(0, 10, 1, 1)), inGroup(0, 100, 10, 10, 0, 0, 10, 10)) +
          shape('two', xfrm(0, 0, 1, 1)),
        inGroup(0, 300, 200, 200, 0, 0, 200, 200),
      ) +
        shape('four', xfrm(0, 600)) +
        shape('one', xfrm(0, 200)),
      'one two three four',
    ],
    [
      'a group with another shape in its midst',
      group(shape('three', xfrm(0, 200)) + shape('one', xfrm(0, 0))) + shape('two', xfrm(0, 100)),
      'one two three',
    ],
    [
      'shapes without places in the order of the file',
      shape('one', '') + group(shape('two', '')) + shape('three', ''),
      'one two three',
    ],
    [
      'hidden shapes are left out',
      shape('SECRET', xfrm(0, 0), '', ' hidden="1"') + shape('seen', xfrm(0, 50)),
      'seen',
    ],
  ])('%s', async (_name, shapes, words) => {
    expect((await read([shapes])).replace(/\s+/g, ' ')).toBe(words);
  });

  test('placeholders stand where the layout or its master puts them', async () => {
    const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const holder = (type: string, idx: number) => `<p:ph type="${type}" idx="${idx}"/>`;
    const rels = (type: string, target: string) =>
      `<Relationships><Relationship Id="rId1" Type="${R}/${type}" Target="${target}"/></Relationships>`;
    const slide =
      shape('three', '', holder('body', 2)) +
      shape('two', '', '<p:ph idx="1"/>') +
      shape('one', '', '<p:ph type="subTitle"/>');
    const bytes = pptx([slide], {}, [], {
      'ppt/slides/_rels/slide1.xml.rels': rels('slideLayout', '../slideLayouts/slideLayout1.xml'),
      'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout><p:cSld><p:spTree>${shape('x', xfrm(300, 100), holder('body', 2))}${shape('x', xfrm(0, 100), holder('body', 1))}</p:spTree></p:cSld></p:sldLayout>`,
      'ppt/slideLayouts/_rels/slideLayout1.xml.rels': rels('slideMaster', '../slideMasters/slideMaster1.xml'),
      'ppt/slideMasters/slideMaster1.xml': `<p:sldMaster><p:cSld><p:spTree>${shape('x', xfrm(0, 0), '<p:ph type="title"/>')}</p:spTree></p:cSld></p:sldMaster>`,
    });
    const { markdown } = await readPptx(bytes, 'a.pptx');
    expect(markdown).toMatch(/two\n\nthree/);
  });

  test('shapes beside the slide are left out', async () => {
    const shapes =
      shape('seen', xfrm(0, 0)) + shape('SECRET', xfrm(-500, 0)) + shape('SECRET', xfrm(0, 2000));
    const bytes = pptx([shapes], {}, [], {
      'ppt/presentation.xml':
        '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="1000" cy="750"/></p:presentation>',
    });
    expect((await readPptx(bytes, 'a.pptx')).markdown).toBe('## Slide 1\n\nseen');
  });

  test('any boxes give each item once, and of two that no box overlaps the upper one comes first', () => {
    const box = fc.record({ left: fc.nat(50), top: fc.nat(50), width: fc.nat(20), height: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(box, { maxLength: 40 }), (boxes) => {
        const items = boxes.map((one, content) => ({ box: one, content }));
        const order = inReadingOrder(items);
        expect(order.map(({ content }) => content).sort((a, b) => a - b)).toEqual(boxes.map((_, at) => at));
        const reversed = inReadingOrder([...items].reverse());
        expect(reversed.map((one) => one.box.top)).toEqual(order.map((one) => one.box.top));
      }),
      { seed: 38, numRuns: 200 },
    );
  });
});

test('numbered points have their numbers', async () => {
  const number = (text: string, type: string, more = '', level = 0) =>
    paragraph(text, `<a:pPr lvl="${level}"><a:buAutoNum type="${type}"${more}/></a:pPr>`);
  const text =
    number('one', 'arabicPeriod') +
    number('sub', 'alphaLcParenR', '', 1) +
    number('sub', 'alphaLcParenR', '', 1) +
    number('two', 'arabicPeriod') +
    paragraph('bullet', '<a:pPr><a:buChar char="•"/></a:pPr>') +
    number('seven', 'romanUcPeriod', ' startAt="7"');
  expect(await read([shape(text, xfrm(0, 0))])).toBe(
    '1. one\n   - a) sub\n   - b) sub\n2. two\n- bullet\n- VII. seven',
  );
});

test('a slide that is listed often is read once', async () => {
  const listed =
    '<p:presentation><p:sldIdLst><p:sldId r:id="rId1"/><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>';
  expect(await read([shape('one', xfrm(0, 0))], {}, [], { 'ppt/presentation.xml': listed })).toBe('one');
});

describe('what a slide refers to is read', () => {
  const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = (id: string, type: string, target: string, more = '') => ({
    'ppt/slides/_rels/slide1.xml.rels': `<Relationships><Relationship Id="${id}" Type="${R}/${type}" Target="${target}" ${more}/></Relationships>`,
  });
  const frame = (inside: string) =>
    `<p:graphicFrame><p:xfrm><a:off x="0" y="100"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></p:graphicFrame>`;
  const point = (id: number, text: string, type = 'node') =>
    `<dgm:pt modelId="${id}" type="${type}"><dgm:t>${paragraph(text)}</dgm:t></dgm:pt>`;
  const link = (from: number, to: number, order: number) =>
    `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`;

  test.each([
    [
      'a chart',
      frame('<c:chart r:id="x"/>'),
      relations('x', 'chart', '../charts/c.xml'),
      { 'ppt/charts/c.xml': CHART },
      'above\n\nHoney\n\n|  | East | West |\n| --- | --- | --- |\n| 2024 | 12.5 |  |\n| 2025 |  | 9 |',
    ],
    [
      'a diagram, by its levels and order',
      frame('<dgm:relIds r:dm="x"/>'),
      relations('x', 'diagramData', '../diagrams/d.xml'),
      {
        'ppt/diagrams/d.xml': `<dgm:dataModel xmlns:a="a"><dgm:ptLst>${point(0, '', 'doc')}${point(1, 'Sow')}${point(2, 'Reap')}${point(3, 'by hand')}${point(4, 'alone')}${point(5, '', 'parTrans')}</dgm:ptLst><dgm:cxnLst>${link(0, 2, 1)}${link(0, 1, 0)}${link(2, 3, 0)}</dgm:cxnLst></dgm:dataModel>`,
      },
      'above\n\n- Sow\n- Reap\n  - by hand\n- alone',
    ],
    [
      'a comment with its author',
      '',
      relations('x', 'comments', '../comments/c.xml'),
      {
        'ppt/comments/c.xml': '<p:cmLst><p:cm authorId="7"><p:text>Is this so?</p:text></p:cm></p:cmLst>',
        'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="7" name="Ida"/></p:cmAuthorLst>',
      },
      'above\n\nComment by Ida: Is this so?',
    ],
    [
      'a comment before its replies, each with its author',
      '',
      relations('x', 'comments', '../comments/c.xml'),
      {
        'ppt/comments/c.xml': `<cmLst><cm authorId="1"><replyLst><reply authorId="2"><txBody>${paragraph('No.')}</txBody></reply></replyLst><txBody>${paragraph('Is this so?')}</txBody></cm></cmLst>`,
        'ppt/authors.xml': '<authorLst><author id="1" name="Ida"/><author id="2" name="Kim"/></authorLst>',
      },
      'above\n\nComment by Ida: Is this so?\n\nComment by Kim: No.',
    ],
    [
      'a link',
      shape('<a:p><a:r><a:rPr><a:hlinkClick r:id="x"/></a:rPr><a:t>the mill</a:t></a:r></a:p>', xfrm(0, 100)),
      relations('x', 'hyperlink', 'https://x.example/a', 'TargetMode="External"'),
      {},
      'above\n\n[the mill](https://x.example/a)',
    ],
    [
      'a formula',
      shape(
        '<a:p><mc:AlternateContent><mc:Choice><a14:m><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m></mc:Choice><mc:Fallback><a:r><a:t>picture</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p>',
        xfrm(0, 100),
      ),
      {},
      {},
      'above\n\n$x^{2}$',
    ],
  ])('%s', async (_name, shapes, related, parts, expected) => {
    const slides = [shape('above', xfrm(0, 0)) + shapes];
    expect(await read(slides, {}, [], { ...related, ...parts } as Record<string, string>)).toBe(expected);
  });
});
