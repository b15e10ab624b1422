import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { TextRunJudge } from '../../../src/browse/readers/html/content/choose-runs.ts';
import { readFeatures } from '../../../src/browse/readers/html/content/features.ts';
import {
  chancesOf,
  createTextRunJudge,
  readContentModel,
} from '../../../src/browse/readers/html/content/model.ts';
import {
  findBestThreshold,
  mergeCopyProbabilities,
  smoothProbabilities,
} from '../../../src/browse/readers/html/content/run-probabilities.ts';
import { collectTextRuns } from '../../../src/browse/readers/html/content/runs.ts';
import { HtmlSnapshot } from '../../../src/browse/readers/html/content/snapshot.ts';
import { countText } from '../../../src/browse/readers/html/main-content/count-text.ts';
import { parseHtml } from '../../../src/browse/readers/html/parsing/parse.ts';
import { readHtml } from '../../../src/browse/readers/html.ts';

const MODEL = new URL('../../../src/browse/readers/html/content/model.bin', import.meta.url);
const URL_OF = 'https://site.example/page';
const runsOf = (html: string) => {
  const root = parseHtml(html);
  countText(root, false);
  return { root, found: collectTextRuns(root) };
};
const textOf = (run: { readonly texts: readonly { readonly data: string }[] }) =>
  run.texts
    .map(({ data }) => data)
    .join('')
    .trim();
/** Judges runs by what they say: content where the words are in the list. */
const saying =
  (...words: string[]): TextRunJudge =>
  ({ runs }) =>
    runs.map((run) => (words.some((word) => textOf(run).includes(word)) ? 1 : 0));

test('a run ends at the end of its block, and code is one run', () => {
  const { found } = runsOf(
    '<p>One <b>bold</b> word<br><br>and two.</p><pre><div>a</div><div>b</div></pre><ul><li>x <a href="/y">y</a></li></ul>',
  );
  expect(found.runs.map(textOf)).toEqual(['One bold word', 'and two.', 'ab', 'x y']);
  expect(found.runs.map(({ words }) => words)).toEqual([3, 2, 2, 2]);
});

test('the model restores dropped runs in their place and removes kept runs, and pictures follow their runs', () => {
  const html = `<main><h1>Tents</h1><p>${'A long text about tents and what they are made of. '.repeat(30)}</p>
    <div class="related"><p>Poles are sold apart.</p><img src="/pole.png" alt="a pole"></div>
    <p>Ask us about rope, <img src="/rope.png" alt="rope"> which we have too, in every length and colour.</p></main>`;
  expect(readHtml(html, URL_OF, false, () => undefined).markdown).not.toContain('Poles');
  const { markdown } = readHtml(html, URL_OF, false, saying('tents', 'Poles'));
  expect(markdown).toMatch(/about tents[\s\S]*Poles are sold apart/);
  expect(markdown).not.toContain('rope, ');
  expect(markdown).not.toContain('a pole');
});

test('links that the rules leave out stay out, whatever the trees decide', () => {
  const html = `<main><h1>Tents</h1><p>${'A long text about tents and what they are made of. '.repeat(30)}</p>
    <aside class="related"><h3><a href="/poles">Read also: all about poles</a></h3><p>Poles are sold apart.</p></aside></main>`;
  const { markdown } = readHtml(html, URL_OF, false, saying('tents', 'poles', 'Poles'));
  expect(markdown).toContain('Poles are sold apart.');
  expect(markdown).not.toContain('Read also');
});

