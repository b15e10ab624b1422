import { expect, test } from 'vitest';
import { readOpenDocument } from '../../../src/browse/readers/office/opendocument.ts';
import { openDocument, zip } from '../../helpers/archives.ts';

const KINDS = { odt: 'text', ods: 'spreadsheet', odp: 'presentation' } as const;
const read = async (kind: keyof typeof KINDS, body: string, styles = '') =>
  (await readOpenDocument(openDocument(KINDS[kind], body, styles), 'a', kind)).markdown;

const P = (text: string) => `<text:p>${text}</text:p>`;
const H = (level: number, text: string, more = '') =>
  `<text:h text:outline-level="${level}" ${more}>${text}</text:h>`;
const list = (style: string, items: readonly string[], more = '') =>
  `<text:list ${style && `text:style-name="${style}"`} ${more}>${items.map((item) => `<text:list-item>${item}</text:list-item>`).join('')}</text:list>`;
const numbers = (name: string, ...levels: readonly string[]) =>
  `<text:list-style style:name="${name}">${levels.map((more, at) => `<text:list-level-style-number text:level="${at + 1}" ${more}/>`).join('')}</text:list-style>`;
const ONE = numbers(
  'L1',
  'style:num-format="1" style:num-suffix="."',
  'style:num-format="a" style:num-suffix=")"',
);

test('lists have their numbers, go on counting where they say so, and begin again elsewhere', async () => {
  const body =
    list('L1', [P('one') + list('', [P('sub'), P('sub')]), P('two')], 'xml:id="x1"') +
    P('between') +
    list('L1', [P('three')], 'text:continue-numbering="true"') +
    P('again') +
    list('L1', [P('one')]) +
    P('far') +
    list('L1', [P('four')], 'text:continue-list="x1"');
  expect(await read('odt', body, ONE)).toBe(
    '1. one\n   - a) sub\n   - b) sub\n2. two\n\nbetween\n\n3. three\n\nagain\n\n1. one\n\nfar\n\n3. four',
  );
});

test.each([
  [
    'style:num-format="i" style:num-prefix="(" style:num-suffix=")" text:start-value="3"',
    '- (iii) one\n- (iv) two',
  ],
  ['style:num-format="I" style:num-suffix="."', '- I. one\n- II. two'],
  ['style:num-format="A" style:num-suffix=")"', '- A) one\n- B) two'],
  ['style:num-format="1" style:num-suffix=")"', '1) one\n2) two'],
  ['style:num-format=""', '- one\n- two'],
])('items with the numbers %s', async (more, markdown) => {
  expect(await read('odt', list('L', [P('one'), P('two')]), numbers('L', more))).toBe(markdown);
});

test('headings have the numbers of the outline, but not where they say that they have none', async () => {
  const level = (at: number, shown: number) =>
    `<text:outline-level-style text:level="${at}" style:num-format="1" style:num-suffix="." text:display-levels="${shown}"/>`;
  const outline = `<text:outline-style>${level(1, 1)}${level(2, 2)}</text:outline-style>`;
  const body =
    H(1, 'Purpose') +
    H(1, 'Scope') +
    H(2, 'The crane') +
    H(2, 'Free', 'text:is-list-header="true"') +
    H(2, 'The quay') +
    H(1, 'End');
  expect(await read('odt', body, outline)).toBe(
    '# 1. Purpose\n\n# 2. Scope\n\n## 2.1 The crane\n\n## Free\n\n## 2.2 The quay\n\n# 3. End',
  );
});

test.each(['900000000', '-5', 'x'])('a list that shows %s levels shows those that it has', async (shown) => {
  const style = numbers('L', `style:num-format="1" style:num-suffix=")" text:display-levels="${shown}"`);
  expect(await read('odt', list('L', [P('one'), P('two')]), style)).toBe('1) one\n2) two');
});

test.each(['-1', '1.5', 'x'])('a cell and a row that are repeated %s times stand once', async (times) => {
  const cell = `<table:table-cell table:number-columns-repeated="${times}">${P('one')}</table:table-cell>`;
  const row = `<table:table-row table:number-rows-repeated="${times}">${cell}</table:table-row>`;
  expect(await read('ods', `<table:table table:name="A">${row}</table:table>`)).toContain('| one |');
});

test('comments stand as notes, and hidden sections and fields are left out', async () => {
  const body =
    P(
      'Built 1998<office:annotation><dc:creator>Kim</dc:creator><dc:date>2026-01-01</dc:date><text:p>Which year?</text:p></office:annotation>.',
    ) +
    `<text:section text:display="none">${P('SECRET')}</text:section>` +
    P('<text:hidden-text text:is-hidden="true">SECRET</text:hidden-text>') +
    P('<text:hidden-text text:is-hidden="false">shown</text:hidden-text>');
  expect(await read('odt', body)).toBe('Built 1998[^1].\n\nshown\n\n[^1]: Comment by Kim: Which year?');
});

test.each(['variable-set', 'variable-input', 'user-field-get', 'user-field-input', 'expression', 'section'])(
  'what a %s does not display is left out',
  async (name) => {
    const field = (display: string, text: string) =>
      `<text:${name} text:name="x" text:display="${display}">${name === 'section' ? P(text) : text}</text:${name}>`;
    const [hidden, seen] = [field('none', 'SECRET'), field('value', 'seen')];
    const body = name === 'section' ? hidden + seen : P(`${hidden}${seen}<text:script>SECRET</text:script>`);
    expect(await read('odt', body)).toBe('seen');
  },
);

