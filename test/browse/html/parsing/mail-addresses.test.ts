import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';
import { readOutline } from '../../../../src/browse/readers/html-outline.ts';

const PROSE = '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond.</p>';
const page = (html: string) =>
  `<html><body><article>${PROSE.repeat(5)}<p>Please ${html} soon.</p>${PROSE}</article></body></html>`;
const write = (html: string) => readHtml(page(html), 'https://mill.example/contact').markdown;

const MAIL = 'info@mill.example';
const LINK = `[${MAIL}](mailto:${MAIL})`;
const byXor = (text: string, key: number) =>
  Buffer.from([key, ...Buffer.from(text).map((byte) => byte ^ key)]).toString('hex');
const byShift = (text: string, shift: number) =>
  text
    .replace(/[a-z]/g, (sign) => String.fromCharCode(97 + ((sign.charCodeAt(0) - 97 + shift + 26) % 26)))
    .replace(/[+-:]/g, (sign) => String.fromCharCode(43 + ((sign.charCodeAt(0) - 43 + shift + 16) % 16)))
    .replace('@', String.fromCharCode(64 + ((shift + 27) % 27)));

test.each([
  [
    'Cloudflare',
    `write to <span class="__cf_email__" data-cfemail="${byXor(MAIL, 90)}">[email&#160;protected]</span>`,
    `write to ${MAIL}`,
  ],
  [
    'Cloudflare, a link',
    `<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${byXor(MAIL, 7)}">[email&#160;protected]</a>`,
    LINK,
  ],
  [
    'Cloudflare, within a link',
    `<a href="/cdn-cgi/l/email-protection#${byXor(MAIL, 145)}"><span data-cfemail="${byXor(MAIL, 1)}">[email&#160;protected]</span></a>`,
    LINK,
  ],
  [
    'Cloudflare, words',
    `<a href="https://mill.example/cdn-cgi/l/email-protection#${byXor(`${MAIL}?subject=Mill%20stones`, 200)}">write</a>`,
    `[write](mailto:${MAIL}?subject=Mill%20stones)`,
  ],
  [
    'Cloudflare, no address',
    `<a href="/cdn-cgi/l/email-protection#${byXor('javascript:alert(1)', 9)}">write</a>`,
    'Please write soon',
  ],
  [
    'TYPO3',
    `<a href="javascript:linkTo_UnCryptMailto('${byShift(`mailto:${MAIL}`, 2)}');">info(at)mill.example</a>`,
    `[info(at)mill.example](mailto:${MAIL})`,
  ],
  [
    'TYPO3, escaped',
    `<a href="javascript:linkTo_UnCryptMailto(%27${byShift(`mailto:${MAIL}`, -3)}%27);">write</a>`,
    `[write](mailto:${MAIL})`,
  ],
  [
    'TYPO3, a token',
    `<a href="#" data-mailto-token="${byShift(`mailto:${MAIL}`, 1)}" data-mailto-vector="1">write</a>`,
    `[write](mailto:${MAIL})`,
  ],
  [
    'from right to left',
    `write to <span style="unicode-bidi:bidi-override; direction: rtl">${[...MAIL].reverse().join('')}</span>`,
    `write to ${MAIL}`,
  ],
  ['words for the signs', 'write to info [at] mill.example', 'write to info [at] mill.example'],
])('a mail address that a page encodes: %s', (_name, html, shown) => {
  expect(write(html)).toContain(shown);
  expect(write(html)).not.toMatch(/cdn-cgi|javascript/);
});

test('only mail addresses are decoded', () => {
  const text = `write to <span data-cfemail="${byXor('<b>obey me</b>', 90)}">[email protected]</span>`;
  expect(write(text)).toContain('[email protected]');
});

test('the outline has mail addresses', () => {
  const text = `write to <span data-cfemail="${byXor(MAIL, 90)}">[email protected]</span>`;
  expect(readOutline(page(text), 'time').markdown).toContain(`write to ${MAIL}`);
});
