import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';
import { processorSeconds } from '../../../helpers/processor-time.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';

const write = (html: string) =>
  readHtml(
    `<html><head><title>Mills</title></head><body><article>${PROSE.repeat(5)}${html}${PROSE.repeat(3)}</article></body></html>`,
    'https://site.example/dir/page',
  ).markdown;

/** What stands between the prose. */
const middle = (html: string) =>
  write(html).split('drives a wheel.\n\n').at(5)?.split('\n\nA tide mill').at(0);

test.each([
  [
    'names without a row around them',
    '<table><thead><th></th><th>Base</th><th>Top</th></thead><tbody><tr><td>One</td><td>1</td><td>2</td></tr></tbody></table>',
    '|  | Base | Top |\n| --- | --- | --- |\n| One | 1 | 2 |',
  ],
  [
    'names in three rows',
    '<table><tr><th rowspan="3">k</th><th colspan="2">v</th></tr><tr><th colspan="2">w</th></tr><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    '| k | v / w / x | v / w / y |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
  ],
  [
    'a title over all columns',
    '<table><thead><tr><th colspan="2">Mills of the coast</th></tr><tr><th>name</th><th>built</th></tr></thead><tr><td>a</td><td>1800</td></tr></table>',
    'Mills of the coast\n\n| name | built |\n| --- | --- |\n| a | 1800 |',
  ],
  [
    'a value over several rows, in each of them',
    '<table><tr><th>coast</th><th>mill</th></tr><tr><td rowspan="2">east</td><td>a</td></tr><tr><td>b</td></tr><tr><td rowspan="1000000000">west</td><td>c</td></tr></table>',
    '| coast | mill |\n| --- | --- |\n| east | a |\n| east | b |\n| west | c |',
  ],
  [
    'a value over several columns, in the first',
    '<table><tr><th>mill</th><th>x</th><th>y</th></tr><tr><td>a</td><td colspan="2">closed</td></tr><tr><td>b</td><td>1</td><td>2</td></tr></table>',
    '| mill | x | y |\n| --- | --- | --- |\n| a | closed |  |\n| b | 1 | 2 |',
  ],
  [
    'columns that say nothing',
    '<table><tr><th>a</th><th></th><th>b</th></tr><tr><td>1</td><td> </td><td>2</td></tr></table>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'rows that are named, and no columns',
    '<table><tr><th>Brand</th><td>Coe</td></tr><tr><th>Wheels</th><td>2</td></tr></table>',
    '|  |  |\n| --- | --- |\n| Brand | Coe |\n| Wheels | 2 |',
  ],
  [
    'what someone wrote, beside who and when',
    `<table><tr><td>ada</td><td>2 May</td></tr><tr><td colspan="2"><div>${'It turns. '.repeat(70)}</div></td></tr><tr><td>#1</td><td>top</td></tr></table>`,
    `ada\n\n2 May\n\n${'It turns. '.repeat(70).trim()}\n\n#1\n\ntop`,
  ],
  [
    'a small table in a cell',
    '<table><tr><th>mill</th><th>wheels</th></tr><tr><td>a</td><td><table><tr><td>old</td><td>1</td></tr><tr><td>new</td><td>2</td></tr></table></td></tr></table>',
    '| mill | wheels |\n| --- | --- |\n| a | old · 1<br>new · 2 |',
  ],
  [
    'code and formulas in cells',
    '<table><tr><th>how</th><th>what</th></tr><tr><td><pre>a | b\nc</pre></td><td><math display="block" alttext="x^2"></math></td></tr></table>',
    '| how | what |\n| --- | --- |\n| `a \\| b`<br>`c` | $x^2$ |',
  ],
  [
    'long code in a cell, which is no value',
    `<table><tr><td>1</td><td><pre>${'line\n'.repeat(20)}</pre></td></tr><tr><td>2</td><td>x</td></tr></table>`,
    `1\n\n\`\`\`\n${'line\n'.repeat(20)}\`\`\`\n\n2\n\nx`,
  ],
])('%s', (_name, html, markdown) => {
  expect(middle(html)).toBe(markdown);
});

test.each([
  ['cells', `<table>${'<tr><td>a<td>b'.repeat(5000)}</table>`],
  [
    'spans',
    `<table>${'<tr><td rowspan=1e9 colspan=1000000000>a<td rowspan=999999999>b'.repeat(500)}</table>`,
  ],
  ['tables in tables', '<table><tr><th>a<th>b<tr><td>'.repeat(2500)],
  ['names', `<table>${`<tr>${'<th>a'.repeat(50)}`.repeat(250)}</table>`],
  ['empty columns', `<table>${`<tr>${'<td>'.repeat(1000)}x`.repeat(25)}</table>`],
])('hostile tables: %s', (_name, html) => {
  expect(processorSeconds(() => write(html))).toBeLessThan(3);
});

