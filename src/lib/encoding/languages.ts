import aliases from './language-aliases.json' with { type: 'json' };
import languages from './languages.json' with { type: 'json' };

export interface KnownLanguage {
  readonly domain: string;
  /** Non-ASCII lower-case letters in the syntax of regular expressions, such as `àçéè` or `а-яё`. */
  readonly letters: string;
}

/** Languages by ISO 639-1 code. Letters are from Unicode's CLDR, and a few are from common loanwords. */
export const KNOWN_LANGUAGES: Readonly<Record<string, KnownLanguage>> = languages;

export const LANGUAGE_LETTERS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(KNOWN_LANGUAGES).map(([code, { letters }]) => [code, new RegExp(`[${letters}]`, 'iu')]),
);

const OTHER_CODES: Readonly<Record<string, string>> = aliases.codes;

/** Languages whose special letters help to distinguish ISO 8859-1 from ISO 8859-2. */
export const LATIN_LANGUAGES: readonly string[] = Object.keys(KNOWN_LANGUAGES).filter(
  (code) => /[a-zà-ž]/.test(KNOWN_LANGUAGES[code]?.letters.replace(/\\[pu].*/, '') ?? '') && code !== 'sr',
);

export function knownLanguage(tag: string): string | undefined {
  const parts = tag.toLowerCase().replaceAll('_', '-').split('-');
  const codes = parts.map((_part, index) => parts.slice(0, parts.length - index).join('-'));
  return codes.map((code) => OTHER_CODES[code] ?? code).find((code) => Object.hasOwn(KNOWN_LANGUAGES, code));
}

export function languageOfDomain(hostname: string): string | undefined {
  const last = hostname.toLowerCase().replace(/\.$/, '').split('.').at(-1) ?? '';
  const also: Readonly<Record<string, string>> = aliases.domains;
  return also[last] ?? Object.keys(KNOWN_LANGUAGES).find((code) => KNOWN_LANGUAGES[code]?.domain === last);
}