test('a field hides the paragraph, heading or list item around it', async () => {
  const hide = (is: boolean) => `<text:span><text:hidden-paragraph text:is-hidden="${is}"/></text:span>`;
  const all = (is: boolean, text: string) =>
    `<text:h text:outline-level="1">${hide(is)}${text}</text:h>${P(hide(is) + text)}<text:list><text:list-item>${P(hide(is) + text)}</text:list-item><text:list-item><text:h>${hide(is)}${text}</text:h></text:list-item></text:list>`;
  expect(await read('odt', all(true, 'SECRET'))).toBe('');
  expect(await read('odt', all(false, 'seen'))).toBe('# seen\n\nseen\n\n- seen\n\n# seen');
});

test('sheets show what cells show, values where they show nothing, and no hidden rows, columns and sheets', async () => {
  const cell = (attributes: string, text = '') =>
    `<table:table-cell ${attributes}>${text && P(text)}</table:table-cell>`;
  const row = (cells: string, more = '') => `<table:table-row ${more}>${cells}</table:table-row>`;
  const value = (type: string, more: string) => cell(`office:value-type="${type}" ${more}`);
  const sheet = `<table:table table:name="A"><table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/><table:table-column/>${row(cell('office:value="0.85"', '85%') + cell('', '36:00') + cell('', 'SECRET') + cell('', '14.03.26'))}${row(cell('', 'SECRET'), 'table:visibility="filter"')}${row(cell('', 'twice'), 'table:number-rows-repeated="2"')}${row(value('percentage', 'office:value="0.55"') + value('time', 'office:time-value="PT36H05M00S"') + cell('') + value('date', 'office:date-value="2026-03-14"'))}${row(value('currency', 'office:value="12.5" office:currency="EUR"') + value('boolean', 'office:boolean-value="true"'))}</table:table>`;
  const hidden = `<table:table table:name="H" table:style-name="ta2">${row(cell('', 'SECRET'))}</table:table>`;
  const style = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>';
  expect(await read('ods', sheet + hidden, style)).toBe(
    '## A\n\n| 85% | 36:00 |  | 14.03.26 |\n| --- | --- | --- | --- |\n| twice |  |  |  |\n| twice |  |  |  |\n| 55% | 36:05 |  | 2026-03-14 |\n| 12.5 EUR | TRUE |  |  |\n\nHidden rows, columns and cells are not shown.',
  );
});

test('slides are read in the order of the eye, without hidden slides', async () => {
  const frame = (x: string, y: string, text: string, more = '') =>
    `<draw:frame svg:x="${x}" svg:y="${y}" svg:width="8cm" svg:height="1cm" ${more}><draw:text-box>${P(text)}</draw:text-box></draw:frame>`;
  const shape = `<draw:custom-shape svg:x="10mm" svg:y="25mm" svg:width="3cm" svg:height="1cm">${P('first')}</draw:custom-shape>`;
  const turned = `<draw:custom-shape draw:transform="rotate (0.1) translate (1cm 9cm)" svg:width="3cm" svg:height="1cm">${P('fourth')}</draw:custom-shape>`;
  const first = `<draw:page><draw:g>${frame('1cm', '13cm', 'sixth')}${frame('1cm', '11cm', 'fifth')}</draw:g>${turned}${frame('1cm', '1cm', 'Title', 'presentation:class="title"')}${frame('10cm', '5cm', 'third')}${frame('0.4in', '5.1cm', 'second')}${shape}<draw:rect svg:x="0cm" svg:y="0cm" svg:width="28cm" svg:height="21cm"/></draw:page>`;
  const hidden = `<draw:page draw:style-name="dp2">${frame('1cm', '1cm', 'SECRET')}</draw:page>`;
  const style =
    '<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
  expect((await read('odp', first + hidden, style)).replace(/\s+/g, ' ')).toBe(
    '## Title first second third fourth fifth sixth',
  );
});

test('a cell keeps its text, and its comment stands below the sheet', async () => {
  const comment = `<office:annotation xmlns:dc="c"><dc:creator>Ida</dc:creator>${P('weighed twice')}</office:annotation>`;
  const sheet = `<table:table table:name="A"><table:table-row><table:table-cell>${comment}${P('Forty')}</table:table-cell><table:table-cell>${P('next')}</table:table-cell></table:table-row></table:table>`;
  expect(await read('ods', sheet)).toBe(
    '## A\n\n| Forty[^1] | next |\n| --- | --- |\n\n[^1]: Comment by Ida: weighed twice',
  );
});

test('the reading of a word stands in brackets, and a comment on a slide below it', async () => {
  const ruby =
    '<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>Tōkyō</text:ruby-text></text:ruby>';
  expect(await read('odt', `<text:p>In ${ruby} today</text:p>`)).toBe('In 東京(Tōkyō) today');
  const comment = `<office:annotation>${P('ask')}</office:annotation>`;
  expect(
    await read(
      'odp',
      `<draw:page>${comment}<draw:frame><draw:text-box>${P('Words')}</draw:text-box></draw:frame></draw:page>`,
    ),
  ).toBe('## Slide 1[^1]\n\nWords\n\n[^1]: Comment: ask');
});

test('a formula that is shown often is not written without end', async () => {
  const object = '<text:p><draw:object xlink:href="./Object 1"/></text:p>';
  const file = zip({
    'content.xml': `<office:document-content xmlns:office="o"><office:body><office:text>${object.repeat(100)}</office:text></office:body></office:document-content>`,
    'Object 1/content.xml': `<math><mrow><mtext>${'word '.repeat(8000)}</mtext></mrow></math>`,
  });
  const { markdown } = await readOpenDocument(file, 'a.odt', 'odt');
  expect(markdown.length).toBeGreaterThan(1_000_000);
  expect(markdown.length).toBeLessThan(1_100_000);
  expect(markdown.endsWith('More charts and formulas are not shown.')).toBe(true);
});
