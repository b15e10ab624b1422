import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';
import { processorSeconds } from '../../../helpers/processor-time.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';

const write = (html: string, head = '') =>
  readHtml(
    `<html><head><title>Mills</title>${head}</head><body><article>${PROSE.repeat(5)}${html}${PROSE.repeat(3)}</article></body></html>`,
    'https://site.example/dir/page',
  ).markdown;

const inline = (html: string, head?: string) => {
  const markdown = write(
    `<p>It is well known, so ${html} is the power of the mill in all the seas.</p>`,
    head,
  );
  return /so (.*?) is the power/s.exec(markdown)?.[1];
};

test.each([
  [
    'letters and signs',
    '<mi>α</mi><mo>≤</mo><mi>β</mi><mo>−</mo><mn>2</mn><mo>&#x2062;</mo><mi>x</mi>',
    '\\alpha \\leq \\beta - 2 x',
  ],
  [
    'functions and words',
    '<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi><mo>+</mo><mi>rate</mi>',
    '\\sin x + \\mathrm{rate}',
  ],
  [
    'letters drawn in their own way',
    '<mi mathvariant="bold">v</mi><mo>∈</mo><mi>ℝ</mi><mo>,</mo><mi>𝑥</mi><mo>∈</mo><mi>𝒜</mi>',
    '\\mathbf{v} \\in \\mathbb{R}, x \\in \\mathcal{A}',
  ],
  [
    'a root',
    '<mroot><mn>8</mn><mn>3</mn></mroot><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>',
    '\\sqrt[3]{8} \\sqrt{a + b}',
  ],
  [
    'a sum with limits',
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>',
    '\\sum_{i = 1}^{n} x_{i}',
  ],
  [
    'a limit',
    '<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder>',
    '\\lim_{n \\rightarrow \\infty}',
  ],
  [
    'accents',
    '<mover><mi>x</mi><mo>˙</mo></mover><mover><mi>v</mi><mo>→</mo></mover><mover><mi>p</mi><mo>^</mo></mover>',
    '\\dot{x} \\vec{v} \\hat{p}',
  ],
  ['primes', '<msup><mi>f</mi><mo>′</mo></msup><mo>(</mo><mi>x</mi><mo>)</mo>', "f' (x)"],
  [
    'a power of a power',
    '<msup><mrow><mo>(</mo><msup><mi>x</mi><mn>2</mn></msup><mo>)</mo></mrow><mn>3</mn></msup>',
    '{(x^{2})}^{3}',
  ],
  [
    'a binomial',
    '<mrow><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>',
    '\\binom{n}{k}',
  ],
  [
    'a matrix',
    '<mrow><mo>[</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo>]</mo></mrow>',
    '\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}',
  ],
  [
    'cases',
    '<mi>y</mi><mo>=</mo><mo>{</mo><mtable><mtr><mtd><mn>0</mn></mtd><mtd><mtext>if</mtext></mtd></mtr><mtr><mtd><mn>1</mn></mtd><mtd><mtext>else</mtext></mtd></mtr></mtable>',
    'y = \\begin{cases} 0 & \\text{if} \\\\ 1 & \\text{else} \\end{cases}',
  ],
  [
    'aligned lines',
    '<mtable columnalign="right left"><mtr><mtd><mi>a</mi></mtd><mtd><mo>=</mo><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mo>=</mo><mi>d</mi></mtd></mtr></mtable>',
    '\\begin{aligned} a & = b \\\\ c & = d \\end{aligned}',
  ],
  [
    'a line with a number',
    '<mtable><mlabeledtr><mtd><mtext>(3)</mtext></mtd><mtd><mi>a</mi><mo>=</mo><mi>b</mi></mtd></mlabeledtr></mtable>',
    'a = b \\tag{3}',
  ],
  [
    'indices before',
    '<mmultiscripts><mi>C</mi><none/><none/><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>',
    '{}_{6}^{14}C',
  ],
  ['brackets by attribute', '<mfenced open="[" close=")"><mi>a</mi><mi>b</mi></mfenced>', '[a, b)'],
  ['a box', '<menclose notation="box"><mi>a</mi></menclose>', '\\boxed{a}'],
  [
    'signs that TeX reads as its own',
    '<mtext>5 % & more_</mtext><mo>{</mo><mi>a</mi><mo>}</mo>',
    '\\text{5 \\% \\& more\\_} \\{a\\}',
  ],
])('MathML: %s', (_name, mathml, tex) => {
  expect(inline(`<math>${mathml}</math>`)).toBe(`$${tex}$`);
});

