import { readFileSync } from 'node:fs';
import { SPACED_LANGUAGE_PHRASES } from './languages.ts';
import { characterPhraseAt, compileLexicon, type PhraseTags, phraseAt, type TaskLexicon } from './lexicon.ts';
import { type TaskToken, tokensOf } from './tokens.ts';

/** One or more words of a task. `tags` are their meanings in the lexicon, none for unknown words. */
export interface TaskPhrase extends TaskToken {
  readonly tags: PhraseTags;
  readonly verbLast: boolean;
  taken: boolean;
}

const LEXICONS: readonly TaskLexicon[] = SPACED_LANGUAGE_PHRASES.map(compileLexicon);
const NO_TAGS: PhraseTags = new Set();
/** Minimum letters of a foreign word, because short words mean something in many languages. */
const MIN_FOREIGN_LETTERS = 4;
const SIGNS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('./signs.json', import.meta.url), 'utf8'),
);
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

export const isCurrency = (tag: string): boolean =>
  CURRENCIES.has(tag) || tag === '$' || tag === '¥' || tag === 'kr';

export interface TaskWordCorrection {
  readonly written: string;
  readonly read: string;
}

export function parsePhrases(text: string) {
  const tokens = tokensOf(text);
  const words = tokens.map(({ kind, text: word }) =>
    kind === 'word' ? word.toLowerCase().replaceAll('’', "'") : '',
  );
  const ranked = mixed(rank(words), words);
  const script = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'ja' : 'zh';
  const nodes: TaskPhrase[] = [];
  const corrections: TaskWordCorrection[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as TaskToken;
    if (token.kind === 'script') {
      nodes.push(...scriptNodes(token, script, tokens[at - 1]?.kind === 'number'));
      at++;
      continue;
    }
    const found = token.kind === 'word' ? meaningAt(ranked, words, tokens, at, corrections) : undefined;
    const last = tokens[at + (found?.length ?? 1) - 1] ?? token;
    nodes.push({
      kind: token.kind,
      text: found ? text.slice(token.start, last.end) : token.text,
      start: token.start,
      end: last.end,
      value: token.value,
      tags: found?.tags ?? tagsOf(token),
      verbLast: false,
      taken: false,
    });
    at += found?.length ?? 1;
  }
  return { nodes, corrections };
}

function tagsOf({ kind, text }: TaskToken): PhraseTags {
  const sign = kind === 'sign' ? SIGNS[text] : undefined;
  return sign === undefined ? NO_TAGS : new Set([sign]);
}

function rank(words: readonly string[]): readonly TaskLexicon[] {
  const scored = LEXICONS.map((lexicon, index) => {
    let score = 0;
    for (let at = 0; at < words.length; ) {
      const found = words[at] === '' ? undefined : phraseAt(lexicon, words, at);
      // A word that exists in several languages (tag `f`) says little about the language of the task.
      if (found) score += found.tags.has('f') ? 1 : 1 + found.length * 0.2;
      at += found?.length ?? 1;
    }
    return { lexicon, score, index };
  });
  return scored.sort((a, b) => b.score - a.score || a.index - b.index).map(({ lexicon }) => lexicon);
}

function mixed(ranked: readonly TaskLexicon[], words: readonly string[]): readonly TaskLexicon[] {
  const [own, ...others] = ranked;
  if (!own) return [];
  const [english] = LEXICONS;
  let best: { readonly lexicon: TaskLexicon; readonly count: number } | undefined;
  const unknown = words.map((word, at) => (word === '' || phraseAt(own, words, at) ? '' : word));
  for (const lexicon of others) {
    const known = unknown.filter(
      (word, at) => word.length >= MIN_FOREIGN_LETTERS && phraseAt(lexicon, words, at)?.tags.size,
    );
    const count = new Set(known).size + (lexicon === english && known.length > 0 ? 1 : 0);
    if (count >= 2 && (!best || count > best.count)) best = { lexicon, count };
  }
  return best ? [own, best.lexicon] : [own];
}

function meaningAt(
  ranked: readonly TaskLexicon[],
  words: readonly string[],
  tokens: readonly TaskToken[],
  at: number,
  corrections: TaskWordCorrection[],
): { readonly tags: PhraseTags; readonly length: number } | undefined {
  const written = tokens[at]?.text ?? '';
  const [own, ...others] = ranked;
  const whole = own && phraseAt(own, words, at);
  const phrase =
    whole && own && isAlternative(own, whole, words, tokens, at)
      ? phraseAt(own, [words[at] ?? ''], 0)
      : whole;
  if (CURRENCIES.has(written) && !(phrase && phrase.length > 1))
    return { tags: new Set([written]), length: 1 };
  if (phrase) return phrase;
  for (const lexicon of others) {
    const foreign = phraseAt(lexicon, words, at);
    if (!foreign) continue;
    const letters = words.slice(at, at + foreign.length).join('').length;
    if (letters >= MIN_FOREIGN_LETTERS) return foreign;
  }
  const near =
    own && corrections.length < MAX_CORRECTIONS ? correctionOf(own, words[at] ?? '', written) : undefined;
  if (!near) return undefined;
  corrections.push({ written, read: near.word });
  return { tags: near.tags, length: 1 };
}