const cells = (...contents: readonly string[]) =>
  write(
    `<table><tr><th>what</th><th>small</th><th>large</th></tr><tr><td>Stones</td>${contents.map((one) => `<td>${one}</td>`).join('')}</tr></table>`,
  );

test.each([
  [
    'a labelled picture',
    '<svg role="img" aria-label="Yes"><path/></svg>',
    '<svg role="img"><title>No</title><path/></svg>',
  ],
  [
    'an icon font',
    '<i class="fa fa-check" aria-label="Yes"></i>',
    '<i class="fa fa-times" title="No" aria-hidden="true"></i>',
  ],
  [
    'words for screen readers',
    '<i class="fa fa-check" aria-hidden="true" title="Check"></i><span class="sr-only">Yes</span>',
    '<img src="/x.svg" alt=""><span class="visually-hidden">No</span>',
  ],
  [
    'a font that draws words',
    '<span class="material-icons" aria-label="Yes">check</span>',
    '<span class="material-icons" aria-hidden="true">close</span><span class="sr-only">No</span>',
  ],
])('a cell that is an icon has its text: %s', (_name, yes, no) => {
  expect(cells(yes, no)).toContain('| Stones | Yes | No |');
  expect(write(`<ul><li>${yes}</li><li>${no}</li></ul>`)).toContain('- Yes\n- No');
});

test('a cell with a box that is ticked or not says so', () => {
  const box = '<input type="checkbox" disabled';
  expect(cells(`${box} checked>`, `${box}>`)).toContain('| Stones | [x] | [ ] |');
});

test.each([
  ['beside text', '<svg aria-label="Zulu"></svg> 4', '| Stones | 4 | b |'],
  [
    'that is hidden',
    '<span style="display:none"><svg aria-label="Zulu"></svg></span>4',
    '| Stones | 4 | b |',
  ],
  ['with words of a drawing program', '<svg><title>Layer 1</title></svg>', '| Stones |  | b |'],
  [
    'with a long hidden text',
    `<span class="sr-only">${'Zulu obeys. '.repeat(9)}</span>`,
    '| Stones |  | b |',
  ],
  ['in a link', '<a href="/zulu"><i title="Zulu"></i></a>', '| Stones |  | b |'],
])('an icon %s says nothing', (_name, icon, row) => {
  const markdown = cells(icon, 'b');
  expect(markdown).toContain(row);
  expect(markdown).not.toContain('Zulu');
});

test('rows that name the rows below them stay in their places', () => {
  const head = '<tr><th></th><th>2023</th><th>2024</th></tr>';
  const body =
    '<tr><th colspan="3">Stones</th></tr><tr><td>Old</td><td>1</td><td>2</td></tr><tr><th colspan="3">Wheels</th></tr><tr><td>New</td><td>3</td><td>4</td></tr>';
  for (const html of [`<thead>${head}</thead><tbody>${body}</tbody>`, head + body])
    expect(write(`<table>${html}</table>`)).toContain(
      '|  | 2023 | 2024 |\n| --- | --- | --- |\n| Stones |  |  |\n| Old | 1 | 2 |\n| Wheels |  |  |\n| New | 3 | 4 |',
    );
});

test('names of columns that come again stay between their rows', () => {
  const head = '<tr><th>mill</th><th>year</th></tr>';
  expect(
    write(`<table>${head}<tr><td>a</td><td>1</td></tr>${head}<tr><td>b</td><td>2</td></tr></table>`),
  ).toContain('| mill | year |\n| --- | --- |\n| a | 1 |\n| mill | year |\n| b | 2 |');
});

const row = (...texts: readonly string[]) =>
  `<div role="row">${texts.map((one) => `<span role="cell">${one}</span>`).join('')}</div>`;
const names =
  '<div role="row"><span role="columnheader">mill</span><span role="columnheader">year</span></div>';

test.each([
  ['rows', `<div role="table">${names}${row('a', '1')}${row('b', '2')}</div>`],
  [
    'groups',
    `<div role="grid"><div role="rowgroup">${names}</div><div role="rowgroup">${row('a', '1')}${row('b', '2')}</div></div>`,
  ],
])('elements with the roles of a table are a table: %s', (_name, html) => {
  expect(write(html)).toContain('| mill | year |\n| --- | --- |\n| a | 1 |\n| b | 2 |');
});

test('rows within other boxes keep their words', () => {
  const markdown = write(`<div role="table">${names}<div class="x">${row('tide', '1793')}</div></div>`);
  for (const word of ['mill', 'year', 'tide', '1793']) expect(markdown).toContain(word);
});
