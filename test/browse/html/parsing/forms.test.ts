import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const RULE =
  '<p>Berths are let for a year, the owner keeps the pontoon clean, and no one may sleep aboard in the winter months.</p>';
const page = (body: string) =>
  `<html><head><title>Apply for a berth | Port</title></head><body><header><form role="search"><input name="q"></form></header><main><h1>Apply for a berth</h1>${body}</main><footer><p>Port authority</p></footer></body></html>`;
const write = (body: string) =>
  readHtml(page(body), 'https://s.example/berth').markdown.replaceAll('\n\n', '\n');

const FIELDS = [
  '<fieldset><legend>1. The boat</legend><div class="form-group"><label for="a">Name of the boat <b>*</b></label><input id="a" name="a"></div>',
  '<div class="form-group date"><label for="b">Year</label><input id="b" name="b" type="number"><small class="hint">On the plate at the stern.</small></div></fieldset>',
  '<fieldset><legend>2. Pier</legend><div><input type="radio" name="p" id="n"><label for="n">North pier (80 euros)</label></div>',
  '<div><input type="radio" name="p" id="s"><label for="s">South pier (50 euros)</label></div>',
  '<label for="e">Engine</label><select id="e" name="e"><option value="">Choose</option><option>Petrol</option><option>Diesel</option></select>',
  '<label><input type="checkbox" name="k"> I know the rules</label></fieldset>',
].join('');
const FORM = `<form method="post" class="survey">${FIELDS}<button>Send</button></form>`;
const ASKED = [
  '**1. The boat**',
  'Name of the boat \\*',
  'Year',
  'On the plate at the stern.',
  '**2. Pier**',
  '- North pier (80 euros)\n- South pier (50 euros)',
  'Engine',
  'Petrol · Diesel',
  '- I know the rules',
].join('\n');

test.each([
  ['a form that is all of the page', FORM],
  ['a form below an introduction', `${RULE.repeat(2)}${FORM}`],
  ['a form that long rules explain', `${RULE.repeat(9)}${FORM}${RULE}`],
  ['fields without a form', `${RULE}<div>${FIELDS}</div>`],
])('%s is given with all that it asks and offers, in its order', (_name, body) => {
  const markdown = write(body);
  expect(markdown).toContain(ASKED);
  expect(markdown).not.toMatch(/Choose|Send/);
});

test('a form around the whole page is not the form that is asked, but the fields in its main part are', () => {
  const whole = page(FIELDS)
    .replace('<body>', '<body><form method="post">')
    .replace('</body>', '</form></body>');
  expect(readHtml(whole.replace(/<form role.*?<\/form>/, '')).markdown.replaceAll('\n\n', '\n')).toContain(
    ASKED,
  );
});

test.each([
  [
    'fields in a table',
    '<table><tr><td>Name:</td><td><input name="a"></td></tr><tr><td>Length:</td><td><input name="b"> <i>over all</i></td></tr><tr><td>Engine:</td><td><input type="radio" name="e"> Petrol <input type="radio" name="e"> None</td></tr></table>',
    '| Length: | *over all* |\n| Engine: | Petrol<br>None |',
  ],
  [
    'fields in a list',
    '<ul><li><label for="a">Name</label><input id="a" name="a"></li><li><label for="b">Length</label><input id="b" name="b"><em>in metres</em></li><li>Engine<ul><li><label><input type="radio" name="e">Petrol</label></li><li><label><input type="radio" name="e">None</label></li></ul></li></ul>',
    '- Name\n- Length *in metres*\n- Engine\n  - Petrol\n  - None',
  ],
  [
    'labels that only attributes say',
    '<div><input name="a" placeholder="Name of the boat"></div><div><input name="b" aria-label="Length"></div><select name="c" aria-label="Pier"><option>North</option><option>South</option></select>',
    'Name of the boat\nLength\nPier: North · South',
  ],
])('a form is text, whatever holds its fields: %s', (_name, fields, text) => {
  expect(write(`<form method="post">${fields}<button>Send</button></form>`)).toContain(text);
});

test.each([
  ['comments', `${RULE.repeat(3)}<form method="post" id="commentform">${FIELDS}</form>`],
  ['filters', `${RULE}<form class="filters">${FIELDS}</form>`],
  [
    'a request below an article',
    `${RULE.repeat(9)}<form method="post">${FIELDS.replace(/<.?legend>/g, '')}</form>`,
  ],
  ['a form in the sidebar', `${RULE.repeat(3)}<aside>${FORM}</aside>`],
])('a form beside the text of a page is left out: %s', (_name, body) => {
  expect(write(body)).not.toMatch(/Name of the boat|South pier/);
});

test.each([
  [
    'a calculator in the middle',
    `${RULE.repeat(3)}<h2>Sum</h2><div><label>Sum <input name="a"></label><label>Years <input name="b"></label><label>Rate <input name="c"></label></div>`,
  ],
  [
    'a form around all of it',
    `<form method="post"><label for="a">Search</label><input id="a" name="a"><label for="b">Tongue</label><input id="b" name="b">${RULE}<label for="c">Letter</label><input id="c" name="c">TEXT</form>`,
  ],
])('loose fields do not make a form of an article, whose buttons keep their words: %s', (_name, fields) => {
  const long = RULE.replace('<p>', '<p>One thing is certain for all of them, whatever the harbour says: ');
  const article = `${long.replace('</p>', ' It was so in the days of the old pier.</p>').repeat(4)}<h3><button aria-expanded="false">What does it cost?</button></h3>${long}<p>Begin anew, and <button>Print</button> for paper copies.</p>`;
  const body = fields.includes('TEXT') ? fields.replace('TEXT', article) : fields + article;
  const markdown = readHtml(page(body), 'https://s.example/berth').markdown;
  expect(markdown).toContain('### What does it cost?');
  expect(markdown).toContain('Begin anew, and Print for paper copies.');
});

test('buttons that open answers within a form that is asked stay', () => {
  const opener =
    '<h3><button aria-expanded="false">What does it cost?</button></h3><p>It costs 80 euros.</p>';
  expect(
    write(
      FORM.replace('</form>', `${opener}<p>Begin anew, and <button>Print</button> first of all.</p></form>`),
    ),
  ).toContain(`${ASKED}\n### What does it cost?\nIt costs 80 euros.\nBegin anew, and Print first of all.`);
});