/** True if `or` joins two limits, as in `above 1000 or below 900`. In `900 or below`, `or` is part of one. */
function isAlternative(
  own: TaskLexicon,
  { tags, length }: { readonly tags: PhraseTags; readonly length: number },
  words: readonly string[],
  tokens: readonly TaskToken[],
  at: number,
): boolean {
  if (length < 2 || !(tags.has('belowEq') || tags.has('aboveEq'))) return false;
  if (!phraseAt(own, [words[at] ?? ''], 0)?.tags.has('or')) return false;
  const ahead = tokens.slice(at + length, at + length + 3);
  return ahead.some(
    ({ kind }, index) => kind === 'number' && !ahead.slice(0, index).some((one) => one.kind === 'mark'),
  );
}

/** Maximum number of words to correct, because comparing a word with the lists is slow. */
const MAX_CORRECTIONS = 8;
const MIN_CORRECTED_LETTERS = 5;

/** Returns the listed word that differs by one letter or two swapped letters, unless several words match. */
function correctionOf({ exact }: TaskLexicon, word: string, written: string) {
  const named = written !== word;
  if (named || word.length < MIN_CORRECTED_LETTERS || word.length > 20 || /\d/.test(word)) return undefined;
  let nearest: { readonly word: string; readonly tags: PhraseTags } | undefined;
  for (const [other, entries] of exact) {
    if (Math.abs(other.length - word.length) > 1 || other.length < MIN_CORRECTED_LETTERS) continue;
    if (other[0] !== word[0] || !isOneSlip(word, other)) continue;
    const tags = entries.find(({ words }) => words.length === 1)?.tags;
    if (tags?.has('f') || tags?.has('page')) continue;
    if (tags && nearest) return undefined;
    if (tags) nearest = { word: other, tags };
  }
  return nearest;
}

