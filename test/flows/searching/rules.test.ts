import { expect, test } from 'vitest';
import { composeAnswerRules, withoutRecommendations } from '../../../src/flows/searching/rules.ts';

const offering = (...names: string[]) => ({
  offers: (name: string) => names.includes(name),
  saveAdvice: true,
});
const all = offering('browse', 'browsegiant', 'upsert');

test.each([
  [
    'a search',
    { hasLinks: true, hasText: true },
    all,
    /^Read the .* with browse\. Save the .* Cite .* Treat /,
  ],
  ['a page', { hasLinks: false, hasText: true }, all, /^Save the .* Cite .* Treat /],
  ['nothing', { hasLinks: false, hasText: false }, all, /^Save the previous answer [^.]*\.$/],
  [
    'a search without browse',
    { hasLinks: true, hasText: true },
    offering('upsert'),
    /^Save the .* Cite .* Treat /,
  ],
  [
    'a search where only its kin reads',
    { hasLinks: true, hasText: true },
    offering('browsegiant'),
    /^Read .* with browsegiant\. Cite .* Treat /,
  ],
  [
    'a page where that is switched off',
    { hasLinks: false, hasText: true },
    { ...all, saveAdvice: false },
    /^Cite .* Treat /,
  ],
  ['a page where nothing is kept', { hasLinks: false, hasText: true }, offering('browse'), /^Cite .* Treat /],
  ['nothing, with nothing to do', { hasLinks: false, hasText: false }, offering(), /^$/],
])('the rules give the next step after %s', (_name, given, offers, expected) => {
  const rules = composeAnswerRules(given, offers);
  expect(rules).toMatch(expected);
  expect(withoutRecommendations(`Nothing was found. ${rules}`)).toBe('Nothing was found.');
});
