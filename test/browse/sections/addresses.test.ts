import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dropAddresses } from '../../../src/browse/sections/addresses.ts';
import { HOSTILE, HOSTILE_SECONDS } from '../../helpers/hostile-markdown.ts';
import { anyText } from '../../helpers/markdown.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

describe('addresses', () => {
  test.each([
    [
      'a link',
      'See [the **mill**](https://x.example/a).',
      'See the **mill**.',
      'See [the **mill**](https://x.example/a).',
    ],
    ['a title', '[a](https://x.example/a "About") b', 'a b', '[a](https://x.example/a "About") b'],
    ['angle brackets', '[a](<https://x.example/a b>)', 'a', '[a](<https://x.example/a b>)'],
    ['round brackets in it', '[a](https://x.example/a_(b)) c', 'a c', '[a](https://x.example/a_(b)) c'],
    [
      'square brackets in its words',
      '[[2] of [3]](https://x.example/2)',
      '[2] of [3]',
      '[[2] of [3]](https://x.example/2)',
    ],
    ['a picture', '![A mill](https://x.example/i.png) stands', '![A mill] stands', '![A mill] stands'],
    ['a picture without words', 'a ![](https://x.example/i.png)b', 'a b', 'a b'],
    ['a picture in a link', '[![A mill](i.png)](/big)', '![A mill]', '[![A mill]](/big)'],
    ['a link without words', 'a[](https://x.example/)b', 'ab', 'a[](https://x.example/)b'],
    [
      'relative ones',
      '[a](docs/a.md) [b](#b) [c](?c=1) [d](mailto:d@x.example)',
      'a b c d',
      '[a](docs/a.md) [b](#b) [c](?c=1) [d](mailto:d@x.example)',
    ],
    ['several on a line', '[a](/a), [b](/b)\n[c](/c)', 'a, b\nc', '[a](/a), [b](/b)\n[c](/c)'],
  ])('%s', (_name, text, all, pictures) => {
    expect(dropAddresses(text, 'all')).toBe(all);
    expect(dropAddresses(text, 'pictures')).toBe(pictures);
  });

  test.each([
    'Bare https://x.example/a and <https://x.example/b> stay.',
    'Code `[a](/a)` and ``[b](/b) ` `` stays.',
    '```md\n[a](https://x.example/a)\n```',
    '$$\nf[i](x.y)\n$$',
    'f[i](x) is a call, [1](note) a note.',
    'Escaped \\[a](/a) is text.',
    'Over [two\nlines](/a) there is no link.',
    'Opened [a](/a is not closed, and [b] (/b) is apart.',
    '[^1]: a note, [^1] its mark',
  ])('%j stays unchanged', (text) => {
    expect(dropAddresses(text, 'all')).toBe(text);
    expect(dropAddresses(text, 'pictures')).toBe(text);
  });

  test('an unclosed code mark hides no link', () => {
    expect(dropAddresses('A ` and [a](/a)\n`[b](/b)', 'all')).toBe('A ` and a\n`b');
  });

  test('the remaining text has the same order as the source, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let at = 0;
        for (const character of dropAddresses(text, 'all')) {
          at = text.indexOf(character, at) + character.length;
          expect(at).toBeGreaterThanOrEqual(character.length);
        }
      }),
    );
  });
});

test.each(Object.entries(HOSTILE))('%s', (_name, text) => {
  expect(processorSeconds(() => void dropAddresses(text, 'all'))).toBeLessThan(HOSTILE_SECONDS);
});

test('unclosed runs of code marks and brackets take little time', () => {
  const ticks = Array.from({ length: 1000 }, (_, i) => '`'.repeat(i + 1)).join('a');
  expect(processorSeconds(() => void dropAddresses(`${ticks}[a](`, 'all'))).toBeLessThan(5);
  expect(processorSeconds(() => void dropAddresses('[a]('.repeat(100_000), 'all'))).toBeLessThan(5);
});
