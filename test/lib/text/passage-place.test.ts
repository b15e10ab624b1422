import { expect, test } from 'vitest';
import { placeOfPassage } from '../../../src/lib/text/passage-place.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const marked = (text: string, passage: string) => {
  const place = placeOfPassage(text, passage);
  return place && text.slice(place.from, place.to);
};

test('a passage is found by its letters and digits, however it is typeset', () => {
  expect(marked('So: The **tide** mill\nturns.', 'the tide mill turns')).toBe('The **tide** mill\nturns');
  expect(marked('Die Mühle MAHLT Roggen.', 'mühle mahlt')).toBe('Mühle MAHLT');
  expect(marked('An eﬃcient mill', 'efficient')).toBe('eﬃcient');
  expect(marked('他说：水车 停了。', '水车停了')).toBe('水车 停了');
  expect(marked('Of 𝐰𝐢𝐧𝐝 and tide', 'wind')).toBe('𝐰𝐢𝐧𝐝');
  expect(marked('Of wind', 'of tides')).toBeUndefined();
});

test('characters that represent many letters cost no more than letters', () => {
  const cost = (sign: string) =>
    processorSeconds(() => placeOfPassage(sign.repeat(300_000), 'a passage that is not there'));
  cost('é');
  // 18 letters each.
  expect(cost('\ufdfa')).toBeLessThan(4 * cost('é') + 0.02);
});