test('MathML with a TeX annotation is read as TeX', () => {
  expect(
    inline(
      '<math><semantics><mi>y</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
    ),
  ).toBe('$x^2$');
});

test('a formula drawn by MathJax with its own elements is read from text or from character codes of a style sheet', () => {
  const drawn = (letter: (code: string, text: string) => string) =>
    `<mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-msub><mjx-mi>${letter('1D465', '𝑥')}</mjx-mi><mjx-script><mjx-mi>${letter('1D456', '𝑖')}</mjx-mi></mjx-script></mjx-msub><mjx-mo>${letter('3D', '=')}</mjx-mo><mjx-mfrac><mjx-frac><mjx-num><mjx-nstrut></mjx-nstrut><mjx-mn>${letter('31', '1')}</mjx-mn></mjx-num><mjx-dbox><mjx-dtable><mjx-line></mjx-line><mjx-row><mjx-den><mjx-dstrut></mjx-dstrut><mjx-msubsup><mjx-mi>${letter('1D70E', '𝜎')}</mjx-mi><mjx-script><mjx-mn>${letter('32', '2')}</mjx-mn><mjx-spacer></mjx-spacer><mjx-mi>${letter('1D456', '𝑖')}</mjx-mi></mjx-script></mjx-msubsup></mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac></mjx-math></mjx-container>`;
  const wanted = '$x_{i} = \\frac{1}{\\sigma_{i}^{2}}$';
  expect(inline(drawn((_code, text) => `<mjx-c>${text}</mjx-c>`))).toBe(wanted);
  expect(inline(drawn((code) => `<mjx-c class="mjx-c${code} TEX-I"></mjx-c>`))).toBe(wanted);
});

test('a formula drawn by MathJax 2 is read once, from its source or from its hidden MathML', () => {
  const drawn = (mathml: string) =>
    `<span class="MathJax_Preview"></span><span class="MathJax" data-mathml="${mathml}"><span>x2</span></span>`;
  const mathml =
    '&lt;math&gt;&lt;msup&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/msup&gt;&lt;/math&gt;';
  expect(inline(drawn(mathml))).toBe('$x^{2}$');
  expect(inline(`${drawn(mathml)}<script type="math/tex">x^2</script>`)).toBe('$x^2$');
});

test.each([
  ['\\(E = mc^2\\)', '$E = mc^2$'],
  ['$$a * b_1 * c$$', '$a * b_1 * c$'],
  ['costs $100 and $200', 'costs $100 and $200'],
  ['the group \\(see above\\)', 'the group \\\\(see above\\\\)'],
  ['<code>\\(x_1\\)</code>', '`\\(x_1\\)`'],
  ['a lone \\[ and \\(', 'a lone \\\\[ and \\\\('],
])('TeX in the text: %s', (html, markdown) => {
  expect(inline(html)).toBe(markdown);
});

test('TeX on lines of its own in the text is read', () => {
  for (const typed of ['\\[F = ma\\]', '<p>\n  $$F = ma$$\n</p>'])
    expect(write(typed)).toContain('wheel.\n\n$$\nF = ma\n$$\n\nA tide');
  expect(write('<p>\\begin{align} a &amp;= b \\\\ c &amp;= d \\end{align}</p>')).toContain(
    '$$\n\\begin{align} a &= b \\\\ c &= d \\end{align}\n$$',
  );
});

test('single dollar signs delimit formulas on pages that render formulas, and are prices elsewhere', () => {
  const script = '<script src="https://cdn.example/mathjax@3/tex-chtml.js"></script>';
  expect(inline('$a*x_1$ and $n$', script)).toBe('$a*x_1$ and $n$');
  expect(inline('$5 *more* than $3', script)).toBe('$5 \\*more\\* than $3');
});

