import { describe, expect, test } from 'vitest';
import { readDocx } from '../../../src/browse/readers/office/docx.ts';
import { CHART, docx } from '../../helpers/archives.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const run = (text: string, properties = '') =>
  `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (text: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${text && run(text)}</w:p>`;
const item = (text: string, numId: number, level = 0) =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`);

const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;

/** A part with lists, each with its levels, and further numbers of these lists. */
const numbering = (lists: readonly string[], more = '') =>
  `<w:numbering ${W}>${lists
    .map((levels, at) => `<w:abstractNum w:abstractNumId="${at + 1}">${levels}</w:abstractNum>`)
    .join('')}${lists
    .map((_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at + 1}"/></w:num>`)
    .join('')}${more}</w:numbering>`;

const heading = (at: number, text = '') =>
  `<w:style w:type="paragraph" w:styleId="Heading${at}"><w:name w:val="heading ${at}"/><w:pPr>${text}</w:pPr></w:style>`;
const inList = (numId: number, at: number) =>
  `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${numId}"/></w:numPr>`;
const styles = (...all: string[]) => `<w:styles ${W}>${all.join('')}</w:styles>`;
const H = (at: number) => `<w:pStyle w:val="Heading${at}"/>`;

const read = async (body: string, more: Readonly<Record<string, string>> = {}) =>
  (await readDocx(docx(body, more), 'a.docx')).markdown;

describe('numbers', () => {
  const parts = (lists: readonly string[], more = '', ...own: string[]) => ({
    'word/numbering.xml': numbering(lists, more),
    'word/styles.xml': styles(...own),
  });

  test('a list that the file does not define leaves the list of the style, and list 0 removes it', async () => {
    const bullets = `<w:style w:type="paragraph" w:styleId="Bullets"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`;
    const own = (numId: number, more = '') =>
      p(`list ${numId}`, `<w:pStyle w:val="Bullets"/><w:numPr>${more}<w:numId w:val="${numId}"/></w:numPr>`);
    const text = await read(
      own(5) + own(6, '<w:ilvl w:val="0"/>') + own(0),
      parts([level(0, 'bullet', '·')], '', bullets),
    );
    expect(text).toBe('- list 5\n- list 6\n\nlist 0');
  });

  test('headings have the numbers of their styles', async () => {
    const levels =
      level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2.') + level(2, 'decimal', '%1.%2.%3');
    const more = parts(
      [levels],
      '',
      heading(1, inList(1, 0)),
      heading(2, inList(1, 1)),
      heading(3, inList(1, 2)),
    );
    const body = [1, 2, 3, 3, 1, 2, 3].map((at, i) => p(`Part ${i}`, H(at))).join('');
    expect(await read(body, more)).toBe(
      '# 1. Part 0\n\n## 1.1 Part 1\n\n### 1.1.1 Part 2\n\n### 1.1.2 Part 3\n\n# 2. Part 4\n\n## 2.1 Part 5\n\n### 2.1.1 Part 6',
    );
  });

  test.each(['4294967295', '1e9', '-3', '1.5', 'x'])('the level %s is one of those of a list', async (at) => {
    const levels = Array.from({ length: 9 }, (_, own) => level(own, 'decimal', `%${own + 1})`)).join('');
    const odd = item('odd', 1).replace('w:ilvl w:val="0"', `w:ilvl w:val="${at}"`);
    expect(await read(odd, parts([levels]))).toMatch(/^(?: {0,32})1\) odd$/);
  });

  test('headings of a list that names their styles have its numbers', async () => {
    const linked = (at: number) => `<w:pStyle w:val="Heading${at}"/>`;
    const levels = level(0, 'upperRoman', 'Part %1', linked(1)) + level(1, 'decimal', '%2', linked(2));
    const numId = '<w:numPr><w:numId w:val="1"/></w:numPr>';
    const more = parts([levels], '', heading(1, numId), heading(2, numId));
    expect(await read(p('One', H(1)) + p('Two', H(1)) + p('Sub', H(2)), more)).toBe(
      '# Part I One\n\n# Part II Two\n\n## 1 Sub',
    );
  });

  test('a list goes on counting after a paragraph, and another list of its definition with it', async () => {
    const more = parts(
      [level(0, 'decimal', '%1.')],
      '<w:num w:numId="5"><w:abstractNumId w:val="1"/></w:num>',
    );
    const body = item('one', 1) + item('two', 1) + p('Between.') + item('three', 1) + item('four', 5);
    expect(await read(body, more)).toBe('1. one\n2. two\n\nBetween.\n\n3. three\n4. four');
  });

  test('a list begins again where it says so, and a level below a new item', async () => {
    const again =
      '<w:num w:numId="5"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>';
    const more = parts([level(0, 'decimal', '%1.') + level(1, 'decimal', '%2.')], again);
    const body =
      item('a', 1) +
      item('b', 1, 1) +
      item('c', 1, 1) +
      item('d', 1) +
      item('e', 1, 1) +
      p('x') +
      item('f', 5) +
      item('g', 5);
    expect(await read(body, more)).toBe('1. a\n   1. b\n   2. c\n2. d\n   1. e\n\nx\n\n7. f\n8. g');
  });

  test.each([
    ['lowerLetter', '%1)', '- a) one\n- b) two'],
    ['upperLetter', '%1.', '- A. one\n- B. two'],
    ['lowerRoman', '(%1)', '- (i) one\n- (ii) two'],
    ['upperRoman', '%1.', '- I. one\n- II. two'],
    ['decimal', '%1)', '1) one\n2) two'],
    ['decimal', '(%1)', '- (1) one\n- (2) two'],
    ['decimal', '§ %1', '- § 1 one\n- § 2 two'],
    ['decimalZero', '%1', '- 01 one\n- 02 two'],
    ['ordinal', '%1', '- 1st one\n- 2nd two'],
    ['bullet', '•', '- one\n- two'],
    ['none', '', 'one\n\ntwo'],
  ])('items with numbers in the format %s and the text %s', async (format, text, markdown) => {
    expect(await read(item('one', 1) + item('two', 1), parts([level(0, format, text)]))).toBe(markdown);
  });

  test('letters go on after z, and levels are shown with those above them', async () => {
    const letters = parts([level(0, 'lowerLetter', '%1)')]);
    const many = await read(Array.from({ length: 28 }, (_, at) => item(`item ${at}`, 1)).join(''), letters);
    expect(many).toMatch(/- z\) item 25\n- aa\) item 26\n- bb\) item 27$/);
    const legal = parts([level(0, 'upperRoman', '%1.') + level(1, 'decimal', '%1.%2', '<w:isLgl/>')]);
    expect(await read(item('one', 1) + item('two', 1, 1), legal)).toBe('- I. one\n  - 1.1 two');
  });

  test('empty, deleted and unnumbered paragraphs show no number', async () => {
    const more = parts(
      [level(0, 'decimal', '%1.')],
      '',
      '<w:style w:type="paragraph" w:styleId="L"><w:name w:val="L"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
    );
    const gone = `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:del w:id="2"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>`;
    const off = p('off', '<w:pStyle w:val="L"/><w:numPr><w:numId w:val="0"/></w:numPr>');
    const old = p(
      'new',
      '<w:pPrChange w:id="3"><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:pPrChange>',
    );
    const body = p('one', '<w:pStyle w:val="L"/>') + gone + item('', 1) + off + old + item('three', 1);
    expect(await read(body, more)).toBe('1. one\n\noff\n\nnew\n\n3. three');
  });

  test('signs that stand for marks here are taken out of a document', async () => {
    expect(await read(p('a\ufdd0b\ufdd1c\ufdd3d'))).toBe('abcd');
  });
});

