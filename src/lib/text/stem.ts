import TABLES from './stem-endings.json' with { type: 'json' };

/** Reduces English words to their stems by Porter2 (https://snowballstem.org/algorithms/english/stemmer.html). */

const MAX_WORD_CHARACTERS = 40;

export function stem(word: string): string {
  if (word.length < 3 || word.length > MAX_WORD_CHARACTERS) return word;
  if (/^[a-z]+$/.test(word)) return english(word);
  if (/^[а-яё]+$/.test(word)) return russian(word);
  if (/^[\u0621-\u064a]+$/.test(word)) return arabic(word);
  return word;
}

const WHOLE: Readonly<Record<string, string>> = TABLES.whole;
const KEPT_AFTER_PLURAL = /^(?:inn|out|cann|herr|earr|even)ing$|^(?:pro|ex|suc)ceed$/;
/** Prefixes that are never shortened, so that "university" and "universe" keep different stems. */
const SPLIT_LATE = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;

/** Suffixes and replacements, such as `ation` and `ate`. A short word such as `ration` keeps its suffix. */
const DERIVED = TABLES.derived as [string, string][];
const DERIVED_AGAIN = TABLES.derivedAgain as [string, string][];
const DROPPED = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/;

function english(word: string): string {
  const known = WHOLE[word];
  if (known !== undefined && Object.hasOwn(WHOLE, word)) return known;
  let w = word.replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const first = SPLIT_LATE.exec(w)?.[0].length ?? region(w, 0);
  const second = region(w, first);
  w = withoutPlural(w);
  if (KEPT_AFTER_PLURAL.test(w)) return w;
  w = withoutTense(w, first).replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  w = derived(w, first);
  w = replaced(w, DERIVED_AGAIN, first);
  if (w.endsWith('ative') && w.length - 5 >= second) w = w.slice(0, -5);
  w = withoutSuffix(w, second);
  return withoutFinal(w, first, second).toLowerCase();
}

function region(word: string, from: number): number {
  const at = word.slice(from).search(/[aeiouy][^aeiouy]/);
  return at < 0 ? word.length : from + at + 2;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[us]s$/.test(word) || !word.endsWith('s')) return word;
  return /[aeiouy]/.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutTense(word: string, first: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) return eed.index >= first ? `${word.slice(0, eed.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (!ending || !/[aeiouy]/.test(word.slice(0, ending.index))) return word;
  const left = word.slice(0, ending.index);
  if (/(?:at|bl|iz)$/.test(left)) return `${left}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(left)) return /^[aeo]..$/.test(left) ? left : left.slice(0, -1);
  return left.length <= first && isShort(left) ? `${left}e` : left;
}

function isShort(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word);
}

function derived(word: string, first: number): string {
  const changed = replaced(word, DERIVED, first);
  if (changed !== word) return changed;
  if (word.endsWith('logi') && word.length - 3 >= first) return word.slice(0, -1);
  const li = /[cdeghkmnrt]li$/.test(word) && !DERIVED.some(([ending]) => word.endsWith(ending));
  return li && word.length - 2 >= first ? word.slice(0, -2) : word;
}

function replaced(word: string, endings: typeof DERIVED, from: number): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found || word.length - found[0].length < from) return word;
  return word.slice(0, -found[0].length) + found[1];
}

function withoutSuffix(word: string, second: number): string {
  const suffix = DROPPED.exec(word);
  if (suffix) return suffix.index >= second ? word.slice(0, suffix.index) : word;
  return /[st]ion$/.test(word) && word.length - 3 >= second ? word.slice(0, -3) : word;
}

function withoutFinal(word: string, first: number, second: number): string {
  const at = word.length - 1;
  if (word.endsWith('e')) {
    const drop = at >= second || (at >= first && !isShort(word.slice(0, -1)));
    return drop ? word.slice(0, -1) : word;
  }
  return word.endsWith('ll') && at >= second ? word.slice(0, -1) : word;
}

const RUSSIAN_ENDING =
  /(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ешь|ишь|ться|ется|ится|ают|яют|ует|ала|ила|али|или|ать|ять|ить|еть|ах|ях|ам|ям|ом|ем|ей|ой|ий|ый|ая|яя|ое|ее|ые|ие|ую|юю|ов|ев|ия|ию|ии|ет|ит|ут|ют|ал|ил|а|я|о|е|у|ю|ы|и|ь|й)$/;

function russian(word: string): string {
  const plain = word.replaceAll('ё', 'е');
  const ending = RUSSIAN_ENDING.exec(plain);
  if (!ending) return plain;
  return plain.slice(0, Math.max(ending.index, 3));
}

function arabic(word: string): string {
  const bare = word.replace(/^(?:وال|بال|كال|فال|لل|ال)(?=..)/, '').replace(/[أإآ]/g, 'ا');
  return bare.length > 4 ? bare.replace(/(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/, '') : bare;
}
