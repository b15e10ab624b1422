import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const PROSE = '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond.</p>';
const write = (html: string) =>
  readHtml(`<html><body><article>${PROSE.repeat(5)}${html}${PROSE}</article></body></html>`).markdown;

const FIRST = ['The wheel is old,', 'the sea is wide,', 'the miller waits'];
const SECOND = ['for every tide,', 'and counts the bread.'];
const POEM = `pond.\n\n${FIRST.join('\\\n')}\n\n${SECOND.join('\\\n')}`;
const stanzas = (line: (text: string) => string, between = '') =>
  [FIRST, SECOND].map((lines) => `<div class="stanza">${lines.map(line).join(between)}</div>`).join('');

test.each([
  ['paragraphs', `<div class="poem">${stanzas((text) => `<p>${text}</p>`)}</div>`],
  ['boxes', `<div class="poem">${stanzas((text) => `<div class="line">${text}</div>`)}</div>`],
  [
    'spans that a style sheet shows as lines',
    `<div class="poem">${stanzas((text) => `<span class="line">${text}</span>`)}</div>`,
  ],
  ['breaks', `<div class="poem">${stanzas((text) => text, '<br>')}</div>`],
  [
    'paragraphs, and an empty one between stanzas',
    `<div class="poem">${[...FIRST, '&nbsp;', ...SECOND].map((text) => `<p>${text}</p>`).join('')}</div>`,
  ],
  ['line ends', `<pre class="wp-block-verse">${FIRST.join('\n')}\n\n${SECOND.join('\n')}</pre>`],
])('the lines of a stanza are one block: %s', (_name, poem) => {
  const markdown = write(`${poem}<p class="date">22 August 1857</p>`);
  expect(markdown).toContain(`${POEM}\n\n22 August 1857\n\nA tide`);
});

test('the date in a poem is no line of it', () => {
  const poem = `<div class="poem">${SECOND.map((text) => `<p>${text}</p>`).join('')}<p class="date">1857</p></div>`;
  expect(write(poem)).toContain(`${SECOND.join('\\\n')}\n\n1857\n\n`);
});

test('paragraphs of prose about poetry stay paragraphs, and code stays code', () => {
  const text = FIRST.join(' ').repeat(4);
  expect(write(`<div class="poetry"><p>${text}</p><p>${text}</p></div>`)).toContain(`${text}\n\n${text}`);
  expect(write('<pre class="verse"><code>a\n  b</code></pre>')).toContain('```\na\n  b\n```');
});