test.each([
  ['openings', '\\['.repeat(300_000)],
  ['dollars', '$$'.repeat(300_000)],
  ['environments', '\\begin{align}'.repeat(100_000)],
  ['roots in roots', `<math>${'<msqrt>'.repeat(5000)}`],
  ['rows of a table', `<math><mtable>${'<mtr><mtd><mi>x</mi></mtd></mtr>'.repeat(15_000)}</mtable></math>`],
  ['drawn boxes', `<mjx-container><mjx-math>${'<mjx-box><mjx-mfrac>'.repeat(9000)}`],
  ['containers', '<mjx-container>'.repeat(50_000)],
  ['matrices in a row', `<math>${'<mo>(</mo><mtable></mtable>'.repeat(6000)}</math>`],
])('hostile formulas: %s', (_name, html) => {
  expect(processorSeconds(() => write(`<div>${html}</div>`))).toBeLessThan(10);
});

const PAD = '<td class="ltx_eqn_cell ltx_eqn_center_padleft"></td>';
const side = (tex: string, display = 'inline') =>
  `<td class="ltx_td ltx_eqn_cell"><math alttext="${tex}" display="${display}"><mi>x</mi></math></td>`;
const eqno = (number: string) =>
  `<td class="ltx_eqn_cell ltx_eqn_eqno"><span class="ltx_tag ltx_tag_equation">(${number})</span></td>`;
const row = (...cells: string[]) =>
  `<tbody><tr class="ltx_equation ltx_eqn_row ltx_align_baseline">${PAD}${cells.join('')}${PAD}</tr></tbody>`;
const group = (...rows: string[]) =>
  `<table class="ltx_equationgroup ltx_eqn_align">${rows.join('')}</table>`;

test.each([
  [
    'sides in cells of their own',
    group(row(side('\\displaystyle p_{0}'), side('\\displaystyle\\leq q'), side('&lt;r'), eqno('2.1'))),
    '$$\np_{0} \\leq q <r \\tag{2.1}\n$$',
  ],
  [
    'rows of which one has no number',
    group(row(side('a'), side('=b'), eqno('3')), row('<td></td>', side('=c')), row(side('d'), eqno('4a'))),
    '$$\na =b \\tag{3}\n$$\n\n$$\n=c\n$$\n\n$$\nd \\tag{4a}\n$$',
  ],
  ['a number on the left', group(row(eqno('5'), side('a=b', 'block'))), '$$\na=b \\tag{5}\n$$'],
  [
    'a number beside the formula (Springer)',
    '<div class="c-article-equation"><div class="c-article-equation__content"><span class="mathjax-tex">$$a = b$$</span></div><div class="c-article-equation__number">(6)</div></div>',
    '$$\na = b \\tag{6}\n$$',
  ],
  [
    'a number in the box (Sphinx)',
    '<div class="math notranslate"><span class="eqno">(7)<a class="headerlink" href="#e">¶</a></span>\\[a = b\\]</div>',
    '$$\na = b \\tag{7}\n$$',
  ],
  [
    'a number in a table (TeX4ht)',
    '<table class="equation"><tr><td><math alttext="a=b" display="block"><mi>x</mi></math></td><td class="equation-label">(8)</td></tr></table>',
    '$$\na=b \\tag{8}\n$$',
  ],
])('an equation is one formula with its number: %s', (_name, html, markdown) => {
  expect(write(html)).toContain(`wheel.\n\n${markdown}\n\nA tide`);
});

test('formulas with words between them stay apart, and so do those that are only named equations', () => {
  const worded = write(
    group(row(side('a'), '<td class="ltx_eqn_cell">for all of</td>', side('b'), eqno('9'))),
  );
  expect(worded).toMatch(/\$a\$\s+for all of\s+\$b\$\s+\(9\)/);
  const named = write(
    '<div class="equation">\\(a\\) and \\(b\\)</div><div class="math">\\(c\\) \\(d\\)</div>',
  );
  expect(named).toContain('$a$ and $b$\n\n$c$ $d$');
});
