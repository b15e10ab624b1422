import { expect, test } from 'vitest';
import { fragmentToMarkdown } from '../../../../src/browse/readers/fragment.ts';
import { readHtml } from '../../../../src/browse/readers/html.ts';

/** Lists that Word and Outlook write as paragraphs, as in benbalter/word-to-markdown#13. */

const item = (level: number, mark: string, text: string) =>
  `<p class=MsoListParagraph style='margin-left:${36 * level}.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`;
const read = (html: string) => fragmentToMarkdown(html, 'https://x.example/');

test('paragraphs with list styles become lists with levels', () => {
  const html = `<p class=MsoNormal>Dear Tomas,</p>${item(1, '·', 'Order <b>ropes</b>')}${item(2, 'o', 'Below it')}${item(3, '§', 'Square')}${item(1, '·', 'Paint')}<p class=MsoNormal>Regards</p>`;
  const list = '- Order **ropes**\n  - Below it\n    - Square\n- Paint';
  expect(read(html)).toBe(`Dear Tomas,\n\n${list}\n\nRegards`);
  expect(
    readHtml(`<html><body>${html}${'<p>The lock is open from six until ten in summer.</p>'.repeat(9)}`)
      .markdown,
  ).toContain(list);
});

test('numbers stay, a letter stays text, and a mark without style is known by its class', () => {
  expect(read(item(1, '3.', 'Three') + item(1, '4.', 'Four') + item(2, 'a)', 'Letter'))).toBe(
    '3. Three\n4. Four\n\na) Letter',
  );
  const stripped = (margin: string, mark: string, text: string) =>
    `<p class="x_MsoListParagraph" style="margin-left:${margin}"><span>${mark}<span>&nbsp;&nbsp; &nbsp;</span></span>${text}</p>`;
  expect(
    read(stripped('0.5in', '·', 'Order') + stripped('1.0in', 'o', 'Below') + stripped('36pt', '·', 'Paint')),
  ).toBe('- Order\n  - Below\n- Paint');
});

test('a paragraph with a list class but no mark stays a paragraph and ends the list', () => {
  const plain = '<p class=MsoListParagraph>o Henry, come</p>';
  expect(read(item(1, '·', 'Order') + plain + item(1, '·', 'Paint'))).toBe(
    '- Order\n\no Henry, come\n\n- Paint',
  );
});

test('marks with words are text, and so are words before a wide gap', () => {
  expect(read(item(1, 'Article 1.', 'The quay'))).toBe('Article 1. The quay');
  expect(read('<p class=MsoListParagraph>Yes.&nbsp; We can.</p>')).toBe('Yes. We can.');
  expect(read(item(1, '2.', 'Two') + item(2, '2.3.', 'Three'))).toBe('2. Two\n\n2.3. Three');
});

test('a picture before the mark stays, and a long list keeps every item', () => {
  expect(read("<p class=MsoListParagraph><img src=a.png alt='Chart of sales'>·&nbsp;Text</p>")).toContain(
    'Chart of sales',
  );
  const many = read('<p class=MsoListParagraph>·&nbsp;x</p>\n'.repeat(20_000));
  expect(many.split('\n')).toHaveLength(20_000);
});

test('class names say levels, of one long list or of many short ones, but numbers in class names are none', () => {
  const list = (items: string) => readHtml(`<main><h1>Ropes</h1>${items}</main>`).markdown;
  const inner = '<li class="ql-indent-1">b</li>\n'.repeat(40_000);
  expect(list(`<ul><li>a</li>${inner}</ul>`).match(/^ {2}- b$/gm)).toHaveLength(40_000);
  const lists = '<ul class="lst-kix_a-1"><li>b</li></ul>\n'.repeat(10_000);
  expect(list(`<ul class="lst-kix_a-0"><li>a</li></ul>\n${lists}`).match(/^ {2}- b$/gm)).toHaveLength(10_000);
  const numbered = [1, 2, 3].map((n) => `<li class="lst-item-${n}">Rope</li>`).join('');
  expect(list(`<ol>${numbered}</ol>`)).toContain('1. Rope\n2. Rope\n3. Rope');
});