function isOneSlip(a: string, b: string): boolean {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  let behind = 0;
  while (behind < Math.min(a.length, b.length) - from && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  const [left, right] = [a.slice(from, a.length - behind), b.slice(from, b.length - behind)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

const OCLOCK = { tags: new Set(['oclock']), length: 1 };

function scriptNodes(token: TaskToken, language: 'ja' | 'zh', counted: boolean): TaskPhrase[] {
  const nodes: TaskPhrase[] = [];
  const { text } = token;
  for (let at = 0; at < text.length; ) {
    // `時` after a number means the hour, elsewhere it means `when`.
    const isHour = counted && at === 0 && /^[時时](?!間|间)/.test(text);
    const found = isHour ? OCLOCK : characterPhraseAt(language, text, at);
    const length = found?.length ?? 1;
    const node = (from: number, to: number, tags: PhraseTags): TaskPhrase => ({
      kind: 'word',
      text: text.slice(from, to),
      start: token.start + from,
      end: token.start + to,
      value: 0,
      tags,
      verbLast: language === 'ja',
      taken: false,
    });
    const before = nodes.at(-1);
    if (!found && before && before.tags.size === 0) {
      nodes.pop();
      nodes.push(node(before.start - token.start, at + 1, NO_TAGS));
    } else nodes.push(node(at, at + length, found?.tags ?? NO_TAGS));
    at += length;
  }
  return nodes;
}

const FILLER: PhraseTags = new Set(['f']);

/** Ignores Russian `не` in a question with `ли`: `не упала ли цена` asks whether the price has fallen. */
export function ignoreQuestionNegations(nodes: readonly TaskPhrase[]): TaskPhrase[] {
  return nodes.map((node, at) => {
    const isAsked = nodes.slice(at + 1, at + 3).some(({ text }) => text.toLowerCase() === 'ли');
    // Polish `czy` means `whether` at the beginning of a clause, and `or` within one.
    const isWhether = node.text.toLowerCase() === 'czy' && nodes[at - 1]?.kind === 'mark';
    return isWhether || (isAsked && /^(?:не|нет)$/iu.test(node.text)) ? { ...node, tags: FILLER } : node;
  });
}

/** Joins a name and its number, as in `Fairphone 5`, unless a comparison would then lack its number. */
export function joinNumbersToNames(nodes: readonly TaskPhrase[]): TaskPhrase[] {
  const numbers = nodes.filter(({ kind }) => kind === 'number').length;
  const compares = nodes.some(({ tags }) =>
    ['below', 'above', 'belowEq', 'aboveEq', 'equal', 'fall', 'rise'].some((tag) => tags.has(tag)),
  );
  const joined: TaskPhrase[] = [];
  nodes.forEach((node, at) => {
    const before = joined.at(-1);
    const next = nodes[at + 1];
    const isName =
      node.kind === 'number' &&
      (numbers > 1 || !compares) &&
      before !== undefined &&
      before.kind === 'word' &&
      before.tags.size === 0 &&
      node.start - before.end <= 1 &&
      /^\p{Lu}|\d|\p{Ll}\p{Lu}/u.test(before.text) &&
      !(
        next &&
        [...next.tags].some((tag) => isCurrency(tag) || /^(?:pct|unit|oclock|k\d|am|pm|times)$/.test(tag))
      );
    if (!isName || !before) joined.push(node);
    else joined[joined.length - 1] = { ...before, text: `${before.text} ${node.text}`, end: node.end };
  });
  return joined;
}

const CHEAPER =
  /cheap|expens|pric|billig|günst|teur|teuer|cher|barat|car[oa]|econom|convenient|costos|costa|goedko|duur|tani|tańs|droż|droz|дешев|дорож|安|便宜|贵|貴|降价|涨价/iu;

export const hasAny = (node: TaskPhrase | undefined, ...tags: readonly string[]): boolean =>
  node !== undefined && tags.some((tag) => node.tags.has(tag));

export const isPriceComparison = (node: TaskPhrase): boolean =>
  hasAny(node, 'below', 'above', 'fall', 'rise') && CHEAPER.test(node.text);

export const isPrice = (node: TaskPhrase): boolean => node.tags.has('price') || node.tags.has('prices');

const THAN = new Set(['than', 'als', 'que', 'di', 'dan', 'niż', 'чем']);

export const endsWithThan = ({ text }: TaskPhrase): boolean =>
  THAN.has(text.toLowerCase().split(' ').at(-1) ?? '');

export function isCompleteComparison(node: TaskPhrase): boolean {
  const { tags, text } = node;
  if (tags.has('f') || tags.has('about') || !(tags.has('below') || tags.has('above'))) return false;
  return text.length > 4 && (isPriceComparison(node) || !endsWithThan(node));
}

export const isCurrencyNode = ({ tags }: TaskPhrase): boolean => [...tags].some(isCurrency);

export const isFiller = (node: TaskPhrase): boolean =>
  hasAny(node, 'f', 'f2', 'per', 'at', 'by', 'page', 'both', 'any', 'word', 'about');

export const isUnknownWord = (node: TaskPhrase): boolean => node.kind === 'word' && node.tags.size === 0;

export const isNor = (node: TaskPhrase | undefined): boolean =>
  node !== undefined &&
  (node.tags.has('nor') || (node.tags.has('nor2') && node.text.toLowerCase() === 'noch'));

const EXCEPT = /^(?:except|sauf|excepto|salvo|tranne|eccetto|behalve|oprócz|poza|кроме|ausgenommen|除了)$/iu;
const WITHOUT = /^(?:without|ohne|sans|sin|senza|sem|zonder|bez|без)$/iu;

export const isExclusion = ({ tags, text }: TaskPhrase): boolean =>
  tags.has('skip') || tags.has('neg') || EXCEPT.test(text) || /^(?:außer|ausser)$/iu.test(text);

/** True if the word excludes what stands before it, as in `周末除外` and `週末は除く`. */
export const isExclusionBehind = (node: TaskPhrase | undefined): boolean =>
  node !== undefined &&
  !node.taken &&
  isExclusion(node) &&
  /^[\p{Script=Han}\p{Script=Hiragana}]+$/u.test(node.text);

export const isWithout = ({ text }: TaskPhrase): boolean => WITHOUT.test(text);

export function findExclusionBefore(nodes: readonly TaskPhrase[], at: number, within: number) {
  for (let back = at - 1; back >= Math.max(0, at - within); back--) {
    const node = nodes[back] as TaskPhrase;
    if (isExclusion(node)) return node.taken ? undefined : back;
    if (node.taken || !(isFiller(node) || node.tags.has('every'))) return undefined;
  }
  return undefined;
}

export function markTaken(nodes: readonly TaskPhrase[]): void {
  for (const node of nodes) node.taken = true;
}

export function collectUnknownWords(nodes: readonly TaskPhrase[], from: number, step: 1 | -1): TaskPhrase[] {
  const run: TaskPhrase[] = [];
  for (let at = from; at >= 0 && at < nodes.length; at += step) {
    const node = nodes[at] as TaskPhrase;
    if (isUnknownWord(node)) run.push(node);
    else if (run.length > 0 || !isFiller(node)) break;
  }
  return step === 1 ? run : run.reverse();
}

export const getSpanText = (text: string, nodes: readonly TaskPhrase[]): string =>
  text.slice(nodes[0]?.start, nodes.at(-1)?.end);
