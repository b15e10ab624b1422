import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';

const write = (html: string) =>
  readHtml(
    `<html><head><title>Mills</title></head><body><article>${PROSE.repeat(5)}${html}${PROSE.repeat(3)}</article></body></html>`,
    'https://site.example/dir/page',
  ).markdown;

test.each([
  [
    'GitHub',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>Mind the tide.</p></div>',
    '[!note] Note',
  ],
  [
    'Obsidian',
    '<div data-callout="faq" class="callout"><div class="callout-title"><div class="callout-title-inner">Why?</div></div><div class="callout-content"><p>Mind the tide.</p></div></div>',
    '[!faq] Why?',
  ],
  [
    'Sphinx and Python-Markdown',
    '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Mind the tide.</p></div>',
    '[!warning] Warning',
  ],
  [
    'Bootstrap, without a title',
    '<div class="alert alert-danger" role="alert"><p>Mind the tide.</p></div>',
    '[!danger]',
  ],
  [
    'VitePress',
    '<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Mind the tide.</p></div>',
    '[!tip] TIP',
  ],
])('a callout of %s is read', (_name, html, head) => {
  expect(write(html)).toContain(`wheel.\n\n> ${head}\n>\n> Mind the tide.\n\nA tide`);
});

test.each([
  ['data-math', '<span data-math="x^2"><span>x2</span></span>'],
  ['the words of a picture', '<img src="/e.svg" class="tex" alt="x^2">'],
  ['a service that draws', '<img src="https://latex.codecogs.com/svg.image?x%5E2">'],
])('math is read in %s', (_name, html) => {
  expect(write(`<p>It is well known, so ${html} is the power of the mill in all the seas.</p>`)).toContain(
    'so $x^2$ is the power',
  );
});

test.each([
  [
    'AsciiDoc',
    '<div class="admonitionblock note"><table><tr><td class="icon"></td><td class="content"><p>Mind the tide.</p></td></tr></table></div>',
    '[!note]',
  ],
  [
    'Docusaurus',
    '<div class="theme-admonition theme-admonition-tip alert alert--success"><div class="admonitionHeading_x"><span></span>tip</div><div class="admonitionContent_x"><p>Mind the tide.</p></div></div>',
    '[!tip] tip',
  ],
  [
    'Starlight',
    '<aside class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title">Careful</p><section class="starlight-aside__content"><p>Mind the tide.</p></section></aside>',
    '[!caution] Careful',
  ],
  [
    'Confluence',
    '<div class="confluence-information-macro confluence-information-macro-warning"><div class="confluence-information-macro-body"><p>Mind the tide.</p></div></div>',
    '[!warning]',
  ],
  ['MDN', '<div class="notecard warning"><p>Mind the tide.</p></div>', '[!warning]'],
  [
    'MkDocs, closed',
    '<details class="tip"><summary>How so</summary><p>Mind the tide.</p></details>',
    '[!tip] How so',
  ],
  [
    'Obsidian Publish, closed',
    '<div data-callout-fold="-" data-callout="faq" class="callout is-collapsible is-collapsed"><div class="callout-title"><div class="callout-title-inner">How so</div><div class="callout-fold is-collapsed"></div></div><div class="callout-content" style="display: none;"><p>Mind the tide.</p></div></div>',
    '[!faq] How so',
  ],
  [
    'its kind in bold, first',
    '<div class="notecard note"><p><strong>Note:</strong> Mind the tide.</p></div>',
    '[!note] Note',
  ],
  [
    'a box of ArchWiki',
    '<div class="archwiki-template-box archwiki-template-box-warning"><strong>Warning</strong> Mind the tide.</div>',
    '[!warning] Warning',
  ],
  ['a paragraph that is called note', '<p class="note">Mind the tide.</p>', '[!note]'],
  ['a notice aside', '<aside class="notice"><p>Mind the tide.</p></aside>', '[!note]'],
  ['a note for those who listen', '<div role="note"><p>Mind the tide.</p></div>', '[!note]'],
])('a callout is read from %s', (_name, html, head) => {
  expect(write(html)).toContain(`wheel.\n\n> ${head}\n>\n> Mind the tide.\n\nA tide`);
});

test('a box of footnotes that is named note is not a callout', () => {
  const markdown = write(
    '<p>It turns still.<sup><a href="#fn1">1</a></sup></p><div class="note"><ol><li id="fn1">Said by a miller.</li></ol></div>',
  );
  expect(markdown).toContain('[^1]: Said by a miller.');
  expect(markdown).not.toContain('[!note]');
});
