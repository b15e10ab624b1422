import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  appendAddressList,
  numberAddresses,
  replaceAddressesByNumbers,
} from '../../../src/browse/sections/numbered-addresses.ts';
import { HOSTILE, HOSTILE_SECONDS } from '../../helpers/hostile-markdown.ts';
import { anyText } from '../../helpers/markdown.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const listed = (text: string, whole = text) => {
  const { text: numbered, addresses } = replaceAddressesByNumbers(text, numberAddresses(whole));
  return appendAddressList(numbered, addresses);
};

test.each([
  ['a link', 'See [the mill](https://x.example/a).', 'See [the mill][1].\n\n[1]: https://x.example/a'],
  [
    'the same address twice',
    '[a](https://x.example/a) [b](https://x.example/b) [c](https://x.example/a)',
    '[a][1] [b][2] [c][1]\n\n[1]: https://x.example/a\n[2]: https://x.example/b',
  ],
  ['a title, and angle brackets', '[a](<https://x.example/a> "About")', '[a][1]\n\n[1]: https://x.example/a'],
  ['code', 'a `[b](https://x.example/b)`\n\n```\n[c](https://x.example/c)\n```', undefined],
  ['a picture', '![a](https://x.example/a.png)', undefined],
  ['what is no link', 'f[i](x) and [1][2]', undefined],
])('%s', (_name, text, wanted = text) => {
  expect(listed(text)).toBe(wanted);
});

test('a part has the address numbers of the whole text', () => {
  const [one, two] = ['[a](https://x.example/a)', '[b](https://x.example/b) [a](https://x.example/a)'];
  expect(listed(two, `${one}\n\n${two}`)).toBe(
    '[b][2] [a][1]\n\n[2]: https://x.example/b\n[1]: https://x.example/a',
  );
});

test('links cut off a part are not in the address list of the part', () => {
  const { text, addresses } = replaceAddressesByNumbers(
    '[a](https://x.example/a) [b](https://x.example/b)',
    numberAddresses('[a](https://x.example/a) [b](https://x.example/b)'),
  );
  expect(appendAddressList(text.slice(0, 7), addresses)).toBe('[a][1]\n\n[1]: https://x.example/a');
});

test('text without links stays unchanged', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      fc.pre(!text.includes(']('));
      expect(listed(text)).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test.each(Object.entries(HOSTILE))('%s', (_name, text) => {
  expect(processorSeconds(() => void listed(text))).toBeLessThan(HOSTILE_SECONDS);
});
