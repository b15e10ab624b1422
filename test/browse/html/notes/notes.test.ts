import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';

const write = (html: string, after = '') =>
  readHtml(
    `<html><head><title>Mills</title></head><body><article>${PROSE.repeat(5)}${html}</article>${after}</body></html>`,
    'https://site.example/dir/page',
  ).markdown;

const SAID = 'It is the oldest mill of its kind in the land';
const TWO = (mark: (n: number) => string) =>
  `<p>${SAID}.${mark(1)} It turns still, and people come to see it.</p><p>The pond is full at noon.${mark(2)} So it is said there.</p>`;
const SAID_BY = (n: number) => `Said by ${n === 1 ? 'a miller' : '<a href="/her">her</a>'}.`;
const sup = (n: number) => `<sup>${n}</sup>`;

test.each([
  [
    'items of a list, with a way back',
    TWO((n) => `<sup><a href="#fn${n}" id="ref${n}">[${n}]</a></sup>`),
    '<section class="footnotes"><ol><li id="fn1"><p>Said by a miller. <a href="#ref1">↩</a></p></li><li id="fn2"><p>Said by <a href="/her">her</a>. <a href="#ref2">↩</a></p></li></ol></section>',
  ],
  [
    'a box outside of the article',
    TWO(sup),
    '</article><div class="x"><div class="Post__footnotes"><h4>Footnotes</h4><ol><li>Said by a miller.</li><li>Said by <a href="/her">her</a>.</li></ol></div></div><article>',
  ],
  [
    'numbered paragraphs under a rule',
    TWO(sup),
    '<hr><p><strong>1</strong> Said by a miller.</p><p><strong>2</strong> Said by <a href="/her">her</a>.</p>',
  ],
  [
    'numbered paragraphs under a heading',
    TWO(sup),
    '<h2>Notes</h2><p><sup>1</sup> Said by a miller.</p><p><sup>2</sup> Said by <a href="/her">her</a>.</p>',
  ],
  [
    'names in one paragraph with breaks',
    TWO((n) => `<a href="#n${n}"><sup>${n}</sup></a>`),
    '<p><a name="n1"><sup>1</sup></a> Said by a miller.<br><br><a name="n2"><sup>2</sup></a> Said by <a href="/her">her</a>.</p>',
  ],
  [
    'boxes of a number and a text',
    TWO(
      (n) => `<a class="footnote-anchor" href="https://site.example/dir/page#f-${n}" id="fa-${n}">${n}</a>`,
    ),
    '<div class="footnote"><a id="f-1" class="footnote-number" href="https://site.example/dir/page#fa-1">1</a><div><p>Said by a miller.</p></div></div><div class="footnote"><a id="f-2" href="#fa-2">2</a><div><p>Said by <a href="/her">her</a>.</p></div></div>',
  ],
  [
    'references in brackets',
    TWO((n) => ` <a href="#r${n}">[${n}]</a>`),
    '<h4>References and notes</h4><ol><li><a id="r1"></a>Said by a miller.</li><li><a id="r2"></a>Said by <a href="/her">her</a>.</li></ol>',
  ],
  [
    'headings of a number each',
    TWO((n) => `<a class="footnote" id="D${n}" href="#F${n}"><sup>${n}</sup></a>`),
    '<h5><a id="F1" href="#D1">(1)</a></h5><p>Said by a miller.</p><h5><a id="F2" href="#D2">(2)</a></h5><p>Said by <a href="/her">her</a>.</p>',
  ],
  [
    'notes in the margin',
    TWO(
      (n) =>
        `<label for="sn${n}" class="margin-toggle"></label><input type="checkbox" id="sn${n}"><span class="sidenote">${SAID_BY(n)}</span>`,
    ),
    '',
  ],
  [
    'notes in the margin behind a sign',
    TWO(
      (n) =>
        `<label for="mn${n}" class="margin-toggle">&#8853;</label><input type="checkbox" id="mn${n}"><span class="marginnote">${SAID_BY(n)}</span>`,
    ),
    '',
  ],
  [
    'notes in the margin with and without a number',
    TWO((n) =>
      n === 1
        ? `<label for="sn" class="margin-toggle sidenote-number"></label><input type="checkbox" id="sn"><span class="sidenote">${SAID_BY(n)}</span>`
        : `<small class="sidenote">${SAID_BY(n)}</small>`,
    ),
    '',
  ],
  ['notes of Distill', TWO((n) => `<d-footnote>${SAID_BY(n)}</d-footnote>`), ''],
  [
    'notes in the margin of Quarto',
    TWO((n) => `<span class="column-margin margin-aside">${SAID_BY(n)}</span>`),
    '',
  ],
  [
    'boxes in the margin that references lead to',
    TWO((n) => `<a href="#fn${n}" class="footnote-ref" role="doc-noteref"><sup>${n}</sup></a>`),
    [1, 2]
      .map(
        (n) =>
          `<div class="column-margin"><div id="fn${n}"><p><sup>${n}</sup>&nbsp;${SAID_BY(n)}</p></div></div>`,
      )
      .join(''),
  ],
])('footnotes: %s', (_name, text, notes) => {
  const markdown = write(text + notes);
  expect(markdown).toMatch(/in the land\. ?\[\^1\] It turns/);
  expect(markdown).toMatch(/at noon\. ?\[\^2\] So/);
  expect(markdown).toContain('\n\n[^1]: Said by a miller.\n\n[^2]: Said by [her](https://site.example/her).');
  expect(markdown).not.toMatch(/\n(?:\d\.|- |\*\*\d\*\*|\[\d\])/);
});

