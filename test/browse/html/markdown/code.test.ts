import fc from 'fast-check';
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
    'Prism',
    '<pre class="line-numbers language-css"><code class="language-css">a {}</code></pre>',
    'css',
    'a {}',
  ],
  [
    'Gatsby, whose marked lines are boxes',
    '<div class="gatsby-highlight has-highlighted-lines"><pre class="gatsby-code-jsx"><code class="gatsby-code-jsx">a {\n<span class="gatsby-highlight-code-line">  b();</span><span class="gatsby-highlight-code-line">  c();</span>}</code></pre></div>',
    'jsx',
    'a {\n  b();\n  c();\n}',
  ],
  ['highlight.js', '<pre><code class="hljs javascript">let a;</code></pre>', 'javascript', 'let a;'],
  ['GitHub', '<div class="highlight highlight-source-shell"><pre>ls</pre></div>', 'shell', 'ls'],
  [
    'Pandoc',
    '<div class="sourceCode" id="cb1"><pre class="sourceCode python"><code class="sourceCode python">a</code></pre></div>',
    'python',
    'a',
  ],
  ['SyntaxHighlighter', '<pre class="brush: php; gutter: false">echo 1;</pre>', 'php', 'echo 1;'],
  [
    'Org',
    '<div class="org-src-container"><pre class="src src-emacs-lisp">(a)</pre></div>',
    'emacs-lisp',
    '(a)',
  ],
  [
    'Hexo',
    '<figure class="highlight cpp"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">int a;</span><br><span class="line">int b;</span><br></pre></td></tr></table></figure>',
    'cpp',
    'int a;\nint b;',
  ],
  [
    'Rouge',
    '<div class="language-go highlighter-rouge"><div class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>a\nb\n</pre></td></tr></tbody></table></code></div></div>',
    'go',
    'a\nb',
  ],
  [
    'Chroma',
    '<div class="highlight"><pre><code class="language-rust" data-lang="rust"><span style="display:flex"><span style="user-select:none"> 1</span><span>a\n</span></span><span style="display:flex"><span style="user-select:none"> 2</span><span>b\n</span></span></code></pre></div>',
    'rust',
    'a\nb',
  ],
  [
    'Shiki, lines without ends, one of them empty',
    '<pre class="shiki" data-language="ts"><code><span class="line">a</span><span class="line"></span><span class="line">b</span></code></pre>',
    'ts',
    'a\n\nb',
  ],
  [
    'Shiki, lines with ends',
    '<pre class="shiki"><code data-language="ts"><span class="line">a</span>\n<span class="line"></span>\n<span class="line">b</span></code></pre>',
    'ts',
    'a\n\nb',
  ],
  [
    'a line over the code with its language and a button',
    '<div class="block"><div class="code-header"><span>Python</span><button>Copy</button></div><pre><code>a = 1</code></pre></div>',
    'python',
    'a = 1',
  ],
  [
    'such a line in the block',
    '<pre><code class="hljs language-bash"><div class="code__header"><span>bash</span></div><div>ls</div></code></pre>',
    'bash',
    'ls',
  ],
  [
    'code of several lines without a block',
    '<div><code data-lang="sql">select 1\nfrom b</code></div>',
    'sql',
    'select 1\nfrom b',
  ],
  [
    'a box with the language and no block',
    '<div class="code-block" data-lang="http">GET /a\n\nb</div>',
    'http',
    'GET /a\n\nb',
  ],
  ['no language', '<pre class="wp-block-code"><code class="language-plaintext">a</code></pre>', '', 'a'],
])('code of %s is read', (_name, html, language, text) => {
  expect(write(html)).toContain(`wheel.\n\n\`\`\`${language}\n${text}\n\`\`\`\n\nA tide`);
});

test('a language named around several blocks is not applied to each block', () => {
  const markdown = write(
    `<div data-lang="en" class="language-python"><pre>a</pre>${PROSE}<pre>b</pre></div>`,
  );
  expect(markdown).toContain('```\na\n```');
});

