export interface KnownLanguage {
  readonly domain: string;
  /** Letters outside of ASCII in lower case, as the inside of a regular expression's character class. */
  readonly letters: string;
}

const HAN = '\\p{sc=Han}\\u3000-\\u303f\\uff01-\\uff60';
const ARABIC = '\\p{sc=Arabic}،؛؟\\u200c-\\u200f';

/** Languages by ISO 639-1 code. Letters are from Unicode's CLDR, with frequent letters of loanwords. */
export const KNOWN_LANGUAGES: Readonly<Record<string, KnownLanguage>> = {
  ar: { domain: 'eg', letters: ARABIC },
  be: { domain: 'by', letters: 'а-зй-шы-яёіў' },
  bg: { domain: 'bg', letters: 'а-ъьюяѝ№' },
  ca: { domain: 'es', letters: 'àçéèíïóòúü·' },
  cs: { domain: 'cz', letters: 'áčďéěíňóřšťúůýž' },
  da: { domain: 'dk', letters: 'æøåéó' },
  de: { domain: 'de', letters: 'äöüßé' },
  el: { domain: 'gr', letters: '\\u0370-\\u03ff' },
  es: { domain: 'es', letters: 'áéíñóúü¿¡ªº' },
  et: { domain: 'ee', letters: 'äõöüšž' },
  fa: { domain: 'ir', letters: ARABIC },
  fi: { domain: 'fi', letters: 'äöåšž' },
  fr: { domain: 'fr', letters: 'àâæçéèêëîïôœùûüÿ' },
  he: { domain: 'il', letters: '\\p{sc=Hebrew}₪\\u200e\\u200f' },
  hr: { domain: 'hr', letters: 'čćđšž' },
  hu: { domain: 'hu', letters: 'áéíóöőúüű' },
  is: { domain: 'is', letters: 'áðéíóúýþæö' },
  it: { domain: 'it', letters: 'àèéìíîòóùú' },
  ja: { domain: 'jp', letters: `${HAN}\\p{sc=Hiragana}\\p{sc=Katakana}ー` },
  ko: { domain: 'kr', letters: `\\p{sc=Hangul}${HAN}` },
  lt: { domain: 'lt', letters: 'ąčęėįšųūž' },
  lv: { domain: 'lv', letters: 'āčēģīķļņšūž' },
  mk: { domain: 'mk', letters: 'а-зи-шѓѕјљњќџѐѝ' },
  nb: { domain: 'no', letters: 'æøåéóòèêô' },
  nl: { domain: 'nl', letters: 'áéèëêïóöüç' },
  pl: { domain: 'pl', letters: 'ąćęłńóśźż' },
  pt: { domain: 'pt', letters: 'áâãàçéêíóôõúüªº' },
  ro: { domain: 'ro', letters: 'ăâîșțşţ' },
  ru: { domain: 'ru', letters: 'а-яё№' },
  sk: { domain: 'sk', letters: 'áäčďéíĺľňóôŕšťúýž' },
  sl: { domain: 'si', letters: 'čšžćđ' },
  sr: { domain: 'rs', letters: 'а-зи-шђјљњћџčćđšž' },
  sv: { domain: 'se', letters: 'åäöéàü' },
  th: { domain: 'th', letters: '\\p{sc=Thai}฿' },
  tr: { domain: 'tr', letters: 'çğıiöşüâîû\\u0307' },
  uk: { domain: 'ua', letters: 'а-щьюяґєії№' },
  vi: { domain: 'vn', letters: 'àáâãèéêìíòóôõùúýăđĩũơư\\u0300\\u0301\\u0303\\u0309\\u0323₫' },
  zh: { domain: 'cn', letters: HAN },
  'zh-tw': { domain: 'tw', letters: HAN },
};

export const LANGUAGE_LETTERS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(KNOWN_LANGUAGES).map(([code, { letters }]) => [code, new RegExp(`[${letters}]`, 'iu')]),
);

const OTHER_CODES: Readonly<Record<string, string>> = {
  bs: 'hr',
  gl: 'pt',
  iw: 'he',
  nn: 'nb',
  no: 'nb',
  sh: 'hr',
  'zh-hant': 'zh-tw',
  'zh-hk': 'zh-tw',
  'zh-mo': 'zh-tw',
};

/** Special letters help to choose between encodings such as ISO 8859-1 and 8859-2. */
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
  const also: Readonly<Record<string, string>> = {
    at: 'de',
    br: 'pt',
    cy: 'el',
    hk: 'zh-tw',
    mx: 'es',
    su: 'ru',
  };
  return also[last] ?? Object.keys(KNOWN_LANGUAGES).find((code) => KNOWN_LANGUAGES[code]?.domain === last);
}
