import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';
const read = (html: string, style = '') =>
  readHtml(
    `<html><head><style>${style}</style></head><body><article>${PROSE.repeat(4)}${html}</article></body></html>`,
    'https://site.example/',
  ).markdown;

test.each([
  ['a class', '.x{display:none}', '<p class="a x">SECRET</p>'],
  ['an id', 'p#x { color: red; visibility: hidden }', '<p id="x">SECRET</p>'],
  ['one of several selectors', '.y, .x{opacity:0}', '<p class="x">SECRET</p>'],
  [
    'a rule behind comments and at-rules',
    '@import "a"; /* {.x{ */ @font-face{src:x} .x{display:none}',
    '<p class="x">SECRET</p>',
  ],
  ['a rule for every screen', '@media screen{.x{display:none}}', '<p class="x">SECRET</p>'],
  ['text without size', '.x{font-size:0}', '<p class="x">SECRET</p>'],
  ['text of a pixel', '', '<p style="font-size:0.5px">SECRET</p>'],
  ['text in its background', '', '<p style="color:#FFF; background-color: white">SECRET</p>'],
  ['clear text', '', '<p style="color:transparent">SECRET</p>'],
  [
    'a rule that wants to hide above all',
    '.x{display:none!important;display:block}',
    '<p class="x">SECRET</p>',
  ],
  [
    'a rule that words in it seem to take back',
    '.x{display:none;a:url(;display:block;)}',
    '<p class="x">SECRET</p>',
  ],
  [
    'a rule that a quote in it seems to take back',
    `.x{display:none;content:";display:block;"}`,
    '<p class="x">SECRET</p>',
  ],
  ['a rule with a value that there is not', '.x{display:none;display:sure}', '<p class="x">SECRET</p>'],
  ['a style that hides in two ways', '', '<p style="display:none;opacity:0;display:block">SECRET</p>'],
  ['text moved away', '', '<p style="transform:translateX(-9999px)">SECRET</p>'],
  ['words for screen readers', '', '<p class="sr-only">SECRET</p>'],
  [
    'words of several lines beside those',
    '',
    `<p><span aria-hidden="true">${'many words '.repeat(9)} 1 SECRET</span><span class="sr-only">1</span></p>`,
  ],
  ['a sign for a link', '', '<p>A mill<a aria-hidden="true" href="#SECRET">SECRET</a></p>'],
  ['what a form answers when it was sent', '', '<div class="w-form-done"><p>SECRET</p></div>'],
  ['a closed dialog', '', '<dialog>SECRET</dialog>'],
  ['the title of a drawing', '', '<svg><title>SECRET</title><metadata>SECRET</metadata></svg>'],
  ['what is for browsers without scripts', '', '<noscript>SECRET</noscript>'],
])('%s is not read', (_name, style, html) => {
  expect(read(html, style)).not.toContain('SECRET');
});

test.each([
  ['a rule that a later one takes back', '.x{display:none} .x{display:block}', '<p class="x">SEEN</p>'],
  [
    'what a rule hides and then shows',
    '.x{display:none;width:100%;display:inline-block;padding:0}',
    '<p class="x">SEEN</p>',
  ],
  [
    'what a style hides and then shows',
    '',
    '<p style="transform:scale(0.5);display:none;display:block">SEEN</p>',
  ],
  ['a rule for small screens', '@media (max-width:9px){.x{display:none}}', '<p class="x">SEEN</p>'],
  ['a rule for something in something', '.js .x{display:none}', '<p class="x">SEEN</p>'],
  ['a box without height whose text runs over', '', '<div style="height:0">SEEN</div>'],
  ['gaps closed by a size of nothing', '.x{font-size:0}', '<div class="x"><p>SEEN</p></div>'],
  ['text with a size of its own', '', '<div style="font-size:0"><p style="font-size:1em">SEEN</p></div>'],
  ['hidden on small screens only', '', '<p class="hidden md:block">SEEN</p>'],
  ['an open dialog', '', '<dialog open>SEEN</dialog>'],
  [
    'a price that is said in other words',
    '',
    '<p>A mug <del aria-hidden="true">$3</del> <span class="sr-only">Was $3.</span> <ins aria-hidden="true">$2 SEEN</ins><span class="sr-only">Is $2.</span></p>',
  ],
  [
    'a second link of words to a page',
    '',
    '<p><a href="/b" aria-hidden="true" tabindex="-1">What a tide mill costs to build, and whether it pays, SEEN from afar.</a></p>',
  ],
  [
    'an answer that a style sheet folds',
    '.accordion_item-text{display:none}',
    '<div><h3>Why?</h3><div class="accordion_item-text">SEEN</div></div>',
  ],
  ['a tab that is named one', '', `<div class="tab-pane" style="display:none">${PROSE} SEEN</div>`],
  [
    'a tab of links',
    '',
    '<div role="tabpanel" style="display:none"><ul><li><a href="/a">Permit SEEN</a></li></ul></div>',
  ],
])('%s is read', (_name, style, html) => {
  expect(read(html, style)).toContain('SEEN');
});

