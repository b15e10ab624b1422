import { expect, test } from 'vitest';
import { createContentMask } from '../../../src/lib/secrets/content-mask.ts';

test.each([
  [{ q: 'magpie machine' }, 'the machine that Magpie runs on has no name service'],
  [{ q: 'wikipedia' }, 'en.wikipedia.org is not known'],
  [{ q: 'search query' }, 'https://en.wikipedia.org/w/api.php?query=0 answers 500'],
  [{ user: 'magpie' }, 'cannot write /root/.magpie/magpie.sqlite'],
  [{ q: 'localhost timeout' }, 'http://localhost:8787/ did not answer: the timeout is 5 s'],
  [{ q: 'divorce' }, 'there is no "machine" here'],
  [{ q: 'to be' }, 'there is no "to" here'],
  [{ q: 'lawyer' }, "the lawyer's '(x)' of the lawyer's, the lawyers' and a lawyer"],
  [{ q: 'how to di' }, 'nothing on how to di was found'],
  [{ q: 'authorisation' }, 'no authorisation was found'],
  [{ q: 'what is this' }, 'what? this: is it'],
  [{ q: 'v.2 took 12' }, 'see v.2 there: it took 12 s'],
  [{ q: '??==' }, 'the signs ??== stay'],
  [{ q: 'postgres' }, 'postgres16 is not there'],
  [{ q: 'post1234' }, 'see post.office/1'],
  [{ q: 'birds' }, 'see Bücher/2 and s3://bucket/path'],
  [{ n: Array.from({ length: 1300 }, () => null) }, 'port 1234 is closed'],
  [{ q: 'look for' }, 'a read-only look-up for the caller'],
])('the mask of %o leaves the text unchanged: %s', (sent, text) => {
  expect(createContentMask(sent)(text)).toBe(text);
});

test.each([
  [{ q: 'divorce' }, 'there is no "divorce" here', 'there is no "[…]" here'],
  [{ q: 'divorce lawyer' }, "unexpected 'lawyer' in it", "unexpected '[…]' in it"],
  [{ q: 'divorce' }, 'there is no "happy divorce" here', 'there is no "[…]" here'],
  [{ q: 'divorce' }, 'got {"q":"divorce and mo', 'got {"q":"[…]"'],
  [{ q: 'divorce lawyer' }, "between 'lawyer' 'divorce', `a lawyer`", "between '[…]' '[…]', `[…]`"],
  [{ q: 'go to them' }, 'nothing on go to them', 'nothing on […]'],
  [{ q: '  how to divorce\n' }, 'nothing on how to divorce was found', 'nothing on […] was found'],
  [{ q: 'a.bc' }, 'there is no a.bc here', 'there is no […] here'],
  [{ q: 'zq12ab34cd' }, 'see (zq12ab/x.txt)', 'see ([…]/x.txt)'],
  [{ q: '喜鹊' }, 'see a/喜鹊', 'see a/[…]'],
  [
    { q: null, of: 'divorce lawyer' },
    'GET https://a.example/divorce/x: 404',
    'GET https://a.example/[…]/x: 404',
  ],
  [{ q: 'divorce' }, 'url=https://a.example/divorce', 'url=https://a.example/[…]'],
  [
    { q: 'divorce' },
    'a?q=divorce&at=git+https://a.example/divorce#divorce',
    'a?q=[…]&at=git+https://a.example/[…]#[…]',
  ],
  [{ q: 'divorce' }, 's3://bucket/my-divorce', 's3://bucket/my-[…]'],
  [{ q: 'private.example and' }, 'GET https://private.example/a: 404', 'GET […]/a: 404'],
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
])('content of %o is masked in %s', (sent, text, masked) => {
  expect(createContentMask(sent)(text)).toBe(masked);
});

test('names used by Magpie stay, also in quotes', () => {
  expect(createContentMask({ percentile: 'x' }, ['percentile'])('"percentile" takes a number')).toBe(
    '"percentile" takes a number',
  );
  expect(createContentMask({ max_bytes: 'x' }, ['max_bytes'])('max_bytes takes a number')).toBe(
    'max_bytes takes a number',
  );
});

test('a long message keeps its beginning, and every possible value in a long text is masked', () => {
  expect(createContentMask({})('so '.repeat(9000))).toHaveLength(8001);
  expect(createContentMask({})('so it was '.repeat(800))).toBe('so it was '.repeat(800));
  const refusal = 'the machine refuses "zq99xx" at file.txt';
  expect(createContentMask('word '.repeat(40_000))(refusal)).toBe(refusal);
  const mask = createContentMask({ q: `${'word '.repeat(60_000)} zq99` });
  expect(mask(refusal)).toBe('the machine refuses "[…]" at […]');
});
