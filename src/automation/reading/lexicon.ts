import { type LanguagePhrases, UNSPACED_LANGUAGES } from './languages.ts';

export type PhraseTags = ReadonlySet<string>;

interface TagEntry {
  readonly words: readonly string[];
  readonly tags: Set<string>;
}

export interface TaskLexicon {
  readonly exact: ReadonlyMap<string, readonly TagEntry[]>;
  readonly plain: ReadonlyMap<string, readonly TagEntry[]>;
  readonly stems: ReadonlyMap<string, readonly TagEntry[]>;
}

const STEM_LETTERS = 3;
const MAX_PHRASE_WORDS = 6;

export function withoutAccents(word: string): string {
  if (/^[\x20-\x7e]*$/.test(word)) return word;
  return word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ß', 'ss');
}

export function compileLexicon(words: LanguagePhrases): TaskLexicon {
  const exact = new Map<string, TagEntry[]>();
  const plain = new Map<string, TagEntry[]>();
  const stems = new Map<string, TagEntry[]>();
  for (const [tag, phrases] of Object.entries(words)) {
    for (const phrase of phrases.split('|')) {
      const parts = phrase.split(' ');
      const [first = ''] = parts;
      if (first.endsWith('*')) insert(stems, first.slice(0, STEM_LETTERS), parts, tag);
      else {
        insert(exact, first, parts, tag);
        const bare = parts.map(withoutAccents);
        insert(plain, bare[0] ?? '', bare, tag);
      }
    }
  }
  for (const map of [exact, plain, stems]) {
    for (const entries of map.values()) entries.sort((a, b) => b.words.length - a.words.length);
  }
  return { exact, plain, stems };
}

function insert(map: Map<string, TagEntry[]>, key: string, words: readonly string[], tag: string): void {
  const entries = map.get(key) ?? [];
  map.set(key, entries);
  const same = entries.find((one) => one.words.join(' ') === words.join(' '));
  if (same) same.tags.add(tag);
  else entries.push({ words, tags: new Set([tag]) });
}

export function phraseAt(lexicon: TaskLexicon, words: readonly string[], at: number) {
  const ahead = words.slice(at, at + MAX_PHRASE_WORDS);
  const [first = ''] = ahead;
  const bare = ahead.map(withoutAccents);
  const found = [
    longest(lexicon.exact.get(first), ahead),
    longest(lexicon.stems.get(first.slice(0, STEM_LETTERS)), ahead),
    longest(lexicon.plain.get(bare[0] ?? ''), bare),
  ];
  let best: TagEntry | undefined;
  for (const entry of found) {
    if (entry && (!best || entry.words.length > best.words.length)) best = entry;
  }
  return best && { tags: best.tags, length: best.words.length };
}

function longest(entries: readonly TagEntry[] | undefined, ahead: readonly string[]): TagEntry | undefined {
  return entries?.find(({ words }) =>
    words.every((word, index) => {
      const other = ahead[index];
      if (other === undefined) return false;
      return word.endsWith('*') ? other.startsWith(word.slice(0, -1)) : other === word;
    }),
  );
}

type UnspacedPhrases = ReadonlyMap<string, readonly { readonly text: string; readonly tags: Set<string> }[]>;

function compileUnspaced(words: LanguagePhrases): UnspacedPhrases {
  const map = new Map<string, { text: string; tags: Set<string> }[]>();
  for (const [tag, phrases] of Object.entries(words)) {
    for (const text of phrases.split('|')) {
      const entries = map.get(text.charAt(0)) ?? [];
      map.set(text.charAt(0), entries);
      const same = entries.find((one) => one.text === text);
      if (same) same.tags.add(tag);
      else entries.push({ text, tags: new Set([tag]) });
    }
  }
  for (const entries of map.values()) entries.sort((a, b) => b.text.length - a.text.length);
  return map;
}

const PHRASES = {
  ja: compileUnspaced(UNSPACED_LANGUAGES.ja),
  zh: compileUnspaced(UNSPACED_LANGUAGES.zh),
} as const;
const KATAKANA = /\p{Script=Katakana}|ー/u;

export function characterPhraseAt(language: 'ja' | 'zh', text: string, at: number) {
  const inWord = at > 0 && KATAKANA.test(text.charAt(at)) && KATAKANA.test(text.charAt(at - 1));
  if (inWord) return undefined;
  const entry = PHRASES[language]
    .get(text.charAt(at))
    ?.find((one) => text.startsWith(one.text, at) && endsWord(one.text, text, at));
  return entry && { tags: entry.tags, length: entry.text.length };
}

function endsWord(phrase: string, text: string, at: number): boolean {
  const next = text.charAt(at + phrase.length);
  return !(KATAKANA.test(phrase.slice(-1)) && next !== '' && KATAKANA.test(next));
}
