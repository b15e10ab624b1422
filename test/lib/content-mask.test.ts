import { expect, test } from 'vitest';
import { createContentMask } from '../../src/lib/content-mask.ts';

test.each([
  [{ q: 'magpie machine' }, 'the machine that Magpie runs on has no name service'],
  [{ q: 'wikipedia' }, 'en.wikipedia.org is not known'],
  [{ q: 'search query' }, 'https://en.wikipedia.org/w/api.php?query=0 answers 500'],
  [{ user: 'magpie' }, 'cannot write /root/.magpie/magpie.sqlite'],
  [{ q: 'localhost timeout' }, 'http://localhost:8787/ did not answer: the timeout is 5 s'],
  [{ q: 'look for' }, 'a read-only look-up for the caller'],
])('%o leaves %s', (sent, text) => {
  expect(createContentMask(sent)(text)).toBe(text);
});

test.each([
  [{ q: 'divorce' }, 'there is no "divorce" here', 'there is no "[…]" here'],
  [{ q: 'divorce lawyer' }, "unexpected 'lawyer' in it", "unexpected '[…]' in it"],
  [{ q: 'how to divorce' }, 'nothing on how to divorce was found', 'nothing on […] was found'],
  [{ q: 'say "how" to' }, String.raw`got {"q":"say \"how\" to"}`, 'got {"q":"[…]"}'],
  [{ url: 'https://private.example/a/page?x=1' }, 'private.example is not known', '[…] is not known'],
  [
    { url: 'https://private.example/a/page?x=1' },
    'GET https://private.example/a/page?x=1: 404',
    'GET […]: 404',
  ],
  [
    { q: 'magpie nest' },
    'https://a.example/s?q=magpie+nest%20x answers 500',
    'https://a.example/s?q=[…]+[…]%20x answers 500',
  ],
  [{ q: 'x' }, 'https://a.example/s?q=%E5%96%9C', 'https://a.example/s?q=[…]'],
  [
    { fileName: 'diary-2024.pdf' },
    'cannot read diary-2024.pdf: it is broken',
    'cannot read […]: it is broken',
  ],
  [{ q: 'zq12ab34cd and more' }, 'cut off at zq12ab3...', 'cut off at […]...'],
  [{ n: ['4321'] }, 'the team 4321 is not known', 'the team […] is not known'],
  [{ q: 'wie Elstern Nester bauen übrigens' }, 'nothing on übrigens', 'nothing on […]'],
  [{ q: '喜鹊如何筑巢' }, 'nothing on 喜鹊', 'nothing on […]'],
  [{ private: { deep: 1 } }, '"private" and "deep" are not known', '"[…]" and "[…]" are not known'],
])('%o is not in %s', (sent, text, masked) => {
  expect(createContentMask(sent)(text)).toBe(masked);
});

test('names that are ours stay, in quotes too', () => {
  expect(createContentMask({ percentile: 'x' }, ['percentile'])('"percentile" takes a number')).toBe(
    '"percentile" takes a number',
  );
});

test('of a long message the beginning is kept, and of a long text all that may be a value is masked', () => {
  expect(createContentMask({})('so '.repeat(9000))).toHaveLength(8001);
  const mask = createContentMask({ q: `${'word '.repeat(60_000)} zq99` });
  expect(mask('the machine refuses "zq99xx" at file.txt')).toBe('the machine refuses "[…]" at […]');
});