describe('boxes', () => {
  const W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';
  const control = (checked: string, sign: string) =>
    `<w:sdt ${W14}><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>${sign}</w:t></w:r></w:sdtContent></w:sdt>`;
  const legacy = (state: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>${state}</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

  test.each([
    ['content controls', control('1', '☒') + run(' tarred ') + control('0', '☐') + run(' painted')],
    [
      'content controls with other values',
      control('true', '☑') + run(' tarred ') + control('false', '☐') + run(' painted'),
    ],
    [
      'old form fields',
      legacy('<w:checked/>') + run(' tarred ') + legacy('<w:default w:val="0"/>') + run(' painted'),
    ],
    ['boxes without a gap', control('1', '☒') + run('tarred ') + control('0', '☐') + run('painted')],
  ])('%s', async (_name, content) => {
    expect(await read(`<w:p>${content}</w:p>`)).toBe('[x] tarred [ ] painted');
    const inTable = `<w:tbl><w:tr><w:tc><w:p>${content}</w:p></w:tc><w:tc>${p('b')}</w:tc></w:tr><w:tr><w:tc><w:p>${control('1', 'x')}</w:p></w:tc><w:tc>${p('c')}</w:tc></w:tr></w:tbl>`;
    expect(await read(inTable)).toBe('| [x] tarred [ ] painted | b |\n| --- | --- |\n| [x] | c |');
  });
});

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const related = (type: string) => ({
  'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${REL}/${type}" Target="${type}.xml"/></Relationships>`,
});

test('comments stand as notes with their authors', async () => {
  const comments = `<w:comments ${W}><w:comment w:id="4" w:author="Kim &amp; Co" w:initials="K">${p('Which year?')}${p('And why?')}</w:comment></w:comments>`;
  const body = `<w:p><w:commentRangeStart w:id="4"/>${run('Built 1998')}<w:commentRangeEnd w:id="4"/><w:r><w:commentReference w:id="4"/></w:r>${run(' here.')}</w:p>`;
  expect(await read(body, { 'word/comments.xml': comments, ...related('comments') })).toBe(
    'Built 1998[^K1] here.\n\n[^K1]: Comment by Kim & Co: Which year?\n\n    And why?',
  );
});

test('footnotes are numbered, tracked changes are as they are accepted', async () => {
  const footnotes = `<w:footnotes ${W}><w:footnote w:id="2">${p('See the board.')}</w:footnote></w:footnotes>`;
  const body = `<w:p>${run('It turns')}<w:r><w:footnoteReference w:id="2"/></w:r><w:del w:id="1"><w:r><w:delText> fast</w:delText></w:r></w:del><w:ins w:id="2">${run(' slowly')}</w:ins><w:moveFrom w:id="3">${run(' MOVED')}</w:moveFrom>.</w:p>`;
  expect(await read(body, { 'word/footnotes.xml': footnotes, ...related('footnotes') })).toBe(
    'It turns[^1] slowly\n\n[^1]: See the board.',
  );
});

describe('text boxes', () => {
  const box = (text: string) => `<w:txbxContent>${p(text)}</w:txbxContent>`;
  const shape = (text: string) =>
    `<w:drawing><wps:wsp><wps:txbx>${box(text)}</wps:txbx></wps:wsp></w:drawing>`;
  const choice = (inner: string, fallback: string) =>
    `<w:p xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="wps" xmlns:v="urn:schemas-microsoft-com:vml">${run('Before.')}<w:r><mc:AlternateContent><mc:Choice Requires="wps">${inner}</mc:Choice>${fallback}</mc:AlternateContent></w:r></w:p>`;
  test.each([
    [
      'with the same text for older programs',
      choice(
        shape('Boxed.'),
        `<mc:Fallback><w:pict><v:textbox>${box('Boxed.')}</v:textbox></w:pict></mc:Fallback>`,
      ),
    ],
    ['with a picture for older programs', choice(shape('Boxed.'), '<mc:Fallback><w:pict/></mc:Fallback>')],
    ['without anything for older programs', choice(shape('Boxed.'), '')],
    ['in a drawing of its own', `<w:p xmlns:wps="wps">${run('Before.')}<w:r>${shape('Boxed.')}</w:r></w:p>`],
    [
      'in two shapes of a group',
      choice(
        `${shape('Boxed.').replace('</w:drawing>', `<wps:txbx>${box('Twice.')}</wps:txbx></w:drawing>`)}`,
        '<mc:Fallback/>',
      ),
    ],
  ])('%s', async (name, body) => {
    expect(await read(body + p('After.'))).toBe(
      `Before.\n\nBoxed.\n\n${name.includes('two') ? 'Twice.\n\n' : ''}After.`,
    );
  });
});

test('a cell over two rows and one over two columns stand where they begin', async () => {
  const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
  const table = `<w:tbl><w:tr>${cell('Boats', '<w:gridSpan w:val="2"/>')}${cell('c')}</w:tr><w:tr>${cell('North', '<w:vMerge w:val="restart"/>')}${cell('1')}${cell('2')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('3')}${cell('4')}</w:tr></w:tbl>`;
  expect(await read(table)).toMatch(
    /^\| Boats \|.*\| c \|\n\| --- \| --- \| --- \|\n\| North \| 1 \| 2 \|\n\|.*\| 3 \| 4 \|$/,
  );
});

test('another prefix of Word’s elements is read as the usual one, and hides nothing', async () => {
  const body = `${p('seen')}<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>SECRET</w:t></w:r></w:p>${item('one', 1)}`;
  const rename = (xml: string) => xml.replaceAll('w:', 'ns0:').replaceAll('xmlns:w=', 'xmlns:ns0=');
  const document = `<w:document ${W}><w:body>${body}</w:body></w:document>`;
  expect(
    await read('', {
      'word/document.xml': rename(document),
      'word/numbering.xml': rename(numbering([level(0, 'lowerLetter', '%1)')])),
    }),
  ).toBe('seen\n\n- a) one');
});

describe('text that Mammoth passes over is read', () => {
  const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
  const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const e = (name: string, inside: string) => `<m:${name}>${inside}</m:${name}>`;

  test.each([
    ['a fraction', e('f', e('num', t('ab')) + e('den', t('2'))), '\\frac{a b}{2}'],
    ['a power', e('sSup', e('e', t('x')) + e('sup', t('3'))), 'x^{3}'],
    ['indices', e('sSubSup', e('e', t('x')) + e('sub', t('i')) + e('sup', t('2'))), 'x_{i}^{2}'],
    ['a root', e('rad', e('deg', '') + e('e', t('x'))), '\\sqrt{x}'],
    ['a root of a degree', e('rad', e('deg', t('3')) + e('e', t('x'))), '\\sqrt[3]{x}'],
    [
      'a sum',
      e(
        'nary',
        `<m:naryPr><m:chr m:val="∑"/></m:naryPr>${e('sub', t('i=1'))}${e('sup', t('n'))}${e('e', t('i'))}`,
      ),
      '\\sum',
    ],
    ['brackets', e('d', e('e', t('x'))), '(x)'],
    ['words', '<m:r><m:rPr><m:nor/></m:rPr><m:t>for all</m:t></m:r>', 'for all'],
  ])('a formula with %s', async (_name, formula, tex) => {
    const inline = `<w:p>${run('Take ')}<m:oMath ${M}>${formula}</m:oMath>${run(' here')}</w:p>`;
    expect(await read(inline)).toMatch(/^Take \$.*\$ here$/);
    expect(await read(inline)).toContain(tex);
    const display = `<w:p><m:oMathPara ${M}><m:oMath>${formula}</m:oMath></m:oMathPara></w:p>`;
    expect(await read(display)).toMatch(/^\$\$\n.*\n\$\$$/);
  });

  test.each([
    ['of a simple field', `<w:fldSimple w:instr=" REF x ">${run('Table 4')}</w:fldSimple>`, 'Table 4'],
    ['written from right to left', `<w:bdo w:val="rtl">${run('abc')}</w:bdo>`, 'abc'],
    [
      'with its reading above it',
      `<w:r><w:ruby><w:rubyPr/><w:rt>${run('Tōkyō')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby></w:r>`,
      '東京(Tōkyō)',
    ],
  ])('a text %s', async (_name, inside, text) => {
    expect(await read(`<w:p>${run('See ')}${inside}${run(', too')}</w:p>`)).toBe(`See ${text}, too`);
  });

  test('a letterhead and what stands below the pages, each once, without numbers of pages', async () => {
    const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
    const edge = (name: string, text: string) => `<w:${name} ${W} ${R}>${text}</w:${name}>`;
    const number = `<w:p>${run('Page ')}<w:fldSimple w:instr=" PAGE ">${run('1')}</w:fldSimple></w:p>`;
    const references =
      '<w:headerReference w:type="default" r:id="h"/><w:headerReference w:type="even" r:id="e"/><w:footerReference w:type="default" r:id="f"/>';
    const relation = (id: string, name: string) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}" Target="${name}-${id}.xml"/>`;
    const parts = {
      'word/_rels/document.xml.rels': `<Relationships>${relation('h', 'header')}${relation('e', 'header')}${relation('f', 'footer')}</Relationships>`,
      'word/header-h.xml': edge('hdr', p('Mill of Holm')),
      'word/header-e.xml': edge('hdr', p('SECRET')),
      'word/footer-f.xml': edge('ftr', number + p('Account 4711')),
    };
    const section = `<w:sectPr>${references}</w:sectPr>`;
    expect(await read(p('Dear sir') + p('', section) + section, parts)).toBe(
      'Mill of Holm\n\nDear sir\n\nAccount 4711',
    );
  });

  test('a heading is one by the style that its own style is based on, or by its level', async () => {
    const own = (id: string, more: string) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id} style"/>${more}</w:style>`;
    const parts = {
      'word/styles.xml': styles(
        heading(2),
        own('Mine', '<w:basedOn w:val="Heading2"/>'),
        own('Level', '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
        own('Body', '<w:basedOn w:val="Heading2"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
      ),
    };
    const styled = (id: string) => p(id, `<w:pStyle w:val="${id}"/>`);
    expect(await read(styled('Mine') + styled('Level') + styled('Body'), parts)).toBe(
      '## Mine\n\n# Level\n\nBody',
    );
  });

  test('text hidden by the style of its letters is left out', async () => {
    const hidden = `<w:style w:type="character" w:styleId="S"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="T"><w:basedOn w:val="S"/></w:style>`;
    const secret = run('SECRET', '<w:rPr><w:rStyle w:val="T"/></w:rPr>');
    const seen = run('Seen', '<w:rPr><w:rStyle w:val="U"/></w:rPr>');
    expect(await read(`<w:p>${seen}${secret}</w:p>`, { 'word/styles.xml': styles(hidden) })).toBe('Seen');
  });

  const TAGS = String.fromCodePoint(0xe0053, 0xe0045);
  const STYLES = styles(
    '<w:style w:type="character" w:styleId="S"><w:rPr><w:vanish/></w:rPr></w:style>',
    '<w:style w:type="paragraph" w:styleId="P"><w:rPr><w:vanish/></w:rPr></w:style>',
  );
  describe.each([
    ['hidden', '<w:vanish/>', ''],
    ['hidden on web pages', '<w:webHidden/>', ''],
    ['of one point', '<w:sz w:val="2"/>', ''],
    ['of a hidden style', '<w:rStyle w:val="S"/>', ''],
    ['not hidden', '<w:vanish w:val="0"/>', 'WORDS'],
  ])('text that is %s', (_name, property, shown) => {
    const words = run(`WORDS${TAGS}`, `<w:rPr>${property}</w:rPr>`);

    test('in a paragraph, a header and a formula', async () => {
      const formula = `<m:oMath ${M}><m:r><m:t>x</m:t></m:r><m:r><m:rPr><m:nor/></m:rPr><w:rPr>${property}</w:rPr><m:t>WORDS${TAGS}</m:t></m:r></m:oMath>`;
      const body = `<w:p>${run('body')}${words}</w:p><w:p>${run('take ')}${formula}</w:p><w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>`;
      const markdown = await read(body, {
        'word/styles.xml': STYLES,
        'word/_rels/document.xml.rels':
          '<Relationships><Relationship Id="h" Type="x/header" Target="h.xml"/></Relationships>',
        'word/h.xml': `<w:hdr ${W}><w:p>${run('head')}${words}</w:p></w:hdr>`,
      });
      const math = shown && ` \\text{${shown}}`;
      expect(markdown).toBe(`head${shown}\n\nbody${shown}\n\ntake $x${math}$`);
    });
  });

  test('a paragraph of a hidden style is left out, and its old style hides nothing', async () => {
    const old = '<w:pPrChange><w:pPr><w:pStyle w:val="P"/></w:pPr></w:pPrChange>';
    expect(
      await read(p('SECRET', '<w:pStyle w:val="P"/>') + p('Seen', old), { 'word/styles.xml': STYLES }),
    ).toBe('Seen');
  });

  test('a phantom of a formula is left out unless it shows', async () => {
    const phantom = (show: string) =>
      `<w:p><m:oMath ${M}><m:r><m:t>x</m:t></m:r><m:phant><m:phantPr>${show}</m:phantPr><m:e><m:r><m:t>y</m:t></m:r></m:e></m:phant></m:oMath></w:p>`;
    expect(await read(phantom('<m:show m:val="0"/>'))).toBe('$x$');
    expect(await read(phantom('<m:show m:val="1"/>'))).toBe('$x y$');
  });

  test('a formula of any length leaves the text after it whole', async () => {
    for (const length of [10_000, 15_000, 30_000]) {
      const formula = `<m:oMath ${M}><m:r><m:t>${'z'.repeat(length)}</m:t></m:r></m:oMath>`;
      const markdown = await read(`<w:p>${run('Take ')}${formula}${run(' here')}</w:p>${p('next')}`);
      expect(markdown.match(/z/g)).toHaveLength(length);
      expect(markdown).toMatch(/z\$? here\n\nnext$/);
    }
  });
});

describe('a chart', () => {
  const drawing = '<w:p><w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r></w:p>';
  const parts = (chart: string) => ({
    'word/_rels/document.xml.rels':
      '<Relationships><Relationship Id="c" Type="x/chart" Target="c.xml"/></Relationships>',
    'word/c.xml': chart,
  });

  test('in a table stands below the table, without invisible characters', async () => {
    const cell = (inside: string) => `<w:tc>${inside}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell(p('left'))}${cell(drawing)}</w:tr><w:tr>${cell(p('l2'))}${cell(p('r2'))}</w:tr></w:tbl>`;
    const chart = CHART.replace('Honey', `Honey${String.fromCodePoint(0xe0053)}`);
    expect(await read(table + p('after'), parts(chart))).toBe(
      '| left |  |\n| --- | --- |\n| l2 | r2 |\n\nHoney\n\n|  | East | West |\n| --- | --- | --- |\n| 2024 | 12.5 |  |\n| 2025 |  | 9 |\n\nafter',
    );
  });

  test('that is shown often is not written without end', async () => {
    const title = 'word '.repeat(20_000);
    const chart = `<chartSpace><chart><title><t>${title}</t></title></chart></chartSpace>`;
    const markdown = await read(drawing.repeat(100), parts(chart));
    expect(markdown.length).toBeLessThan(1_300_000);
    expect(markdown.endsWith('More charts and formulas are not shown.')).toBe(true);
  });
});

test('charts and diagrams stand where they are drawn, and rare signs part words', async () => {
  const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const drawing = (inside: string) => `<w:p><w:r><w:drawing>${inside}</w:drawing></w:r></w:p>`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${R}/${type}" Target="${target}"/>`;
  const parts = {
    'word/_rels/document.xml.rels': `<Relationships>${relation('c', 'chart', 'charts/c.xml')}${relation('d', 'diagramData', 'diagrams/d.xml')}</Relationships>`,
    'word/charts/c.xml': CHART,
    'word/diagrams/d.xml':
      '<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>Sow</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>',
  };
  const body = `${p('above')}${drawing('<c:chart r:id="c"/>')}${p('between')}${drawing('<dgm:relIds r:dm="d"/>')}<w:p><w:r><w:t>one</w:t><w:cr/><w:t>two</w:t><w:ptab w:alignment="left"/><w:t>three</w:t></w:r></w:p>`;
  expect((await read(body, parts)).replace(/ {2,}\n|\\\n/g, '\n')).toBe(
    'above\n\nHoney\n\n|  | East | West |\n| --- | --- | --- |\n| 2024 | 12.5 |  |\n| 2025 |  | 9 |\n\nbetween\n\n- Sow\n\none\ntwo three',
  );
});
