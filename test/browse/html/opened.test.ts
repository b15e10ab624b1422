import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';
const TEXT =
  'The sluice gate closes by itself when the tide turns, and holds the water of the whole pond back.';
const read = (html: string, before = PROSE.repeat(4)) =>
  readHtml(`<html><body><main>${before}${html}</main></body></html>`, 'https://site.example/').markdown;

test.each([
  [
    'a tab panel that a tab names',
    `<div role="tablist"><button role="tab" aria-controls="p">Sluice</button></div><div id="p" role="tabpanel" hidden><p>${TEXT}</p></div>`,
  ],
  [
    'an answer that opens under its question',
    `<h3><button aria-expanded="false">What closes it?</button></h3><div style="display: none"><p>${TEXT}</p></div>`,
  ],
  [
    'what a link on the page leads to',
    `<a href="#more">More of it</a><div id="more" class="d-none"><p>${TEXT}</p></div>`,
  ],
])('%s is read', (_name, html) => {
  expect(read(html)).toContain('sluice gate closes');
});

test.each([
  [
    'alike parts that no control opens',
    [1, 2]
      .map((n) => `<div>Question ${n}?</div><div class="answer" style="display:none"><p>${TEXT}</p></div>`)
      .join(''),
  ],
  ['text that is hidden from screen readers', `<div aria-hidden="true"><p>${TEXT}</p></div>`],
  [
    'a dialog',
    `<button aria-controls="p">Open</button><div id="p" role="dialog" style="display:none"><p>${TEXT}</p></div>`,
  ],
  ['one hidden part', `<div>A line.</div><div class="x" style="display:none"><p>${TEXT}</p></div>`],
  [
    'the thanks of a form',
    `<form><button>Send</button></form><div style="display:none"><p>${TEXT}</p></div>`,
  ],
  [
    'words for screen readers',
    `<button aria-controls="p">Open</button><p id="p" class="sr-only">${TEXT}</p>`,
  ],
  ['faint text', `<p style="opacity:0">${TEXT}</p>`],
])('%s is not read', (_name, html) => {
  expect(read(html)).not.toContain('sluice gate closes');
});

test.each(['opacity:0', 'visibility: hidden', 'display:none', 'opacity: 0; transform: translateY(20px)'])(
  'a page whose outer wrapper has %s is read',
  (style) => {
    expect(read(`<div style="${style}">${PROSE.repeat(6)}<p>${TEXT}</p></div>`, '<p>Mills</p>')).toContain(
      'sluice gate closes',
    );
  },
);

test('content that React streams late is placed where it belongs', () => {
  const late = `<div hidden id="S:0">${PROSE.repeat(4)}<p>${TEXT}</p><template id="P:1"></template></div><div hidden id="S:1"><p>The pond is behind it, and it is as wide as the creek.</p></div>`;
  const html = `<h1>Mills</h1><template id="B:0"></template><p>The end of the page.</p>${late}<script>$RS("S:1","P:1");$RC("B:0","S:0")</script>`;
  const markdown = read(html, '');
  expect(markdown).toContain('sluice gate closes');
  expect(markdown.indexOf('sluice')).toBeLessThan(markdown.indexOf('The pond is behind'));
});

test('content that React streamed late is placed by its number in a copy without scripts', () => {
  const late = `<div hidden id="S:0">${PROSE.repeat(4)}<p>${TEXT}</p></div><div hidden id="S:1"><p>The pond is behind it, and it is as wide as the creek.</p></div>`;
  const markdown = read(
    `<h1>Mills</h1><template id="B:0"></template><template id="P:1"></template><p>The end of the page.</p>${late}`,
    '',
  );
  expect(markdown.indexOf('sluice')).toBeGreaterThan(0);
  expect(markdown.indexOf('sluice')).toBeLessThan(markdown.indexOf('The pond is behind'));
  expect(markdown.indexOf('The pond is behind')).toBeLessThan(markdown.indexOf('The end of the page'));
});

test.each([
  ['a section of character data that is never closed', '<![CDATA[\n<div>'],
  ['a script that closes itself', '<script async src="/x.js"/></script><div>'],
])('%s does not hide the rest of the page', (_name, opening) => {
  expect(read(`${opening}<p>${TEXT}</p></div>`)).toContain('sluice gate closes');
});

test('a self-closing script and its end tag enclose no text', () => {
  expect(read(`<script src="/x.js"/><p>SECRET</p></script>`)).not.toContain('SECRET');
});
