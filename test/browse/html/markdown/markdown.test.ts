import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';

/** An article with something in the middle of it, as Markdown. */
const write = (html: string) =>
  readHtml(
    `<html><head><title>Mills</title></head><body><article>${PROSE.repeat(5)}${html}${PROSE.repeat(3)}</article></body></html>`,
    'https://site.example/dir/page',
  ).markdown;

test.each([
  [
    'nested lists',
    '<ul><li>one<ul><li>two<ol><li>three</ol></ul><li>four</ul>',
    '- one\n  - two\n    1. three\n- four',
  ],
  ['numbers go on from start and value', '<ol start="4"><li>a<li>b<li value="9">c</ol>', '4. a\n5. b\n9. c'],
  [
    'items of paragraphs',
    '<ul><li><p>one</p><p>more</p></li><li><p>two</p></li></ul>',
    '- one\n\n  more\n- two',
  ],
  ['a list right in a list', '<ul><li>one<ul><li>in</ul><ul><li>on</ul></ul>', '- one\n  - in\n  - on'],
  ['definitions', '<dl><dt>Pond</dt><dd>Holds water.</dd></dl>', '**Pond**\n: Holds water.'],
  [
    'quotes in quotes',
    '<blockquote><p>He said:</p><blockquote>It turns.</blockquote></blockquote>',
    '> He said:\n>\n> > It turns.',
  ],
  [
    'marks of one kind with a space between are one',
    '<p><strong>a</strong> <strong>Best Mover by</strong> <em>x</em> them.</p>',
    '**a Best Mover by** *x* them.',
  ],
  [
    'a picture and the word behind it',
    '<p><a href="/v"><img src="v.png" alt="Video of a mill"></a>Learn more</p>',
    '[![Video of a mill](https://site.example/dir/v.png)](https://site.example/v) Learn more',
  ],
  [
    'a picture that is called as its file',
    '<p>Ahead.</p><p><img src="1.png" alt="IMG_0012.JPG"></p><p>Behind.</p>',
    'Ahead.\n\nBehind.',
  ],
  [
    'a card with a link laid over it',
    '<div><a href="/wheels" aria-label="Wheels of new mills turn"></a><div><img src="w.png" alt=""><h3><div>New</div><span>Wheels of new mills turn</span></h3></div><a href="https://share.example/" aria-label="Share this page"></a></div>',
    '### [New Wheels of new mills turn](https://site.example/wheels)',
  ],
  [
    'a name over pictures and again behind them',
    '<div><h1>Feeder of wood</h1><img src="a.png" alt="Seen from the left"><h1>Feeder of wood</h1><p>It holds seeds.</p></div>',
    '# Feeder of wood\n\n![Seen from the left](https://site.example/dir/a.png)\n\nIt holds seeds.',
  ],
  [
    'a table with pipes, breaks and lists',
    '<table><tr><th>a|b</th><th>c</th></tr><tr><td>1<br>2</td><td><ul><li>x<li>y</ul></td></tr></table>',
    '| a\\|b | c |\n| --- | --- |\n| 1<br>2 | - x<br>- y |',
  ],
  [
    'cells over several rows and columns',
    '<table><tr><th rowspan="2">k</th><th colspan="2">v</th></tr><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    '| k | v / x | v / y |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
  ],
  [
    'a caption',
    '<table><caption>Powers</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
    'Powers\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'a table for the layout',
    '<table role="presentation"><tr><td><p>Left side.</p></td><td><p>Right side.</p></td></tr></table>',
    'Left side.\n\nRight side.',
  ],
  [
    'a table in a table',
    '<table><tr><td>Head line here.</td></tr><tr><td><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>',
    'Head line here.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'code with its language',
    '<div class="highlight"><pre class="language-Rust"><code>fn a() {}\n\n\n  b();</code></pre></div>',
    '```rust\nfn a() {}\n\n\n  b();\n```',
  ],
  [
    'code in lines of elements, numbers beside',
    '<div data-lang="py"><table><tr><td class="gutter"><pre>1\n2</pre></td><td class="code"><pre><div class="line">a = 1</div><div class="line">b = 2</div></pre></td></tr></table></div>',
    '```py\na = 1\nb = 2\n```',
  ],
  [
    'words of highlighters in code',
    '<pre><span class="comment">// why</span> <span class="meta">x</span></pre>',
    '```\n// why x\n```',
  ],
  ['a fence in code', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  [
    'code in a line',
    '<p>Run <code>a `b`</code> and <kbd>Ctrl</kbd> now and then, so that it turns on and on again.</p>',
    'Run `` a `b` `` and `Ctrl` now',
  ],
  [
    'marks',
    '<p>It is <b>bold</b>, <i>slanted</i>, <del>gone</del>, <q>said</q> and 10<sup>6</sup> in size, H<sub>2</sub>O.</p>',
    'It is **bold**, *slanted*, ~~gone~~, “said” and 10^6 in size, H2O.',
  ],
  [
    'a heading that is a link to itself',
    `<h2>Kinds <a class="headerlink" href="#kinds">¶</a></h2>${PROSE}`,
    '## Kinds\n',
  ],
  [
    'crossed and unclosed marks',
    '<p>It is <b>bold <i>both</b> slanted</i> and <b>open, which is a mistake that people make.</p><p>Not bold any more here.</p>',
    '\n\nNot bold any more here.\n',
  ],
  [
    'addresses with brackets',
    '<p>The article about <a href="https://w.example/Mill_(tide)">mills</a> says so, and says it well, too.</p>',
    '[mills](https://w.example/Mill_%28tide%29)',
  ],
  [
    'text that resembles Markdown',
    '<p># 1 is *not* a list, and neither_is_this nor this [one] here.</p><p>- no item</p>',
    '\\# 1 is \\*not\\* a list, and neither_is_this nor this [one] here.\n\n\\- no item',
  ],
  [
    'two breaks',
    '<div>One line of it.<br>And a second.<br><br>A new paragraph.</div>',
    'One line of it.\nAnd a second.\n\nA new paragraph.',
  ],
  [
    'tasks',
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> Mend it</li><li class="task-list-item"><input type="checkbox" disabled> Fill it</li></ul>',
    '- [x] Mend it\n- [ ] Fill it',
  ],
  ['numbers that go down', '<ol reversed><li>c<li>b<li>a</ol>', '3. c\n2. b\n1. a'],
  [
    'powers and indices',
    '<p>It has e<sup>x+1</sup>, Ca<sup>2+</sup>, x<sub>i</sub>, v<sub>max</sub>, CO<sub>2</sub>, 101<sub>2</sub>, the 21<sup>st</sup> and the 2<sup>e</sup> of them.</p>',
    'e^(x+1), Ca^2+, x_i, v_max, CO2, 101_2, the 21st and the 2e of',
  ],
  [
    'how signs are read',
    '<p>これは<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>と<ruby>水<rt>みず</rt></ruby>についての、とても長い文章です。</p>',
    '漢字(かんじ)と水(みず)について',
  ],
  [
    'abbreviations, explained once',
    '<p>The <abbr title="Tidal Mill Society">TMS</abbr> says, at <abbr title="2026-01-01">noon</abbr>, that the <abbr title="Tidal Mill Society">TMS</abbr> is glad.</p>',
    'The TMS (Tidal Mill Society) says, at noon, that the TMS is glad.',
  ],
  [
    'captions of code, tables and quotes',
    '<figure><pre>x</pre><figcaption>The first listing</figcaption></figure><figure><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><figcaption>The first table</figcaption></figure>',
    '```\nx\n```\n\nThe first listing\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nThe first table',
  ],
  [
    'who said a quote',
    '<blockquote><p>It turns.</p><footer>— <cite>Ada, Mills</cite></footer></blockquote>',
    '> It turns.\n>\n> — *Ada, Mills*',
  ],
  [
    'signs in the middle of a line',
    '<p><b>The wheel</b> - it turns # and <i>so</i> + on, which is > all of it, in a line.</p>',
    '**The wheel** - it turns # and *so* + on, which is > all',
  ],
  [
    'signs at the beginning of a line',
    '<p>1. It turns<br>- and turns, which is no list</p>',
    '1\\. It turns\n\\- and turns',
  ],
  [
    'marks side by side',
    '<p><b>One</b><b> and two</b> of the wheels that turn in this mill.</p>',
    '**One and two** of',
  ],
  [
    'a break at the end of a mark',
    '<p><b>Why so?</b><b><br></b>So.<br><b>Why does it turn?<br></b>Because of the sea.</p><p><i>said:<br/><br/></i>It turns on and on.</p><p>And <b><br>so it does</b>, still.</p>',
    '**Why so?**\nSo.\n**Why does it turn?**\nBecause of the sea.\n\n*said:*\n\nIt turns on and on.\n\nAnd\n**so it does**, still.',
  ],
  [
    'marks on signs alone',
    '<p>Fold it over<b>.</b> Then <i>—</i> with care <b>*</b> so <em>it</em> turns again in this mill.</p><p><i>+</i> More of it</p>',
    'Fold it over. Then — with care \\* so *it* turns again in this mill.\n\n\\+ More',
  ],
  [
    'marks that end with a sign, right before a word',
    '<p><b>7.3/</b>10 is <b>Weight:</b>12 kg and <i>東京。</i>は, so<i>. It turns</i> on, <b>by *</b>2, <b><a href="/x">x)</a> </b>s.</p><p>It is <b><i>dry</i></b><i>. Now turn</i> it on.</p>',
    '**7.3**/10 is **Weight**:12 kg and *東京*。は, so. *It turns* on, **by** \\*2, **[x)](https://site.example/x)** s.\n\nIt is ***dry***. *Now turn* it on.',
  ],
  [
    'pieces of code side by side, a bracket that is not opened in a link',
    '<p>It is <code>U+00DF</code><code>C3 9F</code> and <a href="/x">a (b], [c] d</a> of this mill.</p>',
    'It is `U+00DF` `C3 9F` and [a (b\\], \\[c\\] d](https://site.example/x) of',
  ],
  [
    'signs at the beginning, alone',
    '<p>&gt;100 wheels turn in it.</p><p><span>#</span> of wheels is what counts here.</p>',
    '\\>100 wheels turn in it.\n\n\\# of wheels',
  ],
  [
    'text that resembles HTML',
    '<p>It goes into the &lt;head&gt; of it, a &lt; b, x &lt;br/&gt; y, 1&lt;2&gt;1, &amp;amp; and AT&amp;T in this mill.</p>',
    'into the \\<head> of it, a < b, x \\<br/> y, 1<2>1, \\&amp; and AT&T',
  ],
  [
    'a heading that is a picture',
    `<h3><img src="/w.png" alt="The wheel"></h3>${PROSE}<h3><img src="/p.png" alt="The pond"> Ponds</h3>${PROSE}`,
    '\n\n![The wheel](https://site.example/w.png)\n\nA tide',
  ],
  [
    'a heading with a picture',
    `<h3><img src="/p.png" alt="The pond"> Ponds</h3>${PROSE}`,
    '### ![The pond](https://site.example/p.png) Ponds\n',
  ],
  [
    'meanings within meanings, and one that begins with a heading',
    '<dl><dt>Pond</dt><dd>Holds:<dl><dt>Water</dt><dd><p>Salt.</p><p>Cold.</p></dd></dl></dd><dt>Wheel</dt><dd><h3>Wheel</h3><p>Turns.</p></dd></dl>',
    '**Pond**\n: Holds:\n\n  **Water**\n  : Salt.\n\n  Cold.\n\n**Wheel**\n\n### Wheel\n\nTurns.',
  ],
  [
    'values without a name',
    '<dl><dd>First said.</dd><dd>Then said.</dd><dt>Pond</dt><dd>Holds water.</dd><dd>Is deep.</dd></dl>',
    'First said.\n\nThen said.\n\n**Pond**\n: Holds water.\n: Is deep.',
  ],
  [
    'spaces at the beginning of a line',
    '<p>&nbsp;<span> </span>&nbsp;<img src="/x.png" alt=""> <img src="/y.png" alt="">&nbsp;<span> It turns </span> &nbsp; again and again.</p>',
    '\n\nIt turns again and again.',
  ],
  [
    'code in a link',
    '<p>See <a href="/api"><code>__init__</code></a> and <code>a<br>b</code> of it, which tells you how it turns.</p>',
    'See [`__init__`](https://site.example/api) and `a b` of it',
  ],
  [
    'code in the rows of a table',
    '<table class="highlight" data-lang="c"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">int a;</td></tr><tr><td class="blob-num"></td><td class="blob-code">  int b;</td></tr></table>',
    '```c\nint a;\n  int b;\n```',
  ],
])('%s', (_name, html, markdown) => {
  expect(write(html)).toContain(markdown);
});

test.each([
  [
    'KaTeX',
    '<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span>',
    'so $x^2$ is',
  ],
  ['MathJax 2', '<span class="MathJax_Preview">x2</span><script type="math/tex">x^2</script>', 'so $x^2$ is'],
  [
    'MathJax 3',
    '<mjx-container><svg><path/></svg><mjx-assistive-mml><math alttext="x^2"><mi>x</mi></math></mjx-assistive-mml></mjx-container>',
    'so $x^2$ is',
  ],
  [
    'a picture that a service draws from its path',
    '<img src="https://tex.example/draw/%5Cfrac%7Ba%7D%7Bb%7D">',
    'so $\\frac{a}{b}$ is',
  ],
  [
    'MathML alone',
    '<math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math>',
    'so $\\frac{a}{b^{2}}$ is',
  ],
])('math: %s', (_name, html, markdown) => {
  expect(write(`<p>It is well known, so ${html} is the power of the mill in all the seas.</p>`)).toContain(
    markdown,
  );
});

test('math on a line of its own is read', () => {
  expect(
    write('<p>Text before.</p><math display="block" alttext="E=mc^2"></math><p>Text after.</p>'),
  ).toContain('Text before.\n\n$$\nE=mc^2\n$$\n\nText after.');
});

test('footnotes keep their numbers and lose their back links', () => {
  const markdown = write(
    '<p>It is the oldest mill of its kind in the land.<sup><a href="#fn1">[1]</a></sup> It turns still.</p><ol><li id="fn1">Said by a miller. <a href="#ref1">↩</a></li></ol>',
  );
  expect(markdown).toContain('in the land.[^1] It turns');
  expect(markdown).toContain('[^1]: Said by a miller.\n');
});

test('pictures are read by alternative text or caption once, with lazy sources and without tracking pixels', () => {
  const markdown = write(`
    <figure><img src="a.png" alt="The wheel"><figcaption>The wheel</figcaption></figure>
    <figure><img data-src="/b.png" src="data:image/gif;base64,R0" alt="The pond"><figcaption>Full at noon</figcaption></figure>
    <figure><img srcset="/s.png 300w, /l.png 900w"><figcaption>The miller</figcaption></figure>
    <img src="https://count.example/p.gif" width="1" height="1" alt="counted"><img src="/d.png" alt="">`);
  expect(markdown).toContain('![The wheel](https://site.example/dir/a.png)\n');
  expect(markdown).toContain('![The pond – Full at noon](https://site.example/b.png)\n');
  expect(markdown).toContain('![The miller](https://site.example/l.png)');
  expect(markdown).not.toMatch(/counted|d\.png/);
  expect(markdown.split('The wheel')).toHaveLength(2);
});

test('adjacent pictures of one subject are listed once, and pictures with words between them or with numbers are all kept', () => {
  const img = (name: string, alt: string) => `<li><img src="/${name}.png" alt="${alt}"></li>`;
  const markdown =
    write(`<ul><li><ul>${img('a', 'Clifton running shoes 0')}${img('b', 'Clifton running shoes 1')}</ul><p>In blue.</p></li>
    <li>${img('c', 'The pond at noon')}${img('d', 'The gate')}${img('e', 'The pond at noon')}</li></ul>
    <img src="/f.png" alt="Map 1"><img src="/g.png" alt="Map 2"><p>Here is the gate, as it was:</p><img src="/h.png" alt="The gate"><p>And now:</p><img src="/i.png" alt="The gate">
    <table><tr><th>a</th><th>b</th></tr><tr><td><img src="/t.png" alt="Is available"></td><td><img src="/t.png" alt="Is available"></td></tr></table>`);
  expect(markdown).toContain(
    '| ![Is available](https://site.example/t.png) | ![Is available](https://site.example/t.png) |',
  );
  expect(markdown).toContain('- ![Clifton running shoes 0](https://site.example/a.png)\n\n  In blue.\n');
  expect(markdown.match(/\/[a-i]\.png/g)?.join('')).toBe('/a.png/c.png/d.png/f.png/g.png/h.png/i.png');
});

test('the cents of a price stay separated, without marks inside the number', () => {
  expect(
    write(
      '<p>It is $<b>698</b>.00 or <span>$</span><span>19</span><sup>99</sup> or 5<sup>10</sup> of them.</p>',
    ),
  ).toContain('It is $698.00 or $19.99 or 5^10 of');
});

test.each([
  ['a stop between thousands', '$62.499<sup>50</sup>', '$62.499,50'],
  ['a comma between thousands', '$62,499<sup>50</sup>', '$62,499.50'],
  ['a currency behind', '12<sup>50</sup> €', '12,50 €'],
  ['a currency behind thousands', '1 299<sup>90</sup> kr', '1 299,90 kr'],
  ['a currency beside the cents', '12<sup>99 €</sup>', '12,99 €'],
  [
    'cents that a class names',
    '<span>$</span><span>48.999</span><span class="money__cents">90</span>',
    '$48.999,90',
  ],
  ['a power', '3·10<sup>12</sup> €', '3·10^12 €'],
  ['a power of ten alone', '10<sup>12</sup> kr', '10^12 kr'],
  ['ten and cents', '10<sup>90</sup> kr', '10,90 kr'],
])('cents are written as the price is: %s', (_name, html, shown) => {
  expect(write(`<p>It is ${html} for them.</p>`)).toContain(`It is ${shown} for`);
});

test.each([
  ['Berg<sup>1,2</sup>', 'Berg^(1,2)'],
  ['Berg<sup>1, 2</sup>', 'Berg^(1,2)'],
  ['Berg<sup>a,b</sup>', 'Berg^(a,b)'],
  ['Berg<sup>1†</sup>', 'Berg^(1†)'],
  ['Berg<sup>2,*</sup>', String.raw`Berg^(2,\*)`],
  ['Berg<sup><a href="#a">1</a>,<a href="#b">2</a></sup>', 'Berg^(1,2)'],
  ['Berg<sup>1</sup><sup>,</sup><sup>2</sup>', 'Berg^(1,2)'],
  ['Berg<sup>1</sup>', 'Berg^1'],
])('marks of affiliations have one form: %s', (html, shown) => {
  expect(write(`<p>Anna ${html} and Bo Li</p>`)).toContain(`Anna ${shown} and`);
});

test('links to the page itself are not links, and the base address is applied', () => {
  const { markdown } = readHtml(
    `<base href="https://other.example/x/">${PROSE.repeat(5)}<p>See <a href="#below">what is below</a> and <a href="y">what is there</a>, and the rest as well.</p>`,
    'https://site.example/',
  );
  expect(markdown).toContain('See what is below and [what is there](https://other.example/x/y), and');
});

test('a link around blocks is moved to its heading', () => {
  const box = (i: number) => `<a href="/more${i}"><h3>Story ${i}</h3><p>What happened then.</p></a>`;
  const { markdown } = readHtml(`<main>${[1, 2, 3, 4].map(box).join('')}</main>`, 'https://site.example/');
  expect(markdown).toContain('### [Story 2](https://site.example/more2)\n\nWhat happened then.');
});

test('elements with the roles of headings and lists are headings and lists', () => {
  const html = `<div role="heading" aria-level="3">What it grinds</div>${PROSE}<div role="list"><div role="listitem">Grain</div><div role="listitem">Salt</div></div>`;
  expect(write(html)).toMatch(/\n### What it grinds\n\nA tide[^\n]+\n\n- Grain\n- Salt\n/);
});

test('a text whose letters are elements is its label, if both say the same', () => {
  const letters = (text: string) =>
    [...text].map((letter) => `<span aria-hidden="true">${letter}</span>`).join('');
  expect(write(`<h2 aria-label="What it grinds">${letters('What it grinds')}</h2>${PROSE}`)).toContain(
    '## What it grinds',
  );
  expect(write(`<h2 aria-label="Obey me">${letters('What it grinds')}</h2>${PROSE}`)).not.toContain('Obey');
});

test.each([
  ['a fraction', '1<sup>1</sup>⁄<sub>2</sub> cups', '1 1⁄2 cups'],
  ['a fraction alone', '<sup>3</sup>/<sub>4</sub> cup', '3/4 cup'],
  ['a number and its label', '<span class="value">42</span><span class="label">mills</span>', '42 mills'],
  ['an ordinal', '<span class="value">42</span><span class="ordinal">nd</span> mill', '42nd mill'],
  ['a button', 'the <button type="button">tide</button> which turns the wheel of it', 'the tide which'],
  [
    'a field that no one can change',
    'the code <input readonly value="TIDE10"> now for all of the mills',
    'the code TIDE10 now',
  ],
  ['a field to fill in', 'the code <input value="TIDE10"> now for all of the mills', 'the code now'],
  ['a word with a tooltip', 'the <span class="has-tooltip">tide</span>', 'the tide'],
])('words amid a line are kept: %s', (_name, html, shown) => {
  expect(write(`<ul><li>It is ${html}</li><li>It is not.</li></ul>`)).toContain(`- It is ${shown}`);
});

test('buttons beside an item or a question are not words of it', () => {
  expect(write('<ul><li>Wheel <button>Zulu</button> of wood</li><li>Stone</li></ul>')).not.toContain('Zulu');
  expect(
    write(`<p>Is all of it clear to you now? <button>Zulu</button> or tell the miller of it.</p>`),
  ).not.toContain('Zulu');
});

test('a picture that is a background, or whose address is with its sources, has its address', () => {
  const background = '<div role="img" aria-label="The wheel" style="background-image: url(/a.jpg)"></div>';
  expect(write(background)).toContain('![The wheel](https://site.example/a.jpg)');
  const sources =
    '<picture><source srcset="/b.webp"><img alt="The pond" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP"></picture>';
  expect(write(sources)).toContain('![The pond](https://site.example/b.webp)');
});