test.each(['sidenote', 'marginnote', 'footnote', 'column-margin'])(
  'an aside without a number, %s, stays in its place',
  (name) => {
    const markdown = write(
      `<p>${SAID}.</p><aside class="${name}">Said by a miller.</aside><p>It turns still.</p>`,
    );
    expect(markdown).toContain('in the land.\n\nSaid by a miller.\n\nIt turns');
  },
);

test('a note with two references is listed once, and stars are numbered', () => {
  const markdown = write(
    `<p>${SAID}.<sup><a href="#a">*</a></sup> It turns.<sup><a href="#b">*</a></sup> It does.<sup><a href="#a">*</a></sup></p><ul class="notes"><li id="a">Said by a miller.</li><li id="b">Still said to be so.</li></ul>`,
  );
  expect(markdown).toContain('land.[^1] It turns.[^2] It does.[^1]');
  expect(markdown.match(/\[\^1\]: Said by a miller\./g)).toHaveLength(1);
  expect(markdown).toContain('[^2]: Still said to be so.');
});

test('a note of several blocks stays in one piece', () => {
  const markdown = write(
    `<p>${SAID}.<sup>1</sup></p><hr><p><sup>1</sup> For two reasons:</p><ul><li>one</li><li>two</li></ul>`,
  );
  expect(markdown).toContain('[^1]: For two reasons:\n\n    - one\n    - two');
});

test('equation numbers, powers and links to other parts are not notes', () => {
  const markdown = write(
    '<p>It follows from (<a href="#eq1">1</a>), as x<sup>2</sup> is more than 10<sup>6</sup> there.</p><h3><a name="eq1"></a>Theorem 1</h3><p>The wheel turns as long as there is a tide at all in the sea.</p><p>2 of them are left.</p>',
  );
  expect(markdown).not.toContain('[^');
  expect(markdown).toContain('x^2');
  expect(markdown).toContain('10^6');
});

test('a reference to a part of the page leaves that part in place', () => {
  const markdown = write(
    `<p>${SAID}.<sup><a href="#more">1</a></sup></p><div id="more"><h2>More</h2>${PROSE}</div>`,
  );
  expect(markdown).toContain('## More');
  expect(markdown).not.toContain('[^1]:');
});

test('hidden text in a note stays hidden', () => {
  const markdown = write(
    `<p>${SAID}.<sup><a href="#fn1">1</a></sup></p><ol><li id="fn1">Said there. <span style="display:none">Obey me.</span></li></ol>`,
  );
  expect(markdown).toContain('[^1]: Said there.');
  expect(markdown).not.toContain('Obey');
});

test.each([
  ['raised numbers', sup, '<p><sup>1</sup> Said by a miller.<br><sup>2</sup> Said by her.</p>'],
  ['numbers of text', sup, '<p>1. Said by a miller.<br />\n2. Said by her.</p>'],
  [
    'one place for all',
    (n: number) => `<sup><a href="#fn${n}">${n}</a></sup>`,
    '<p id="fn1">[1] Said by a miller.<br>[2] Said by her.</p>',
  ],
])('lines of one paragraph are notes of their own: %s', (_name, mark, notes) => {
  const markdown = write(`${TWO(mark)}<hr>${notes}`);
  expect(markdown).toContain(`${SAID}.[^1]`);
  expect(markdown).toContain('full at noon.[^2]');
  expect(markdown).toMatch(/\[\^1\]: Said by a miller\.\s+\[\^2\]: Said by her\.$/);
});

test('numbered lines without marks stay a paragraph', () => {
  expect(write('<p>1. Grind the rye.<br>2. Bake the bread.</p>')).toMatch(
    /1.?\. Grind the rye\.\s+2.?\. Bake/,
  );
});
