import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const ferry = (town: string) =>
  `The ferry to ${town} leaves from the old pier every morning, and comes back when the tide turns in the evening.`;
const read = (body: string, url: string, head = '') =>
  readHtml(
    `<html><head><title>Piers</title>${head}</head><body><h1>Which pier?</h1>${body}</body></html>`,
    url,
  ).markdown;

const post = (inside: string) => `<div class="post"><a href="/u/ann">Ann</a>${inside}</div>`;
const thread = (inside: string, after = '') =>
  read(
    `${['Alva', 'Brora', 'Crail'].map((town) => post(`<p>${ferry(town)}</p>${inside}`)).join('')}${after}`,
    'https://forum.example/threads/piers.7',
  );

test.each([
  ['a signature', '<div class="post-signature">Zulu sailed them all</div>'],
  ['what the forum counts of a member', '<dl class="message-userExtras"><dt>Zulu score</dt><dd>12</dd></dl>'],
  ['who likes it', '<div class="reactionsBar">Zulu and others</div>'],
  ['how many like it', '<div>12 likes</div>'],
  ['a control', '<div>Reply</div>'],
  ['a notice of the forum', '<div class="notice">Zulu closes on Sunday</div>'],
])('%s is not part of the posts', (_, frame) => {
  const markdown = thread(frame);
  expect(markdown).not.toMatch(/Zulu|12|Reply/);
  expect(markdown).toContain(ferry('Crail'));
});

test('similar threads are not part of the thread', () => {
  const others = `<div><h3>Similar threads</h3><p>Zulu asks: ${ferry('Zulu')}</p></div>`;
  expect(thread('', others)).not.toContain('Zulu');
});

test('notes under an answer are dropped, and comments that are the posts are kept', () => {
  const schema = '<script type="application/ld+json">{"@type":"QAPage"}</script>';
  const notes = (text: string) => `<ul class="comments-list"><li class="comment">${text}</li></ul>`;
  const answer = (town: string, text: string) =>
    `<div class="answer"><p>${ferry(town)}</p><p>${ferry(`New ${town}`)}</p>${text}</div>`;
  const asked = `<div class="question"><p>${ferry('Alva')}</p></div>`;
  const answers =
    answer('Brora', notes('Zulu: is that so still, in winter?')) + answer('Crail', notes('Zulu: it is.'));
  const markdown = read(`${asked}${answers}`, 'https://piers.example/questions/7/which-pier', schema);
  expect(markdown).not.toContain('Zulu');
  expect(markdown).toContain(ferry('New Crail'));
  const posts = ['Doune', 'Elie', 'Fyvie']
    .map((town) => `<div class="comment"><p>${ferry(town)}</p></div>`)
    .join('');
  expect(
    read(
      `<div class="question"><p>${ferry('Alva')}</p></div><div>${posts}</div>`,
      'https://forum.example/7',
      schema,
    ),
  ).toContain(ferry('Fyvie'));
});

test('on a product page other goods and reviews are frame, and the parts and options of the product stay', () => {
  const thing = `<p>£12</p><p>${ferry('Alva')}</p><ul><li>Deck: upper</li><li>Deck: lower</li></ul><h2>Details</h2><table><tr><th>Seats</th><td>40</td></tr></table>`;
  const others = [
    `<section><h2>You may also like</h2><p>${ferry('Zulu')}</p></section>`,
    `<section><h2>Customer reviews</h2><p>${ferry('Zulu')}</p></section>`,
    '<div class="wishlist">Add Zulu to a list</div>',
  ].join('');
  const markdown = read(`<div>${thing}</div>${others}`, 'https://pier.example/products/day-ticket');
  expect(markdown).not.toContain('Zulu');
  for (const part of ['£12', 'Deck: lower', 'Seats']) expect(markdown).toContain(part);
});

test('headings of a product page are chapters in a text that sells nothing', () => {
  const chapters = `<section><h2>Customer reviews</h2><p>${ferry('Zulu')}</p></section>`;
  expect(
    read(`<p>${ferry('Alva')}</p>${chapters}<p>${ferry('Brora')}</p>`, 'https://pier.example/about'),
  ).toContain('Zulu');
});
