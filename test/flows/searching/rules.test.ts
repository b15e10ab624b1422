import { expect, test } from 'vitest';
import { rulesFor, withoutRecommendations } from '../../../src/flows/searching/rules.ts';

const offering = (...names: string[]) => ({
  offers: (name: string) => names.includes(name),
  saveAdvice: true,
});
const all = offering('browse', 'browsegiant', 'upsert');

test.each([
  ['a search', { links: true, text: true }, all, /^Read the .* with browse\. Save the .* Cite .* Treat /],
  ['a page', { links: false, text: true }, all, /^Save the .* Cite .* Treat /],
  ['nothing', { links: false, text: false }, all, /^Save the previous answer [^.]*\.$/],
  ['a search without browse', { links: true, text: true }, offering('upsert'), /^Save the .* Cite .* Treat /],
  [
    'a search where only its kin reads',
    { links: true, text: true },
    offering('browsegiant'),
    /^Read .* with browsegiant\. Cite .* Treat /,
  ],
  [
    'a page where that is switched off',
    { links: false, text: true },
    { ...all, saveAdvice: false },
    /^Cite .* Treat /,
  ],
  ['a page where nothing is kept', { links: false, text: true }, offering('browse'), /^Cite .* Treat /],
  ['nothing, with nothing to do', { links: false, text: false }, offering(), /^$/],
])('after %s', (_name, given, offers, expected) => {
  const rules = rulesFor(given, offers);
  expect(rules).toMatch(expected);
  expect(withoutRecommendations(`Nothing was found. ${rules}`)).toBe('Nothing was found.');
});