test('a page that its own style hides as a whole, or that needs no scripts, is read', () => {
  const hidden = `<style>.app{display:none}</style><div class="app">${PROSE.repeat(9)}</div>`;
  expect(readHtml(hidden, 'https://site.example/').markdown).toContain('A tide mill');
  const scriptless = `<div id="app"></div><noscript>${PROSE.repeat(9)}</noscript>`;
  expect(readHtml(scriptless, 'https://site.example/').markdown).toContain('A tide mill');
});

// Each nests at least 10,000 deep, which is more than a function may call itself.
test.each([
  [20_000, 'open tags', '<div>'],
  [5_000, 'lists in lists', '<ul><li>a'],
  [5_000, 'tables in tables', '<table><tr><td>a'],
  [10_000, 'marks', '<b><i>a'],
  [10_000, 'crossed marks', '<b><p>a'],
  [10_000, 'quotes', '<blockquote>a'],
  [5_000, 'definitions', '<dl><dt>a<dd>b'],
  [20_000, 'brackets', '<'],
  [20_000, 'comments', '<!--'],
  [20_000, 'attributes', '<a b'],
  [20_000, 'style braces', '<style>{'],
  [20_000, 'spaces that do not break', '\u00a0'],
])('%i times %s cause no stack overflow and take little time', (times, _name, piece) => {
  const work = () => {
    const { markdown } = readHtml(`<p>Before it.</p>${piece.repeat(times)}`, 'https://site.example/');
    expect(markdown).toContain('Before it.');
  };
  // Far above what it takes on a slow machine, far below what quadratic time would be.
  expect(processorSeconds(work)).toBeLessThan(3);
});

const FIRST = 'When he came in 1979';
test.each([
  [
    'both words',
    `<p><span class="sr-only">When</span><span aria-hidden="true"><b>W</b>hen</span> he came in 1979.</p>`,
  ],
  [
    'the letter',
    `<p><span class="sr-only">W</span><span aria-hidden="true">W</span>hen he came in 1979.</p>`,
  ],
  ['a word named otherwise', `<p><i class="k">When</i><b aria-hidden="true">When</b> he came in 1979.</p>`],
])('shows a word once that stands twice, for readers and for screen readers: %s', (_name, html) => {
  const text = read(html, '.k{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}');
  expect(text.replaceAll('*', '')).toContain(FIRST);
  expect(text.replaceAll('*', '').split('When')).toHaveLength(2);
});

test('shows as code what fields that cannot be changed offer for copying', () => {
  const area = '&lt;div id="a"&gt;&lt;/div&gt;\n<script src="https://s.example/x.js"></script>';
  const text = read(
    `<p><textarea readonly>${area}</textarea></p><p><input readonly value="https://s.example/feed.xml"></p>${PROSE}
    <p><input readonly value="2026-03-02"></p><textarea>mine</textarea><textarea readonly hidden>SECRET</textarea>
    <form><input readonly value="https://s.example/form"></form>`,
  );
  expect(text).toContain('```\n<div id="a"></div>\n<script src="https://s.example/x.js"></script>\n```');
  expect(text).toContain('`https://s.example/feed.xml`');
  expect(text).not.toMatch(/SECRET|2026|mine|form/);
});
