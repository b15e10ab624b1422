import { describe, expect, test } from 'vitest';
import { htmlToPlainText, parsePublishedDate, toHits } from '../../../src/search/answers/hit.ts';

describe('plain text', () => {
  test.each([
    ['<strong>Mag</strong>pie &amp; nest', 'Magpie & nest'],
    ['one<br/>two<p class="x">three</p>', 'one two three'],
    ['Array<string> and a < b', 'Array<string> and a < b'],
    ['&lt;b&gt; stays', '<b> stays'],
    ['AT&T &#8211; &nbsp;&eacute;\u0000\n\t x', 'AT&T – é x'],
    ['mag\u200bpie\u202e \u{e0041}&#x200b;nest', 'magpie nest'],
    ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['<a href="javascript:x" title=\'y\'>link</a>', 'link'],
  ])('the markup %j becomes the plain text %j', (html, text) => {
    expect(htmlToPlainText(html)).toBe(text);
  });

  test('hostile markup takes linear time', () => {
    for (const unit of ['<b ', '<', '&', '<br', '</p\t', '&lt']) {
      expect(htmlToPlainText(unit.repeat(1_000_000)).length).toBeLessThanOrEqual(20_000);
    }
  });
});

describe('dates', () => {
  const now = Date.UTC(2026, 10, 21);
  test.each([
    ['2026-03-05', Date.UTC(2026, 2, 5)],
    ['2026-03-05T10:20:30', Date.UTC(2026, 2, 5, 10, 20, 30)],
    ['2026-03-05 10:20', Date.UTC(2026, 2, 5, 10, 20)],
    ['2026-03-05T10:20:30.123456Z', Date.UTC(2026, 2, 5, 10, 20, 30, 123)],
    ['2026-03-05T10:20:30+02:00', Date.UTC(2026, 2, 5, 8, 20, 30)],
    ['Thu, 05 Mar 2026 10:20:30 GMT', Date.UTC(2026, 2, 5, 10, 20, 30)],
    ['Thu, 05 Mar 2026 10:20:30 +0200', Date.UTC(2026, 2, 5, 8, 20, 30)],
    ['Mar 5, 2026', Date.UTC(2026, 2, 5)],
    ['5 March 2026', Date.UTC(2026, 2, 5)],
    ['3 days ago', now - 3 * 86_400_000],
    ['1 hour ago', now - 3_600_000],
    ['20 mins ago', now - 20 * 60_000],
  ])('%s', (written, date) => {
    expect(parsePublishedDate(written, now)).toBe(date);
  });

  test.each([
    '',
    null,
    undefined,
    'soon',
    'Chapter 7',
    '7',
    '2026-99-99',
    '2027-03-05',
    '1970-01-01',
    'Foo 5, 2026',
    `2026-03-05${' '.repeat(100)}x`,
  ])('%j is not a date', (written) => {
    expect(parsePublishedDate(written, now)).toBeUndefined();
  });
});

test('a hit without a title is named by its address, and a hit without a web page address is dropped', () => {
  expect(toHits({ url: 'http://a.example', title: ' <b></b> ' })).toEqual([
    { title: 'http://a.example/', url: 'http://a.example/', snippet: '' },
  ]);
  for (const url of [
    '',
    '/relative',
    'javascript:alert(1)',
    'JAVASCRIPT:x',
    'data:,x',
    'ftp://a.example/',
    'http://',
  ]) {
    expect(toHits({ url, title: 'x' }), url).toEqual([]);
  }
});

test('long titles and snippets are cut', () => {
  const [hit] = toHits({ url: 'http://a.example', title: 'x'.repeat(5000), snippet: 'y'.repeat(50_000) });
  expect([hit?.title.length, hit?.snippet.length]).toEqual([300, 1000]);
});