test('a heading that the rules leave out is restored only above kept text', () => {
  const html = `<nav><h2>Ways to open a tent</h2><ul><li><a href="/print">Print it</a></li></ul></nav>
    <main><h1>Tents</h1><p>${'A long text about tents and what they are made of. '.repeat(30)}</p></main>
    <aside class="related"><h2>Rope</h2><h3>Knots</h3><p>Poles are sold apart.</p><h3>Ways to hide a tent</h3></aside>`;
  const { markdown } = readHtml(html, URL_OF, false, saying('tent', 'Poles', 'Rope', 'Knots'));
  expect(markdown).toMatch(/## Rope\s+### Knots\s+Poles are sold apart/);
  expect(markdown).not.toContain('Ways to');
});

test('a heading that the rules keep stays if kept text stands directly below it', () => {
  const under = (word: string) =>
    `<h2>Of ${word}</h2><p>${`All about ${word}, and what they are made of. `.repeat(12)}</p>`;
  const html = `<main><h1>Tents</h1>${['poles', 'pegs', 'ropes'].map(under).join('')}</main>`;
  const { markdown } = readHtml(html, URL_OF, false, saying('All about poles', 'All about pegs'));
  expect(markdown.match(/^## .*/gm)).toEqual(['## Of poles', '## Of pegs']);
});

test('of a text that occurs twice, the copy that the rules keep takes the higher probability of the dropped copy', () => {
  const said = 'The old pier is open again today.';
  const { found } = runsOf(`<p>${said}</p><p>${said}</p><p>${said}</p><p>short one</p><p>short one</p>`);
  const kept = [9, 0, 9, 0, 9];
  for (const run of found.runs) run.kept = kept[run.index] ?? 0;
  const chances = Float64Array.of(0.4, 0.3, 0.1, 0.6, 0.2);
  mergeCopyProbabilities(found.runs, chances);
  expect([...chances].map((chance) => chance.toFixed(2))).toEqual(['0.70', '0.00', '0.70', '0.60', '0.20']);
});

test('where almost no run is likely, an unlikely run is not kept for its number of words', () => {
  const html = `<main><h1>Tents</h1><p>${'A long text about tents and what they are made of. '.repeat(30)}</p>
    <div class="related"><p>Poles are sold apart, as are pegs and ropes and all that holds a tent.</p></div></main>`;
  const judge: TextRunJudge = ({ runs }) => runs.map((run) => (textOf(run).includes('Poles') ? 0.2 : 0.01));
  expect(readHtml(html, URL_OF, false, judge).markdown).not.toContain('Poles');
});

test('if the trees would leave almost nothing of a text, the rules decide', () => {
  const paragraph = (word: string) =>
    `<p>${`${word} are rented by the day, and fit whoever wears them. `.repeat(8)}</p>`;
  const html = `<main><h1>Shoes</h1>${['Socks', 'Boots', 'Laces', 'Soles'].map(paragraph).join('')}<p>Our shoes fit.</p></main>`;
  expect(readHtml(html, URL_OF, false, saying('Our shoes fit')).markdown).toContain('Laces are rented');
  const { markdown } = readHtml(html, URL_OF, false, saying('Boots', 'Socks', 'Our shoes fit'));
  expect(markdown).not.toContain('Laces are rented');
});

test('a page whose runs all stay is rendered as the rules alone render it', () => {
  const html = `<main><h1>Tents</h1>${'<p>A long text about tents, and about what they are made of.</p>'.repeat(9)}</main>`;
  const kept: TextRunJudge = ({ runs }) => runs.map((run) => (run.kept > 0 ? 1 : 0));
  expect(readHtml(html, URL_OF, false, kept)).toEqual(readHtml(html, URL_OF, false, () => undefined));
});

test('the threshold is where the expected F1 is highest, and table rows stay whole', () => {
  const { found } = runsOf(
    '<p>one two three four</p><p>five six</p><table><tr><td>a b</td><td>c d</td></tr></table><p>seven</p>',
  );
  expect(findBestThreshold(found.runs, [0.9, 0.8, 0.1, 0.1, 0.1])).toBe(0.8);
  expect(findBestThreshold(found.runs, [0.4, 0.1, 0.1, 0.1, 0.1])).toBe(0.4);
  const even = smoothProbabilities(found, [1, 1, 0.8, 0.2, 0]);
  expect(even[2]).toBeCloseTo(0.5, 5);
  expect(even[3]).toBeCloseTo(0.5, 5);
});

test('a snapshot restores dropped and moved nodes', () => {
  const root = parseHtml('<div id="a"><p>one</p><p>two <b>bold</b></p></div><div id="b"><p>three</p></div>');
  const before = new HtmlSnapshot(root);
  const [first, , third] = root.getElementsByTagName('p');
  if (!first || !third) throw new Error('three paragraphs');
  first.parentNode?.removeChild(first);
  root.prependChild(third);
  before.restore();
  expect(root.textContent).toBe('onetwo boldthree');
  expect(third.parentNode?.attributes.id).toBe('b');
});

test('a tree branches on thresholds, and the values of the leaves are added', () => {
  const forest = {
    roots: Int32Array.of(0, 1),
    features: Uint8Array.of(1, 0),
    thresholds: Float32Array.of(0.5, 2),
    low: Int16Array.of(~0, ~0),
    high: Int16Array.of(~1, ~1),
    leaves: Float32Array.of(-1, 1, 0.5, 3),
    leafRoots: Int32Array.of(0, 2),
  };
  const chance = (sum: number) => 1 / (1 + Math.exp(-sum));
  const rows = Float32Array.of(9, 2, 0.4, 9, 2.5, 0.6);
  const chances = chancesOf({ ...forest, features: Uint8Array.of(2, 1) }, rows, 3);
  expect(chances[0]).toBeCloseTo(chance(-0.5), 6);
  expect(chances[1]).toBeCloseTo(chance(4), 6);
});

test('the model uses only existing columns and is smaller than 150 kB', () => {
  const file = readFileSync(MODEL);
  expect(file.length).toBeLessThanOrEqual(150_000);
  const { forest, lexicon } = readContentModel(file);
  const { root, found } = runsOf('<h1>Title</h1><p>Some text.</p>');
  const signs = {
    article: false,
    discussion: false,
    product: false,
    root,
    types: new Set<string>(),
    url: URL_OF,
  };
  const rows = readFeatures(found, { ...signs, prose: 0, rootProse: 0 }, lexicon);
  expect(Math.max(...forest.features)).toBeLessThan(rows.width);
  expect(rows.at).toBe(rows.values.length);
  expect([...rows.values].every(Number.isFinite)).toBe(true);
});

test('a page with too many runs, or a short page, is left to the rules', () => {
  const asked: number[] = [];
  const judge: TextRunJudge = ({ runs }) => {
    asked.push(runs.length);
    return undefined;
  };
  const page = (paragraphs: number) => '<p>some words</p>'.repeat(paragraphs);
  for (const paragraphs of [20_001, 20_000, 124, 125]) readHtml(page(paragraphs), URL_OF, false, judge);
  expect(asked).toEqual([20_000, 125]);
});

test('in a thread the parts of a post that the rules keep stay with its text, and code stays', () => {
  const post = (name: string) =>
    `<div class="post"><h3>${name}</h3><div class="body"><p>${'What is said in this post of the thread. '.repeat(9)}</p><pre>run it</pre></div></div>`;
  const html = `<main><h1>Chains</h1>${post('ann')}${post('bob')}${post('cy')}<p>${'Other words that are no post at all. '.repeat(20)}</p></main>`;
  const { markdown } = readHtml(html, 'https://site.example/forum/thread/1', false, saying('What is said'));
  expect(markdown).toMatch(/ann[\s\S]*run it[\s\S]*bob[\s\S]*cy/);
  expect(markdown).not.toContain('Other words');
});

const say = (about: string) =>
  `<p>${about} is what this part of the page says something about, in a sentence or two. Those who read it know more about it afterwards, and that was the aim.</p>`;
const links = (word: string, count: number) =>
  `<ul class="menu-list">${Array.from({ length: count }, (_, i) => `<li><a href="/m${i}">${word} ${i}</a></li>`).join('')}</ul>`;
const goods = (word: string, count: number, name: string) =>
  Array.from(
    { length: count },
    (_, i) =>
      `<div class="${name}"><a href="/p/${i}"><h3>${word} tent ${i}</h3></a><span>$${i + 20}.99</span><p>Sleeps ${i + 1}, weighs ${i + 2} kg and stands in any wind.</p></div>`,
  ).join('');
const whole = (body: string) =>
  `<html><head><title>Tents</title></head><body><header>${links('Zulu', 8)}</header><div class="wrapper">${body}</div><footer>${links('Zulu', 12)}</footer></body></html>`;

const PRODUCT = [
  'https://shop.example/products/tent',
  whole(
    `<h1>Alva tent</h1><span class="price">$129.99</span>${say('The Alva tent')}<h2>Specifications</h2><table><tr><th>Weight</th><td>2.4 kg</td></tr><tr><th>Sleeps</th><td>Three</td></tr></table>${say('The pole').repeat(4)}<div class="slider"><div class="h">Zulu also viewed</div>${goods('Zulu', 8, 'slide')}</div>`,
  ),
] as const;
const LISTING = [
  'https://shop.example/tents/',
  whole(
    `<div class="left col">${['size', 'colour', 'brand'].map((one) => `<div class="facet"><div>Zulu ${one}</div>${links(`Zulu ${one}`, 9)}</div>`).join('')}</div><div class="right col"><h1>Tents</h1>${goods('Alva', 16, 'card')}</div>`,
  ),
] as const;
const THREAD = [
  'https://site.example/forum/threads/chains.7',
  whole(
    `<h1>Which chain?</h1>${['Alva', 'Brora', 'Crail', 'Doune', 'Elie'].map((name) => `<div class="row post"><div class="cell user"><a href="/u/${name}">${name}</a><div>Posts: 120</div><div>Joined: May 2019</div></div><div class="cell text">${say(name)}${say(`More of ${name}`)}</div></div>`).join('')}`,
  ),
] as const;

test('a listing keeps its goods with their prices, and the trees remove the filters beside them', () => {
  const [url, html] = LISTING;
  const { markdown } = readHtml(html, url);
  for (const part of ['Alva tent 0', '$20.99', 'Alva tent 15', 'Sleeps 16']) expect(markdown).toContain(part);
  expect(markdown).not.toContain('Zulu');
  expect(readHtml(html, url, false, () => undefined).markdown).toContain('Zulu');
});

test('a product keeps its name, price and specifications, whatever the trees decide', () => {
  const [url, html] = PRODUCT;
  for (const judge of [undefined, saying('The pole')]) {
    const { markdown } = readHtml(html, url, false, judge);
    for (const part of ['# Alva tent', '$129.99', '2.4 kg', 'Three', 'The pole'])
      expect(markdown).toContain(part);
  }
});

test('a thread keeps its posts with their authors, without the statistics of the forum about the authors', () => {
  const [url, html] = THREAD;
  const { markdown } = readHtml(html, url);
  for (const name of ['Alva', 'Brora', 'Crail', 'Doune', 'Elie']) {
    expect(markdown).toContain(`[${name}]`);
    expect(markdown).toContain(`More of ${name}`);
  }
  expect(markdown).not.toMatch(/Zulu|Joined|Posts/);
});

test.each([
  ['a product', PRODUCT],
  ['a listing', LISTING],
  ['a thread', THREAD],
])('%s gives the same result each time', (_, [url, html]) => {
  expect(readHtml(html, url)).toEqual(readHtml(html, url));
});

test('a list with no kept items leaves no empty list', () => {
  const gone = `<ul>${'<li>Rope, of which the trees say that it is no content of this page.</li>'.repeat(9)}</ul>`;
  const html = `<main><h1>Tents</h1>${say('A tent').repeat(12)}${gone}${say('A pole')}</main>`;
  const { markdown } = readHtml(html, URL_OF, false, saying('A tent', 'A pole'));
  expect(markdown).not.toMatch(/Rope|^[-*]/m);
  expect(markdown).toContain('A pole');
});

test('a missing, broken or incompatible model is reported, and the rules read the page', async () => {
  const file = readFileSync(MODEL);
  expect(() => readContentModel(file.subarray(0, file.length - 9))).toThrow('model.bin is broken');
  expect(() => readContentModel(Buffer.from('no model at all'))).toThrow('is not a model');
  const other = Buffer.from(file);
  other.writeUInt32LE(7, 4);
  expect(() => readContentModel(other)).toThrow('asks for 7 columns');
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  const [url, html] = LISTING;
  const judge = createTextRunJudge(new URL('./no-model.bin', import.meta.url));
  expect(readHtml(html, url, false, judge)).toEqual(readHtml(html, url, false, () => undefined));
  expect((await warned).message).toContain('pages are read by rules alone');
});

test('an article that the rules are certain of is not passed to the model', () => {
  const asked: number[] = [];
  const judge: TextRunJudge = ({ runs }) => {
    asked.push(runs.length);
    return undefined;
  };
  readHtml(`<article><h1>Tents</h1>${say('A tent').repeat(60)}</article>`, URL_OF, false, judge);
  expect(asked).toEqual([]);
  readHtml(`<article><h1>Tents</h1>${say('A tent').repeat(20)}</article>`, URL_OF, false, judge);
  expect(asked).toEqual([21]);
});

test('a pull quote that the rules leave out is not restored', () => {
  const quote = 'those who read it know more about it afterwards';
  const html = `<main><h1>Tents</h1>${say('A tent').repeat(12)}<div class="related">${quote}</div><div class="related">Poles are sold apart, and so are pegs.</div>${say('A pole')}</main>`;
  const { markdown } = readHtml(html.replace(quote, `Those${quote.slice(5)}`), URL_OF, false, () =>
    Array.from({ length: 40 }, () => 1).slice(0, 16),
  );
  expect(markdown).toContain('Poles are sold apart');
  expect(markdown).not.toMatch(/^Those who/m);
});
