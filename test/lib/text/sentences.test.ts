import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sentences } from '../../../src/lib/text/sentences.ts';
import { HOSTILE, HOSTILE_SECONDS } from '../../helpers/hostile-markdown.ts';
import { anyText } from '../../helpers/markdown.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

test.each([
  ['plain', ['One.', 'Two?', 'Three']],
  ['titles', ['Dr. Smith met Mrs. Coe.', 'They left.']],
  ['initials', ['J. R. Jones came.', 'He stayed.']],
  ['states', ['It is in the U.S. Senate now.', 'The end.']],
  ['the hour', ['He came at 5 p.m. on Monday.', 'She left at 6 p.m.', 'The shop was shut.']],
  ['decimals and versions', ['It cost 3.5 million in version 2.0 of it.', 'Much.']],
  ['figures', ['See Fig. 3 and No. 7 there.', 'He said no.', 'Then he left.']],
  ['companies', ['He works at Apple Inc. in Ohio.', 'It pays.']],
  ['speech that goes on', ['"Stop!" he said.', 'She did.']],
  [
    'German',
    ['Das ist z. B. ein Test.', 'Am 3. Oktober kam Dr. Coe.', 'Es regnete, d. h. es goss.', 'Nr. 5 lebt!'],
  ],
  ['Russian', ['Он родился в 1950 г. в Москве.', 'Потом, т. е. позже, уехал.', 'Цена 5 млн. руб. выросла.']],
  ['French', ['M. Dupont est venu.', 'Il pleuvait.']],
  ['Hindi', ['यह एक वाक्य है।', 'यह दूसरा है।']],
])('%s', (_name, expected) => {
  expect(sentences(expected.join(' '))).toEqual(expected);
});

test.each([
  ['Chinese', ['东京很大。', '人很多！', '真的吗？', '是。']],
  ['Japanese', ['東京は大きい。', '「本当？」と聞いた。']],
])('%s', (_name, expected) => {
  expect(sentences(expected.join(''))).toEqual(expected);
});

test('Arabic text is split into sentences', () => {
  expect(sentences('هذا نص. هل تفهم؟ نعم! انتهى.')).toEqual(['هذا نص.', 'هل تفهم؟', 'نعم!', 'انتهى.']);
});

test('no text is lost or reordered', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(sentences(text).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }),
  );
});

test.each(Object.entries(HOSTILE))('%s', (_name, text) => {
  expect(processorSeconds(() => sentences(text))).toBeLessThan(HOSTILE_SECONDS);
});
