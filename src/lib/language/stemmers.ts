import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { foldLetters } from '../text/fold-letters.ts';

/** Reduces words to their stems by Snowball's algorithms (https://snowballstem.org) for languages other than English. */

interface StemmedLanguage {
  readonly stem: (word: string) => string;
  /** Matches words that can be stemmed. Words in another script, for example Latin names, stay unchanged. */
  readonly script: RegExp;
}

const LATIN = /^[\p{Script=Latin}\p{M}]+$/u;
const latin = (stem: StemmedLanguage['stem']): StemmedLanguage => ({ stem, script: LATIN });

const LANGUAGES: Readonly<Record<string, StemmedLanguage>> = {
  ar: { stem: arabic, script: /^[\p{Script=Arabic}\p{M}]+$/u },
  da: latin(danish),
  // Snowball keeps the end of participles, so `reparieren` would not find `repariert`.
  de: latin((word) => german(word.replace(/iert(?:e[mnrs]?)?$/, 'ieren'))),
  el: { stem: greek, script: /^[\p{Script=Greek}\p{M}]+$/u },
  es: latin(spanish),
  fi: latin(finnish),
  fr: latin(french),
  hi: { stem: hindi, script: /^[\p{Script=Devanagari}\p{M}]+$/u },
  hu: latin(hungarian),
  hy: { stem: armenian, script: /^\p{Script=Armenian}+$/u },
  id: latin(indonesian),
  it: latin(italian),
  nl: latin(dutch),
  no: latin(norwegian),
  pt: latin(portuguese),
  // Snowball expects Romanian letters with a cedilla (ş, ţ), but modern texts have a comma (ș, ț).
  ro: latin((word) => romanian(word.replaceAll('ș', 'ş').replaceAll('ț', 'ţ'))),
  ru: { stem: russian, script: /^[\p{Script=Cyrillic}\p{M}]+$/u },
  sv: latin(swedish),
  ta: { stem: tamil, script: /^[\p{Script=Tamil}\p{M}]+$/u },
  tr: latin(turkish),
};

export const STEMMED_LANGUAGES: readonly string[] = Object.keys(LANGUAGES);
const MAX_WORD_CHARACTERS = 40;

/** Returns a word's stem without accents, plus a suffix for the language, or undefined if unsupported. */
export function stemIn(language: string, word: string): string | undefined {
  const known = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (!known || word.length > MAX_WORD_CHARACTERS || !known.script.test(word)) return undefined;
  return `${foldLetters(known.stem(word.replaceAll('\u0307', ''))) || word}${toLanguageTerm(language)}`;
}

export function stemsIn(language: string, word: string): string[] {
  const stem = stemIn(language, word);
  if (stem === undefined) return [];
  const mark = toLanguageTerm(language);
  return [stem, `${foldLetters(word)}${mark}`, stemIn(language, stem.slice(0, -mark.length)) ?? stem];
}

export const toLanguageTerm = (language: string): string => `_${language}_`;
