import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';
import { processorSeconds } from '../../../helpers/processor-time.ts';

const write = (html: string, url = 'https://site.example/comments/1') =>
  readHtml(`<html><head><title>Mills</title></head><body><main>${html}</main></body></html>`, url).markdown;

/** Comments of a thread: who, how deep, what. */
const THREAD = [
  ['ada', 0, 'The pond of the mill fills twice a day, as far as I have seen.'],
  ['bo', 1, 'That depends on where the mill stands, and on the tide.'],
  ['cy', 2, 'Ours stands on the east coast and fills twice, it is true.'],
  ['di', 1, 'Did you ever see it at night, when the wheel is locked?'],
  ['ed', 0, 'Another thing: who mends the wheel when the miller is away?'],
] as const;

const WANTED = `> **ada** · 2026-01-02
>
> ${THREAD[0][2]}
>
> > **bo** · 2026-01-02
> >
> > ${THREAD[1][2]}
> >
> > > **cy** · 2026-01-02
> > >
> > > ${THREAD[2][2]}
>
> > **di** · 2026-01-02
> >
> > ${THREAD[3][2]}

> **ed** · 2026-01-02
>
> ${THREAD[4][2]}`;

/** A thread in which answers stand in what they answer. */
function nested(open: (name: string, text: string) => string, close: string): string {
  let [html, depth] = ['', -1];
  for (const [name, level, text] of THREAD) {
    for (; depth >= level; depth--) html += close;
    html += open(name, text);
    depth = level;
  }
  return html + close.repeat(depth + 1);
}

const flat = (row: (name: string, level: number, text: string) => string) =>
  THREAD.map(([name, level, text]) => row(name, level, text)).join('');

const TIME = '<time datetime="2026-01-02T10:00:00Z">2 days ago</time>';

test.each([
  [
    'rows of a table with a picture as wide as the answer is deep',
    `<table class="comment-tree">${flat(
      (name, level, text) =>
        `<tr class="athing comtr"><td><table><tr><td class="ind" indent="${level}"><img src="s.gif" height="1" width="${level * 40}"></td><td class="default"><div><span class="comhead"><a href="user?id=${name}" class="hnuser">${name}</a> <span class="age" title="2026-01-02T10:00:00 1767348000"><a href="item?id=1">2 days ago</a></span> <span class="navs">| <a href="#1">parent</a> | <a href="#2">next</a> [–]</span></span></div><div class="comment"><div class="commtext">${text}</div><div class="reply"><p><font size="1"><u><a href="reply?id=1">reply</a></u></font></p></div></div></td></tr></table></td></tr>`,
    )}</table>`,
  ],
  [
    'boxes in boxes, what was written in forms',
    nested(
      (name, text) =>
        `<div class="thing comment"><div class="entry"><p class="tagline"><a class="author" href="/user/${name}">${name}</a> ${TIME} <a>(3 children)</a></p><form class="usertext"><input type="hidden"><div class="md"><p>${text}</p></div></form><ul class="flat-list buttons"><li><a href="/c/1">permalink</a></li><li><a href="#p">parent</a></li></ul></div><div class="child"><div class="sitetable">`,
      '</div></div></div>',
    ),
  ],
  [
    'lists in lists',
    `<h3>5 comments</h3><ol class="comment-list">${nested(
      (name, text) =>
        `<li class="comment even"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><b class="fn"><a href="https://${name}.example/" rel="external">${name}</a></b> <span class="says">says:</span></div><div class="comment-metadata"><a href="#c1">${TIME}</a></div></footer><div class="comment-content"><p>${text}</p></div><div class="reply"><a href="#r">Reply</a></div></article><ol class="children">`,
      '</ol></li>',
    )}</ol>`,
  ],
  [
    'boxes beside each other, levels in their classes',
    flat(
      (name, level, text) =>
        `<div class="comment depth-${level}"><span class="username">${name}</span> ${TIME}<p>${text}</p></div>`,
    ),
  ],
  [
    'boxes beside each other that are set in',
    flat(
      (name, level, text) =>
        `<div class="comment" style="margin-left: ${level * 1.5}em"><span class="author">${name}</span> ${TIME}<p>${text}</p></div>`,
    ),
  ],
  [
    'elements of their own',
    nested(
      (name, text) =>
        `<shreddit-comment author="${name}" depth="0" created="2026-01-02T10:00:00Z"><div slot="comment"><p>${text}</p></div>`,
      '</shreddit-comment>',
    ),
  ],
])('a thread is read from %s', (_name, html) => {
  expect(write(html)).toContain(WANTED);
});

test('points are placed beside the time', () => {
  const html = flat(
    (name, level, text) =>
      `<div class="comment depth-${level}"><span class="username">${name}</span> <span>${level + 2} points</span> ${TIME}<p>${text}</p></div>`,
  );
  expect(write(html)).toContain('> > **bo** · 2026-01-02 · 3 points\n');
});

test('the words of a button label stay where they are part of a post', () => {
  const html = flat(
    (name, level) =>
      `<div class="comment depth-${level}"><span class="username">${name}</span> ${TIME}<p>Reply</p><p>See this <a href="/x">link</a> of mine, it says how the wheel is mended.</p></div>`,
  );
  expect(write(html)).toContain('> Reply\n>\n> See this [link](https://site.example/x) of mine');
});

test('comments without replies, and elements that are only named comments, stay unchanged', () => {
  const unanswered = flat(
    (name, _level, text) =>
      `<div class="comment"><span class="username">${name}</span> ${TIME}<p>${text}</p></div>`,
  );
  expect(write(unanswered)).not.toContain('>');
  const called =
    '<div class="comment"><p>A comment on this, longer than a line of it would be.</p><div class="comment"><p>Another one of them, which stands in it.</p></div></div>';
  expect(write(called)).not.toContain('>');
});

test.each([
  ['comments in comments', `${'<div class="comment"><a class="author">a</a> x'.repeat(2500)}`],
  [
    'comments beside each other',
    '<div class="comment depth-1"><a class="author">a</a> x</div><div class="comment depth-2"><a class="author">b</a> y</div>'.repeat(
      2500,
    ),
  ],
  [
    'answers ever deeper',
    Array.from(
      { length: 2500 },
      (_, i) => `<div class="comment" data-depth="${i % 1000}"><a class="author">a</a> x</div>`,
    ).join(''),
  ],
  ['boxes around nothing', '<div class="comment">'.repeat(100_000)],
])('hostile threads: %s', (_name, html) => {
  expect(processorSeconds(() => write(html))).toBeLessThan(2);
});