test('parts of a block that a style shows as lines are lines', () => {
  const lines = ['a = 1', 'b = 2', 'c = 3'];
  for (const tag of ['code', 'span']) {
    const html = lines.map((line) => `<${tag} style="display: block">${line}</${tag}>`).join('');
    expect(readHtml(`<p>Some text of a page.</p><pre>${html}</pre>`).markdown).toContain(
      `\n${lines.join('\n')}\n`,
    );
  }
});

const LINES = ['#!/bin/sh', 'set -e', '', '  tide --port 80 | tee log', 'done;', '\tend', '*** ~~'];
const FORMS: readonly (readonly [name: string, write: (lines: readonly string[]) => string])[] = [
  ['code', (lines) => lines.map((line) => `<code>${line}</code>`).join('')],
  [
    'coloured code',
    (lines) => lines.map((line) => `<code><span><i>${line || '<br>'}</i></span></code>`).join(''),
  ],
  ['div', (lines) => lines.map((line) => `<div>${line || '<br>'}</div>`).join('')],
  ['p', (lines) => lines.map((line) => `<p>${line || '<br>'}</p>`).join('')],
  ['li', (lines) => `<ol>${lines.map((line) => `<li>${line || '<br>'}</li>`).join('')}</ol>`],
  ['shown span', (lines) => lines.map((line) => `<span style="display:block">${line}</span>`).join('')],
  ['code and line ends', (lines) => lines.map((line) => `<code>${line}</code>`).join('\n')],
  ['code with line ends', (lines) => lines.map((line) => `<code>${line}\n</code>`).join('')],
];

test.each(FORMS)('a block with one %s for each line has these lines, also in a table', (_name, form) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LINES), { minLength: 2, maxLength: 8 }), (lines) => {
      const text = ['first', ...lines, 'last'];
      const html = `<pre>${form(text)}</pre>`;
      expect(write(html)).toContain(`\`\`\`\n${text.join('\n')}\n\`\`\``);
      const cell = write(
        `<table><tr><th>Step</th><th>Code</th></tr><tr><td>1</td><td>${html}</td></tr></table>`,
      );
      expect(cell).toContain('`first`<br>');
    }),
    { seed: 41, numRuns: 30 },
  );
});

test('code beside code in a line of a block stays one line', () => {
  expect(write('<pre><code>let</code> <code>x</code> = <code>1</code></pre>')).toContain('\nlet x = 1\n');
});

const PRE = '<pre><code class="language-js">let a;\nlet b;</code></pre>';
const COPY_WORDS = ['Copy', 'Copied!', 'Kopieren', 'Copier', 'Копировать', '复制', 'コピー', '복사', 'نسخ'];

test.each<[name: string, write: (label: string) => string]>([
  ['before the code', (label) => `<div class="x"><div><span>${label}</span></div>${PRE}</div>`],
  ['behind the code', (label) => `<figure>${PRE}<p>${label}</p></figure>`],
  [
    'behind the language',
    (label) => `<div><div><span>JavaScript</span> <span>${label}</span></div>${PRE}</div>`,
  ],
  ['without an element', (label) => `<div>${label}${PRE}</div>`],
  ['in an element of its own', (label) => `<div>${PRE}<clipboard-copy>${label}</clipboard-copy></div>`],
  ['in the block', (label) => PRE.replace('</pre>', `<span class="copy-button">${label}</span></pre>`)],
  ['in the code', (label) => PRE.replace('let a', `<div class="copy-btn">${label}</div>let a`)],
  [
    'over a table of lines',
    (label) =>
      `<figure class="highlight js"><div class="tools"><span>${label}</span></div><table><tr><td class="gutter"><pre>1<br>2<br></pre></td><td class="code">${PRE}</td></tr></table></figure>`,
  ],
])('the label of a button that copies code is not text: %s', (_place, form) => {
  for (const label of COPY_WORDS) {
    const markdown = write(form(label));
    expect(markdown, label).toContain('wheel.\n\n```js\nlet a;\nlet b;\n```\n\nA tide');
    expect(markdown, label).not.toContain(label);
  }
});

test('a button that copies code is known by its class in any language', () => {
  const label = '<div class="btn-clipboard"><span>Αντιγραφή στο πρόχειρο</span></div>';
  expect(write(`<div>${label}${PRE}</div>`)).not.toContain('πρόχειρο');
});

