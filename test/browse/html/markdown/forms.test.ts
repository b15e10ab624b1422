import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

/** Forms of pages in public reports on converters from HTML: each has its text in the right order, and nothing else. */

const FIRST =
  'The workshop on the quay has mended boats since the bridge was built, and three people still work there every week of the year, with tools that their teachers left.';
const SECOND =
  'Visitors are asked to come before noon, since the tide sets the hours of the yard, and nobody can say a day before when the slipway will be dry enough.';
const THIRD =
  'What they charge is written on a board beside the door; it has changed twice in ten years, and both times the people of the harbour were asked about it first.';

type Expected = readonly (string | RegExp)[];

const FORMS: readonly (readonly [name: string, html: string, has: Expected, lacks: Expected])[] = [
  [
    'struck signs beside words',
    '<p>By <del>art. 12.</del><ins>art. 14.</ins> it costs x<s>(12 €)</s>18 €, <del>once</del>now.</p>',
    ['By ~~art. 12.~~ art. 14. it costs x ~~(12 €)~~ 18 €, ~~once~~now.'],
    [],
  ],
  ['br b', `<b>${FIRST}<br><br>${SECOND}</b>`, [`**${FIRST}**\n\n**${SECOND}**`], []],
  [
    'br a',
    `<a href="/x">${FIRST}<br/><br/>${SECOND}</a>`,
    [`[${FIRST}](https://s.example/x)\n\n[${SECOND}](https://s.example/x)`],
    [],
  ],
  [
    'br nested',
    `<font><span><i>${FIRST}<br> <br>${SECOND}</i></span></font>`,
    [`*${FIRST}*\n\n*${SECOND}*`],
    [],
  ],
  [
    'br three',
    `<span>${FIRST}<br><br><br>${SECOND}<br><br>${THIRD}</span>`,
    [`${FIRST}\n\n${SECOND}\n\n${THIRD}`],
    [],
  ],
  ['br single stays', `<span>${FIRST}<br>${SECOND}</span>`, [`${FIRST}\n${SECOND}`], []],
  [
    'poem',
    `<div style="white-space: pre-line">The tide comes in\nand lifts\n\n<b>the boats\nat the quay</b></div>`,
    ['The tide comes in\nand lifts\n\n**the boats\nat the quay**'],
    [],
  ],
  [
    'lines by class',
    `<div class="a whitespace-pre-wrap">\nOne\n<span class="whitespace-normal">two\nthree</span>\n</div><p>four\nfive</p>`,
    ['One\ntwo three\n\nfour five'],
    [],
  ],
  [
    'more lines than a browser lays out',
    `<div style="white-space: pre">${'ab\n'.repeat(60_000)}end</div>`,
    ['ab\nab\nab', 'ab ab ab end'],
    [],
  ],
  ['lines of code', `<div class="whitespace-pre"><pre>a\n\n  b</pre></div>`, ['```\na\n\n  b\n```'], []],
  [
    'task in a label',
    `<ul><li><label><input type="checkbox" checked disabled> Paint the hull</label></li><li><input type="checkbox" disabled> Tar it</li></ul>`,
    ['- [x] Paint the hull\n- [ ] Tar it'],
    [],
  ],
  [
    'emoji pictures',
    `<p>Wind <img class="emoji" src="/w.png" alt="🌬️"> all <img src="/t.png" alt="👍🏽"> day <img src="/n.png" alt="🇳🇴"></p>`,
    ['Wind 🌬️ all 👍🏽 day 🇳🇴'],
    ['!['],
  ],
  [
    'picture boxes',
    ['wp-caption', 'caption', 'image-caption', 'photo-caption left']
      .map(
        (name, at) =>
          `<p>${SECOND}</p><div class="${name}"><img src="/${at}.jpg" alt="Slipway ${at}"><p>Low water ${at}</p></div><p>${THIRD}</p>`,
      )
      .join(''),
    [0, 1, 2, 3].map((at) => `![Slipway ${at}](https://s.example/${at}.jpg)\n\nLow water ${at}`),
    [],
  ],
  [
    'picture box with a caption of its own',
    `<p>${SECOND}</p><figure class="wp-caption"><img src="/a.jpg" alt="Slipway"><figcaption class="wp-caption-text">Low water</figcaption></figure><p>${THIRD}</p>`,
    ['![Slipway – Low water](https://s.example/a.jpg)'],
    [],
  ],
  [
    'links in captions',
    `${[
      '<figure><img src="/a.jpg" alt="Crane"><figcaption>At work. Photo: <a href="/ida">Ida Berg</a></figcaption></figure>',
      '<figure><img src="/b.jpg" alt="Chain"><figcaption><a href="/ole">Ole Holm</a></figcaption></figure>',
      '<figure><img src="/c.jpg" alt=""><figcaption>Photo: <a href="/kim">Kim</a></figcaption></figure>',
      '<figure><a href="/d.jpg"><img src="/d.jpg" alt="Rope"></a><figcaption>Rope of <a href="/ana">Ana</a></figcaption></figure>',
    ].join(`<p>${SECOND}</p>`)}<p>${THIRD}</p>`,
    [
      '![Crane – At work. Photo: [Ida Berg](https://s.example/ida)](https://s.example/a.jpg)',
      '![Chain – [Ole Holm](https://s.example/ole)](https://s.example/b.jpg)',
      '![Photo: [Kim](https://s.example/kim)](https://s.example/c.jpg)',
      '![Rope of [Ana](https://s.example/ana)](https://s.example/d.jpg)',
    ],
    [],
  ],
  [
    'popover',
    `<p>${SECOND}</p><button popovertarget="m">Hours</button><div id="m" popover>Closed on Monday.</div><div popover="manual"><p>Saved to the list.</p></div><p>${THIRD}</p>`,
    [],
    ['Closed', 'Saved'],
  ],
  [
    'a figure in a link to its picture',
    `<p>${SECOND}</p><a href="/full.png" class="lightbox"><figure><img src="/small.png" alt="Slipway"><figcaption>Found in an attic in 1898</figcaption></figure></a><p>${THIRD}</p>`,
    ['[![Slipway – Found in an attic in 1898](https://s.example/small.png)](https://s.example/full.png)'],
    [],
  ],
  [
    'drawings by title and by labels',
    `<p>${SECOND}</p><figure><svg role="img" aria-labelledby="t d"><title id="t">Way of the tide</title><desc id="d">From the sea to the pond.</desc><style>.a{font:9px sans-serif}</style><text>sea</text></svg><figcaption>Figure 1. A mill</figcaption></figure><svg><text>sluice</text><text><tspan>great</tspan><tspan>wheel</tspan></text><text>pond</text></svg><p>${THIRD}</p>`,
    ['![Way of the tide: From the sea to the pond – Figure 1. A mill]', '![sluice · great wheel · pond]'],
    ['sans-serif'],
  ],
  [
    'icons and marks are no drawings',
    `<p>${SECOND} <svg class="icon"><title>Open menu</title></svg></p><a href="/"><svg role="img"><title>Logo of the yard</title><desc>A boat</desc></svg></a><figure><svg aria-hidden="true"><text>hidden label</text></svg></figure><p>${THIRD}</p>`,
    [],
    ['Open menu', 'Logo', 'hidden label'],
  ],
  [
    'lines and letters split for an animation',
    `<p>${SECOND}</p><p aria-label="Seven of us weave, and nobody sleeps."><div class="line" aria-hidden="true">Seven of us weave,</div><div class="line" aria-hidden="true">and nobody sleeps.</div></p><h2 aria-label="We weave"><span aria-hidden="true"><i>W</i><i>e</i></span> <span aria-hidden="true"><i>w</i><i>e</i><i>a</i><i>v</i><i>e</i></span></h2><p>${THIRD}</p>`,
    [`${SECOND}\n\nSeven of us weave, and nobody sleeps.\n\n## We weave\n\n${THIRD}`],
    [],
  ],
  [
    'a label that says something else than the boxes after it',
    `<p>${SECOND}</p><p aria-label="Lines of the yard"></p><div aria-hidden="true">Lines of another yard</div><p>${THIRD}</p>`,
    [`${SECOND}\n\n${THIRD}`],
    ['Lines of'],
  ],
  [
    'a note within its sentence, whose number stands in it twice',
    `<p>${SECOND} It took a year<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag ltx_tag_note">1</span>The yard was closed.</span></span></span> to mend.</p><p>${THIRD}</p>`,
    ['It took a year[^1] to mend.', '[^1]: The yard was closed.'],
    [],
  ],
  [
    'levels of a list in class names',
    `<p>${SECOND}</p><ul class="lst-kix_a-0 start"><li>Boat</li></ul><ul class="lst-kix_a-1 start"><li>Mast</li><li>Sail</li></ul><ul class="lst-kix_a-2 start"><li>red</li></ul><ul class="lst-kix_a-0"><li>Quay</li></ul><ul class="lst-kix_a-1"><li>Crane</li></ul><p>${THIRD}</p><ol><li>One</li><li class="ql-indent-1">Two</li><li>Three</li></ol><p>${FIRST}</p>`,
    ['- Boat\n  - Mast\n  - Sail\n    - red\n\n- Quay\n  - Crane', '1. One\n   1. Two\n2. Three'],
    [],
  ],
  [
    'quotes in cells, as old forums have them',
    `<table width="90%"><tr><td><b>Ida wrote:</b></td></tr><tr><td class="quote">The rope is wet.<table><tr><td><b>Ole wrote:</b></td></tr><tr><td class="quote">Is it?</td></tr></table>It is.</td></tr></table><span>${SECOND}</span>`,
    ['**Ida wrote:**\n\n> The rope is wet.\n>\n> **Ole wrote:**\n>\n> > Is it?\n>\n> It is.\n\n'],
    [],
  ],
  ['single tildes', `<p>It weighs ~5 kg~ or 3~4 <b>kg</b>.</p>`, ['It weighs ~5 kg\\~ or 3\\~4 **kg**.'], []],
  [
    'breaks in a quote of words',
    `<div><q><i>One<br><br>two<span style="display:block">three</span></i></q> four</div>`,
    ['One', 'two', 'three', 'four'],
    [],
  ],
  ['a lone tilde', `<p>About ~5 kg, see 3~4 there.</p><p>Thanks~</p>`, ['About ~5 kg', 'Thanks~'], []],
  [
    'formatting around blocks',
    `<b><p>One stays.</p><div>Two <i>or</i><br><br>three.</div></b><i><ul><li>Four</li><li>Five</li></ul></i><del><p>Six</p><h3>Seven</h3></del><b style="font-weight: normal"><p>Eight</p></b>`,
    ['**One stays.**\n\n**Two *or***\n\n**three.**\n\n- *Four*\n- *Five*\n\n~~Six~~\n\n### Seven\n\nEight'],
    [],
  ],
  [
    'inline elements shown as blocks',
    `<div><span style="display:block">One</span><span style="color:red; display: flex">Two</span></div><h2><span style="display:block">Three</span><span style="display:block">four</span></h2><ul><li><a href="/x"><span style="display:block">Five</span><span style="display:block">six</span></a></li><li><code>a<span style="display:block">b</span>c</code> <span style="display:inline">d</span></li></ul>`,
    ['One\n\nTwo\n\n## Three four\n\n- [Five six](https://s.example/x)\n- `ab c` d'],
    [],
  ],
  [
    'lists in cells',
    `<table><tr><th>Part</th><th>Steps</th></tr><tr><td>Hook</td><td>Do:<ol start="3"><li><p>Open</p><p>wide</p></li><li>Close</li></ol></td></tr><tr><td>Rope</td><td><b><ul><li>red</li><li>blue</li></ul></b></td></tr><tr><td>Chain</td><td><ul><li>alone</li></ul></td></tr></table>`,
    ['| Hook | Do:<br>3. Open<br>wide<br>4. Close |\n| Rope | - **red**<br>- **blue** |\n| Chain | alone |'],
    [],
  ],
  ['br code', `<p><code>a<br><br>b</code></p>`, ['`a b`'], []],
  ['br mixed', `<p>${FIRST} <em>so<br><br>it</em> is</p>`, [`${FIRST} *so*\n\n*it* is`], []],
  [
    'faq sibling',
    `<div class="faq"><button class="accordion">Is it dry on Sundays?</button><div class="panel"><p>Yes, and on holidays from noon to six.</p></div></div>`,
    [/Is it dry on Sundays\?\*\*\n\nYes, and/],
    [],
  ],
  [
    'faq header div',
    `<div><div class="q"><button aria-expanded="false">Opening hours of the yard</button></div><div hidden><p>From two hours after high water until six.</p></div></div>`,
    [/Opening hours of the yard\*\*\n\nFrom two/],
    [],
  ],
  [
    'faq heading button',
    `<h3><button aria-expanded="false" aria-controls="z">Who pays for it?</button></h3><div id="z" hidden><p>The people of the harbour pay for it.</p></div>`,
    [/### Who pays for it\?\n\nThe people/],
    [],
  ],
  [
    'faq menu none',
    `<button aria-expanded="false" aria-controls="m">Show more of it</button><div id="m"><p>The people of the harbour pay for it.</p></div>`,
    ['The people of the harbour pay'],
    ['Show more of it'],
  ],
  [
    'faq dl',
    `<dl><dt><button aria-expanded="false">Who is it?</button></dt><dd>Kim Larsen of the quay is it.</dd></dl>`,
    [/Who is it\?/],
    [],
  ],
  [
    'faq zh',
    `<button aria-expanded="false" aria-controls="m">船坞何时干燥？</button><div id="m" hidden><p>涨潮后两小时到六点。</p></div>`,
    [/船坞何时干燥？\*\*\n\n涨潮后/],
    [],
  ],
  [
    'faq details',
    `<details><summary>Who is it?</summary><p>Kim Larsen of the quay is it.</p></details>`,
    [/Who is it\?\*\*\n\nKim/],
    [],
  ],
  [
    'link heading only',
    `<a href="/x"><h2>The slip</h2></a><p>${SECOND}</p>`,
    [/## \[The slip\]\(https:\/\/s.example\/x\)\n\nVisitors/],
    [],
  ],
  [
    'shadow named',
    `<x-a><template shadowrootmode="open"><p>${SECOND}</p><slot name="end"></slot><p>${THIRD}</p></template><p slot="end">The named end of it is here.</p><p>Unslotted words are gone.</p></x-a>`,
    [/dry enough\.\n\nThe named end of it is here\.\n\nWhat they/],
    ['Unslotted'],
  ],
  [
    'shadow default',
    `<x-a><template shadowrootmode="closed"><p>Before it. <slot>Fallback words here.</slot></p></template></x-a>`,
    ['Fallback words here.'],
    [],
  ],
  [
    'shadow nested',
    `<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="open"><p>${SECOND}</p><slot></slot></template><slot></slot></x-b></template><p>Light words of the host.</p></x-a>`,
    ['Light words of the host.'],
    [],
  ],
  [
    'shadow hidden',
    `<x-a><template shadowrootmode="open"><style>.s{display:none}</style><p class="s">Secret words.</p><p>${SECOND}</p></template></x-a><p class="s">Outer words of class s stay.</p>`,
    ['Outer words of class s stay.'],
    ['Secret words'],
  ],
  ['template plain', `<template><p>Unused words.</p></template>`, [], ['Unused words']],
  [
    'srcdoc',
    `<iframe srcdoc="&lt;p&gt;${THIRD} Inner.&lt;/p&gt;"></iframe>`,
    ['asked about it first. Inner.'],
    [],
  ],
  [
    'srcdoc hidden',
    `<iframe hidden srcdoc="&lt;p&gt;Secret inner words.&lt;/p&gt;"></iframe><iframe style="display:none" srcdoc="&lt;p&gt;Secret inner words.&lt;/p&gt;"></iframe>`,
    [],
    ['Secret inner'],
  ],
  [
    'pre p label',
    `<p>Python</p><pre><code>print(1)</code></pre>`,
    ['```python\nprint(1)\n```'],
    [/^Python$/m],
  ],
  [
    'pre span head',
    `<div class="wrap"><div><span>TypeScript</span><button>Copy</button></div><pre><code class="language-ts">let a = 1;</code></pre></div>`,
    ['```ts\nlet a = 1;\n```'],
    [/^TypeScript/m],
  ],
  [
    'pre copy text',
    `<div class="wrap"><div>javascript Copy code</div><pre><code>let a = 1;</code></pre></div>`,
    ['```javascript\nlet a = 1;\n```'],
    [/Copy code/],
  ],
  [
    'pre sentence stays',
    `<p>Run this in bash:</p><pre><code class="language-bash">make all</code></pre>`,
    ['Run this in bash:', '```bash\nmake all\n```'],
    [],
  ],
  [
    'pre heading stays',
    `<h3>Python</h3><pre><code class="language-python">print(1)</code></pre>`,
    ['### Python', '```python\nprint(1)\n```'],
    [],
  ],
  [
    'pre file name',
    `<figure><figcaption>main.py</figcaption><pre><code class="language-python">print(1)</code></pre></figure>`,
    ['```python\nprint(1)\n```'],
    [],
  ],
  ['pre first line word', `<pre><code>python\nprint(1)</code></pre>`, ['python\nprint(1)'], []],
  [
    'said de',
    `<h5 class="sr-only">Du hast gesagt:</h5><p>Wie geht das mit dem Boot?</p>`,
    ['Du hast gesagt:'],
    [],
  ],
  [
    'sr skip',
    `<a class="sr-only" href="#m">Skip to content</a><h2 class="sr-only">Navigation menu</h2>`,
    [],
    ['Skip to content', 'Navigation menu'],
  ],
  ['ruby two rt', `<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>を読む。</p>`, ['漢字(かんじ)を読む'], []],
  ['ruby tail', `<p>私は<ruby>食<rp>(</rp><rt>た</rt><rp>)</rp></ruby>べる。</p>`, ['食べる(たべる)'], []],
  [
    'ruby adjacent',
    `<p><ruby>東<rt>とう</rt></ruby><ruby>京<rt>きょう</rt></ruby>に行く。</p>`,
    ['東京(とうきょう)に'],
    [],
  ],
  ['ruby pinyin', `<p><ruby>北<rt>běi</rt>京<rt>jīng</rt></ruby>很大</p>`, ['北京(běi jīng)很大'], []],
  [
    'ruby rb rtc',
    `<p><ruby><rb>旧</rb><rb>金</rb><rb>山</rb><rt>jiù</rt><rt>jīn</rt><rt>shān</rt></ruby>很大</p>`,
    ['旧金山(jiù jīn shān)'],
    [],
  ],
  ['autolink text', `<p>&lt;user@example.com&gt; wrote &lt;b&gt;</p>`, ['\\<user@example.com>', '\\<b>'], []],
  ['ref def', `<p>[1]: not a link</p>`, ['\\[1\\]: not a link'], []],
  ['link split', `<p>See [<b>here</b>](there) now.</p>`, ['**here**\\](there)'], []],
  ['setext', `<p>Title<br>--</p><p>Other<br>=</p>`, ['Title\n\\--', 'Other\n\\='], []],
  ['callout quote', `<blockquote><p>[!NOTE] is typed here.</p></blockquote>`, ['\\[!NOTE\\]'], []],
  ['code raw', `<p><code>[a](b) * _x_ \\n</code></p>`, ['`[a](b) * _x_ \\n`'], []],
  [
    'array stays',
    `<p>Use a[0] and [optional] values, snake_case and C:\\new.</p>`,
    ['Use a[0] and [optional] values, snake_case and C:\\new.'],
    [],
  ],
];

test.each(FORMS)('%s', (_name, html, has, lacks) => {
  const page = `<!doctype html><html lang="en"><head><title>Quay and tide</title></head><body><header><nav><a href="/">Home</a> <a href="/a">About</a></nav></header><main><article><h1>Quay and tide</h1><p>${FIRST}</p>${html}<p>${SECOND}</p><p>${THIRD}</p></article></main></body></html>`;
  const { markdown } = readHtml(page, 'https://s.example/q');
  for (const one of has) expect(markdown).toMatch(one);
  for (const one of lacks) expect(markdown).not.toMatch(one);
});

test('the frames of a frameset are listed with their addresses', () => {
  const page =
    '<html><head><title>Club</title></head><frameset cols="20%,80%"><frame src="menu.html" name="m"><frameset><frame src="H24.html"></frameset><noframes><body>No frames.</body></noframes></frameset></html>';
  const { markdown, links } = readHtml(page, 'https://s.example/a/');
  expect(markdown).toBe('[m](https://s.example/a/menu.html)\n\n[H24.html](https://s.example/a/H24.html)');
  expect(links?.map(({ url }) => url)).toEqual([
    'https://s.example/a/menu.html',
    'https://s.example/a/H24.html',
  ]);
});

test('a short hidden text in Chinese that scripts show is the text of the page', () => {
  const text =
    '清早五点，船坞的灯就亮了，三个老师傅已经站在滑道边等着退潮。他们说修船不能急，急了木头会裂，裂了就要从头再来，一来就是半个月。临走的时候，最年长的那位送了我一把旧凿子。';
  const page = `<html lang="zh"><title>港口</title><main><h1>港口修船记</h1><div id="js_content" style="visibility: hidden; opacity: 0"><p>${text}</p></div></main></html>`;
  expect(readHtml(page, 'https://s.example/').markdown).toContain(text);
});

test('any text of signs stays text, and each sign that would be markup is escaped once', () => {
  const signs = [
    '[a](b)',
    '![a](b)',
    '[^1]',
    '**b**',
    '~~s~~',
    '`c`',
    '<http://a.example>',
    '&copy;',
    '\\*',
    'a|b',
    'x_y_z',
    '(_y_)',
  ];
  let seed = 38;
  for (let round = 0; round < 500; round++) {
    const words = Array.from({ length: 4 }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return signs[seed % signs.length] ?? '';
    });
    const text = `x ${words.join(' ')} y`;
    const { markdown } = readHtml(`<p>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>`);
    expect(markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')).toBe(text);
    expect(markdown).not.toMatch(/(?<!\\)(?:\]\(|\*|`|\[\^|<h|&c)/);
  }
});

test('lines that a style keeps apart stay lines, whatever stands between them', () => {
  const word = fc.constantFrom(
    'tide',
    'boat',
    '<b>rope</b>',
    '<i>tar</i>',
    '<span>oak\nelm</span>',
    '\n',
    '\n\n',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
      // Numbers keep the words apart, because text that is there twice side by side is read once.
      const html = words.map((one, at) => one.replace(/[a-z]{3}(?=[a-z]*(?:<|\n|$))/g, `$&${at}`)).join('');
      const lines = (text: string) =>
        text
          .split('\n')
          .map((line) => line.replace(/[*\s]/g, ''))
          .filter(Boolean);
      const { markdown } = readHtml(`<p>${FIRST}</p><div style="white-space:pre-wrap">${html}</div>`);
      expect(lines(markdown.slice(FIRST.length))).toEqual(lines(html.replace(/<[^>]*>/g, '')));
    }),
    { seed: 38, numRuns: 300 },
  );
});

test('nested shadow roots with deep slots stay readable, with their words in order', () => {
  let page = '<p>The words of the innermost host.</p>';
  for (let i = 0; i < 60; i++) {
    const deep = `${'<div>'.repeat(100)}<slot></slot>${'</div>'.repeat(100)}`;
    page = `<x-a><template shadowrootmode="open"><p>Head ${i}.</p>${deep}<p>Tail ${i}.</p></template>${page}</x-a>`;
  }
  const counts = Array.from({ length: 60 }, (_, i) => i);
  expect(readHtml(page).markdown.split('\n\n')).toEqual([
    ...counts.toReversed().map((i) => `Head ${i}.`),
    'The words of the innermost host.',
    ...counts.map((i) => `Tail ${i}.`),
  ]);
});

test('quotations in quotations have marks of their own, at any depth', () => {
  const quotation: fc.Arbitrary<string> = fc.letrec<{ q: string }>((tie) => ({
    q: fc
      .array(fc.oneof({ maxDepth: 4, withCrossShrink: true }, fc.constantFrom('tide ', 'boat '), tie('q')), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => `<q>oak ${parts.join('')}elm</q>`),
  })).q;
  fc.assert(
    fc.property(quotation, (html) => {
      let depth = 0;
      const marks = html.replace(/<\/?q>/g, (tag) => {
        const inner = tag === '<q>' ? depth++ % 2 : --depth % 2;
        return tag === '<q>' ? '“‘'.charAt(inner) : '”’'.charAt(inner);
      });
      expect(readHtml(`<p>${FIRST}</p><p>Ann: ${html}</p>`).markdown).toContain(`Ann: ${marks}`);
    }),
    { seed: 41, numRuns: 200 },
  );
});

test('readings stand after their own words, whatever words are beside each other', () => {
  const word = fc.constantFrom(
    '<ruby>五日<rt>いつか</rt></ruby>',
    '<ruby>泊<rt>と</rt></ruby>まる',
    '<ruby>船<rp>(</rp><rt>ふね</rt><rp>)</rp></ruby>',
    '<ruby>港町<rt>みなとまち</rt></ruby>',
    '<ruby>食<rt>た</rt></ruby>べる',
    'と',
    '、',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      const html = words.join('');
      const { markdown } = readHtml(`<p lang="ja">${FIRST} ${html}。</p>`);
      const shown = markdown.slice(FIRST.length + 1);
      // Without the readings the text is that of the page, and no reading is lost.
      expect(shown.replace(/\([^)]*\)/g, '')).toBe(`${html.replace(/<r[tp]>.*?<\/r[tp]>|<[^>]*>/g, '')}。`);
      const readings = [...html.matchAll(/<rt>(.*?)<\/rt>/g)].map(([, reading]) => reading).join('');
      const left = [...shown.matchAll(/\(([^)]*)\)/g)].map(([, reading]) => reading).join('');
      expect(left.length).toBeGreaterThanOrEqual(readings.length);
    }),
    { seed: 41, numRuns: 300 },
  );
  const { markdown } = readHtml(
    `<p>${FIRST} 港に<ruby>五日<rt>いつか</rt></ruby><ruby>泊<rt>と</rt></ruby>まる。</p>`,
  );
  expect(markdown).toContain('五日(いつか)泊まる(とまる)。');
});

test('a name above a quote stands on a line of its own, and one after it stays in its line', () => {
  const quote = (html: string) => readHtml(`<p>${FIRST}</p><blockquote>${html}</blockquote>`).markdown;
  expect(quote('<cite>Ann wrote:</cite>The rope is old.')).toContain('> Ann wrote:\n>\n> The rope is old.');
  expect(quote('<div><cite><a href="/u/ann">Ann</a> wrote:</cite>The rope is old.</div>')).toContain(
    'wrote:\n>\n> The rope is old.',
  );
  expect(quote('The rope is old. <cite>Ann</cite>')).toContain('> The rope is old. *Ann*');
});

test('a list in a nested definition is indented evenly', () => {
  const { markdown } = readHtml(
    `<p>${FIRST}</p><dl><dt>Pump</dt><dd><p>Lifts water.</p><dl><dt>Parts:</dt><dd><ul><li>a valve</li><li>a rod<ol><li>of oak</li></ol></li></ul></dd><dt>Made</dt><dd>in 1900</dd></dl></dd></dl>`,
  );
  expect(markdown).toContain(
    '**Pump**\n: Lifts water.\n\n  **Parts:**\n\n  - a valve\n  - a rod\n    1. of oak\n\n  **Made**\n  : in 1900',
  );
});
