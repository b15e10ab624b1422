import { expect, test } from 'vitest';
import {
  acceptLanguage,
  estimateChromeVersion,
  formatBrandsHeader,
  pageHeaders,
  scriptHeaders,
} from '../../../src/search/asking/browser-headers.ts';

test.each([
  // As Chrome 130 and 131 sent them.
  [130, '"Chromium";v="130", "Google Chrome";v="130", "Not?A_Brand";v="99"'],
  [131, '"Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"'],
])('the brands of version %i are written as Chrome writes them', (version, line) => {
  expect(formatBrandsHeader(version)).toBe(line);
});

test('the browser version grows with the years, and a wrong clock does not make it absurd', () => {
  expect(estimateChromeVersion(Date.UTC(2026, 0, 14))).toBe(144);
  expect(estimateChromeVersion(Date.UTC(2027, 0, 14))).toBe(156);
  expect(estimateChromeVersion(0)).toBe(144);
  expect(estimateChromeVersion(Date.UTC(2300, 0, 1))).toBe(244);
});

test('the headers of a page request agree with each other, in the order of the browser', () => {
  const headers = pageHeaders({ from: 'https://e.example/', form: 'https://e.example', cookie: 'a=1' });
  expect(Object.keys(headers)).toEqual([
    ...['cache-control', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'origin', 'content-type'],
    ...[
      'upgrade-insecure-requests',
      'user-agent',
      'accept',
      'sec-fetch-site',
      'sec-fetch-mode',
      'sec-fetch-user',
    ],
    ...['sec-fetch-dest', 'referer', 'accept-encoding', 'accept-language', 'cookie'],
  ]);
  const [, version] = /Chrome\/(\d+)\.0\.0\.0/.exec(headers['user-agent'] ?? '') ?? [];
  expect(headers['sec-ch-ua']).toContain(`"Google Chrome";v="${version}"`);
  const platform = { '"Windows"': 'Windows NT', '"macOS"': 'Macintosh', '"Linux"': 'Linux' };
  expect(headers['user-agent']).toContain(platform[headers['sec-ch-ua-platform'] as keyof typeof platform]);
  expect(headers['sec-fetch-site']).toBe('same-origin');
  expect(pageHeaders()['sec-fetch-site']).toBe('none');
  expect(pageHeaders().referer).toBeUndefined();
});

test('a request by a script of a page names the page', () => {
  const near = scriptHeaders({ from: 'https://www.e.example/x', site: 'same-site' });
  expect(near).toMatchObject({
    origin: 'https://www.e.example',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
  });
  expect(scriptHeaders({ from: 'https://e.example/', site: 'same-origin' }).origin).toBeUndefined();
});

test.each([
  [undefined, undefined, 'en-US,en;q=0.9'],
  ['en', 'GB', 'en-GB,en;q=0.9'],
  ['de', undefined, 'de,en;q=0.8'],
  ['de', 'AT', 'de-AT,de;q=0.9,en;q=0.8'],
])('the language header for %s is %s', (language, region, line) => {
  expect(acceptLanguage(language, region)).toBe(line);
});
