import { describe, expect, test } from 'vitest';
import { parseRobots } from '../../../src/search/crawling/robots.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const at = (path: string) => `https://a.example${path}`;
const allowed = (text: string, paths: readonly string[]) => {
  const rules = parseRobots(text);
  return paths.filter((path) => rules.allows(at(path)));
};

test('the group of Magpie precedes the general group, the longest rule precedes others, and delays are bounded', () => {
  const text = `\uFEFFUser-agent: *\nDisallow: /\n\nUser-agent: MAGPIE/1.0\nDisallow: /private # not this\nAllow: /private/open$\nDisallow: /*.cgi\nCrawl-delay: 500\nSitemap: https://a.example/s.xml\nSitemap: nonsense`;
  const paths = ['/', '/private', '/private/open', '/private/open/x', '/run.cgi', '/other'];
  expect(allowed(text, paths)).toEqual(['/', '/private/open', '/other']);
  const { hostDelayMs, sitemaps } = parseRobots(text);
  expect([hostDelayMs, sitemaps]).toEqual([60_000, ['https://a.example/s.xml']]);
  expect(allowed('<!doctype html><p>no', ['/'])).toEqual(['/']);
});

test('one group can name several robots, groups of one robot can be in several places, and unrelated lines between are skipped', () => {
  const text = `User-agent: other\r\nUser-agent: magpie\r\nDisallow: /a\r\n\r\nUser-agent: third\rDisallow: /c\nuser-AGENT:magpie\nUnknown: 1\nDISALLOW:/b\nCrawl-delay: none`;
  expect(allowed(text, ['/a', '/b', '/c'])).toEqual(['/c']);
  expect(parseRobots(text).hostDelayMs).toBe(0);
  expect(allowed('User-agent: *\nDisallow:\nAllow:', ['/'])).toEqual(['/']);
  expect(allowed('Disallow: /', ['/'])).toEqual(['/']);
});

test.each([
  ['/fish', ['/fish', '/fish.html', '/fish/salmon', '/fish?x'], ['/Fish', '/a/fish']],
  ['/fish*', ['/fish', '/fishes'], ['/fis']],
  ['/*.php', ['/a.php', '/a/b.php?x', '/.php'], ['/a.PHP', '/php']],
  ['/*.php$', ['/a.php', '/a.php.php'], ['/a.php?x', '/a.php/']],
  ['/a*b*c$', ['/abc', '/axbxc', '/abcc', '/abcbc'], ['/ac', '/abcx', '/acb']],
  ['/ab*ba$', ['/abba', '/abxba'], ['/aba']],
  ['/$', ['/'], ['/a']],
  ['*/x', ['/x', '/a/x/b'], ['/ax']],
  ['/a**b', ['/ab', '/axb'], ['/a']],
  ['/ü%2f~', ['/%C3%BC%2F~', '/ü%2f%7Ex'], ['/ü/~']],
  ['/a?b=*&c', ['/a?b=1&c'], ['/a']],
])('the pattern %s', (pattern, matching, others) => {
  const text = `User-agent: *\nDisallow: ${pattern}`;
  expect(allowed(text, [...matching, ...others])).toEqual(others);
});

test('of two equally long patterns the allowing pattern counts', () => {
  for (const rules of ['Allow: /p\nDisallow: /p', 'Disallow: /p\nAllow: /p']) {
    expect(allowed(`User-agent: *\n${rules}`, ['/page'])).toEqual(['/page']);
  }
});

describe('a hostile file', () => {
  const fill = (line: string) => line.repeat(Math.floor(500_000 / line.length));

  test('with more patterns than can be compared forbids everything and is reported', () => {
    const { allows, trouble } = parseRobots(`User-agent: *\n${fill(`Disallow: /${'*a'.repeat(200)}*b$\n`)}`);
    expect([allows(at('/')), trouble]).toEqual([false, 'its patterns with stars have over 50000 characters']);
  });

  test.each([
    ['patterns with stars', fill(`Disallow: /${'*a'.repeat(200)}*b$\n`).slice(0, 50_000)],
    ['long parts', fill(`Disallow: /*${'a'.repeat(400)}b\n`).slice(0, 50_000)],
    ['patterns that begin alike', fill(`Disallow: /${'a'.repeat(400)}b\n`)],
    ['short patterns', fill('Disallow: /b\n')],
  ])('with %s takes little time', (_what, rules) => {
    const { allows } = parseRobots(`User-agent: *\n${rules}`);
    const seconds = processorSeconds(() => {
      for (let n = 0; n < 10; n++) allows(at(`/${'a'.repeat(900)}`));
    });
    expect(seconds).toBeLessThan(1);
  });

  test('with many robots and many rules takes little memory', () => {
    const robots = Array.from({ length: 15_000 }, (_, n) => `User-agent: u${n}\n`).join('');
    const before = process.memoryUsage().heapUsed;
    const rules = parseRobots(`${robots}User-agent: *\n${'Disallow: /x\n'.repeat(20_000)}`);
    expect(rules.allows(at('/x'))).toBe(false);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });
});