test.each([
  [
    'a word of a sentence',
    `<div>${PRE}<p>Press <b>Copy</b> to take it.</p></div>`,
    'Press **Copy** to take it.',
  ],
  ['a heading', `<h2>Copy</h2>${PRE}`, '## Copy'],
  ['an item', '<ol><li>Copy<pre>a b</pre></li></ol>', '1. Copy\n'],
  ['code', '<pre><code>from x import <b>copy</b></code></pre>', 'from x import copy'],
  [
    'code with such a class',
    '<div class="code-copy"><pre><b class="clipboard">npm i</b></pre></div>',
    '\nnpm i\n',
  ],
])('words such as "copy" stay in the text: %s', (_place, html, kept) => {
  expect(write(html)).toContain(kept);
});

const FIXED = "font-family: Consolas, 'Courier New', monospace; white-space: pre;";
const LINE_STYLE = "font-size:11pt;font-family:'Courier New',monospace;white-space:pre-wrap";
const gutter = (lines: readonly string[]) =>
  lines.map((_, i) => `<div class="cm-gutterElement">${i + 1}</div>`).join('');
const BOXES: typeof FORMS = [
  ...FORMS.filter(([name]) => name !== 'li').map(
    ([name, form]) =>
      [name, (lines: readonly string[]) => `<div style="${FIXED}">${form(lines)}</div>`] as const,
  ),
  [
    'lines in a box of a box',
    (lines) =>
      `<div style="${FIXED}"><div>${lines.map((line) => `<div>${line || '<br>'}</div>`).join('')}</div></div>`,
  ],
  [
    'lines between breaks',
    (lines) => `<p style="${FIXED}">${lines.map((line) => `<span>${line}</span>`).join('<br>')}</p>`,
  ],
  ['line ends', (lines) => `<div style="${FIXED}">${lines.join('\n')}</div>`],
  ['names of styles', (lines) => `<div class="font-mono whitespace-pre">${lines.join('\n')}</div>`],
  [
    'code that keeps its spaces',
    (lines) => `<div><code style="white-space: pre">${lines.join('\n')}</code></div>`,
  ],
  [
    'boxes of their own',
    (lines) => lines.map((line) => `<div style="${FIXED}">${line || '<br>'}</div>`).join(''),
  ],
  [
    'paragraphs of a text program',
    (lines) =>
      lines
        .map((line) => (line ? `<p dir="ltr"><span style="${LINE_STYLE}">${line}</span></p>` : '<br>'))
        .join(''),
  ],
  [
    'an editor with numbers beside',
    (lines) =>
      `<div class="cm-scroller"><div class="cm-gutters">${gutter(lines)}</div><div class="cm-content">${lines.map((line) => `<div class="cm-line">${line || '<br>'}</div>`).join('')}</div></div>`,
  ],
  [
    'an editor with hard spaces',
    (lines) =>
      `<div class="view-lines">${lines.map((line) => `<div class="view-line"><span><b>${line.replaceAll(' ', '&nbsp;')}</b></span></div>`).join('')}</div>`,
  ],
];

test.each(BOXES)('a box that an editor made is a block of code: %s', (_name, form) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LINES), { minLength: 2, maxLength: 8 }), (lines) => {
      const text = ['first = {', ...lines, '}'];
      expect(write(form(text))).toContain(`wheel.\n\n\`\`\`\n${text.join('\n')}\n\`\`\`\n\nA tide`);
    }),
    { seed: 43, numRuns: 20 },
  );
});

test.each([
  [
    'a letter',
    `<div style="font-family: monospace; white-space: pre-wrap">Dear miller,\n\nThe wheel turns again. We are glad.\nIt is good so.</div>`,
  ],
  ['one line', `<div style="${FIXED}">The wheel turns again.</div>`],
  [
    'a line within a sentence',
    `<p>It is <span style="${FIXED}">The wheel\nturns again.</span> So it is.</p>`,
  ],
  ['hidden code', `<div style="display:none;${FIXED}">let a;\nlet b;</div>`],
])('%s in a fixed-width font is no block of code', (_name, html) => {
  expect(write(html)).not.toContain('```');
});
