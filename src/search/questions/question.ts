import type { SearchCategory } from '../engine.ts';
import codePatterns from './code-patterns.json' with { type: 'json' };
import { AMBIGUOUS_CODE_WORDS, CATEGORY_CUES, CODE_CONTEXT_WORDS, FREQUENT_WORDS } from './question-words.ts';
import scripts from './script-languages.json' with { type: 'json' };

export type ClassifiedQuestion = ReturnType<typeof classifyQuestion>;

const MAX_READ_CHARS = 600;
/** A text of at most this many words, such as `quantum tunnelling`, counts as a request for a definition. */
const TERM_WORDS = 3;

/** Patterns that recognise code in a question. Bounded repetitions keep matching linear in time. */
const CODE = codePatterns.map(({ pattern, flags }) => new RegExp(pattern, flags));
const PAPERS = /\b10\.\d{4,9}\/\S|\barxiv:\s?\d|\b\d{4}\.\d{4,5}(?:v\d{1,2})?\b|\bPMID:?\s?\d/i;
const DEFINED = /^(?:what|who)(?:'s| is| are| was| were) (?:an? |the )?[^?]{1,60}\??$/i;
const ASKS =
  /^(?:how|why|when|where|which|can|could|does|do|did|is|are|should|will|would|best|cheap|buy)\b|[?!:;(){}[\]<>=/\\|]/i;

const WHOLE = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, 'iu');
const ALL = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, 'giu');
/** Returns a pattern for whole words. In Chinese and Japanese, which have no spaces, it matches anywhere. */
const cue = (words: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}]/u.test(words) ? new RegExp(words, 'u') : WHOLE(words);

const CUE_PATTERNS = Object.entries(CATEGORY_CUES).map(
  ([category, cues]) => [category as SearchCategory, cues.map(cue)] as const,
);
const AMBIGUOUS_WORDS = ALL(AMBIGUOUS_CODE_WORDS);
const SUPPORT_WORDS = WHOLE(CODE_CONTEXT_WORDS);
const FUNCTION_PATTERNS = Object.entries(FREQUENT_WORDS).map(([code, words]) => [code, ALL(words)] as const);

export function classifyQuestion(text: string, year: number) {
  const asked = text.slice(0, MAX_READ_CHARS).replace(/\s+/g, ' ').trim();
  const cued = CUE_PATTERNS.filter(([, patterns]) => patterns.some((pattern) => pattern.test(asked)));
  const categories = new Set(cued.map(([category]) => category));
  if (isCode(asked)) categories.add('code');
  if (PAPERS.test(asked)) categories.add('papers');
  if (asked.includes(String(year)) || asked.includes(String(year + 1))) categories.add('news');
  if (DEFINED.test(asked) && !categories.has('news')) categories.add('definitions');
  if (categories.size === 0 && asked && !ASKS.test(asked) && asked.split(' ').length <= TERM_WORDS) {
    categories.add('definitions');
  }
  const language = detectLanguage(asked);
  return { categories, language: language || undefined };
}

function isCode(asked: string): boolean {
  if (CODE.some((pattern) => pattern.test(asked))) return true;
  const names = new Set([...asked.matchAll(AMBIGUOUS_WORDS)].map(([name]) => name.toLowerCase()));
  return names.size >= 2 || (names.size === 1 && SUPPORT_WORDS.test(asked));
}

/** Language code such as `uk`, its script, and an optional further test. The first match is used. */
const SCRIPTS: readonly (readonly [string, RegExp, Pick<RegExp, 'test'>?])[] = [
  [
    'ja',
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
    {
      test: (asked) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(asked) || has(asked, 'japanese'),
    },
  ],
  // Japanese uses Han characters too, so Chinese needs a character that it does not use, such as 吗 or 环.
  ['zh', /\p{Script=Han}/gu, { test: (asked) => has(asked, 'chinese') }],
  ...scripts.map(
    ({ code, script, only }) =>
      [
        code,
        new RegExp(`\\p{Script=${script}}`, 'gu'),
        only === undefined ? undefined : new RegExp(only, 'iu'),
      ] as const,
  ),
];
/** A Chinese or Japanese character counts as this many Latin letters when a text's language is detected. */
const DENSE = 3;

/** Returns the ISO 639-1 code of a text's language, or undefined for English or an unclear language. */
export function detectLanguage(asked: string): string | undefined {
  const latin = asked.match(/\p{Script=Latin}/gu)?.length ?? 0;
  for (const [code, script, only] of SCRIPTS) {
    const count = asked.match(script)?.length ?? 0;
    const weight = code === 'ja' || code === 'zh' ? count * DENSE : count;
    if (count >= 2 && weight > latin && (!only || only.test(asked))) return code;
  }
  return latinLanguage(asked);
}

function latinLanguage(asked: string): string | undefined {
  let best: { code: string; count: number } | undefined;
  let second = 0;
  for (const [code, pattern] of FUNCTION_PATTERNS) {
    const count = new Set([...asked.matchAll(pattern)].map(([word]) => word.toLowerCase())).size;
    if (count > (best?.count ?? 0)) {
      second = best?.count ?? 0;
      best = { code, count };
    } else second = Math.max(second, count);
  }
  if (!best || best.code === 'en' || best.count < 2 || best.count <= second) return undefined;
  return best.code;
}

export function isPlainlyEnglish(text: string): boolean {
  const counts = new Map(
    FUNCTION_PATTERNS.map(([code, pattern]) => [code, new Set(text.toLowerCase().match(pattern)).size]),
  );
  const english = counts.get('en') ?? 0;
  return english > 0 && Math.max(...counts.values()) === english;
}

/** Finds characters that only Chinese (GB 2312, Big5) or only Japanese (JIS X 0208) uses. */

interface Sets {
  readonly chinese: ReadonlySet<string>;
  readonly japanese: ReadonlySet<string>;
}

let known: Sets | undefined;

function has(text: string, language: keyof Sets): boolean {
  if (!/\p{Script=Han}/u.test(text)) return false;
  known ??= readSets();
  const own = known[language];
  for (const character of text) if (own.has(character)) return true;
  return false;
}

const LEADS = { 'euc-jp': [0xb0, 0xf4], gbk: [0xb0, 0xf7], big5: [0xa4, 0xf9] } as const;
const TRAILS: readonly (readonly [number, number])[] = [
  [0x40, 0x7e],
  [0xa1, 0xfe],
];

function readSets(): Sets {
  const jis = charactersOf('euc-jp');
  const china = new Set([...charactersOf('gbk'), ...charactersOf('big5')]);
  return { chinese: without(china, jis), japanese: without(jis, china) };
}

function without(all: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...all].filter((character) => !others.has(character)));
}

function charactersOf(charset: keyof typeof LEADS): Set<string> {
  const [first, last] = LEADS[charset];
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead++) {
    for (const [from, to] of TRAILS) {
      // GB 2312 has no characters whose second byte is below 0xA1.
      if (from < 0xa1 && charset !== 'big5') continue;
      for (let trail = from; trail <= to; trail++) bytes.push(lead, trail);
    }
  }
  const text = new TextDecoder(charset).decode(new Uint8Array(bytes));
  return new Set(text.match(/\p{Script=Han}/gu) ?? []);
}
