import german from './words-de.json' with { type: 'json' };
import english from './words-en.json' with { type: 'json' };
import spanish from './words-es.json' with { type: 'json' };
import french from './words-fr.json' with { type: 'json' };
import italian from './words-it.json' with { type: 'json' };
import japanese from './words-ja.json' with { type: 'json' };
import dutch from './words-nl.json' with { type: 'json' };
import polish from './words-pl.json' with { type: 'json' };
import portuguese from './words-pt.json' with { type: 'json' };
import russian from './words-ru.json' with { type: 'json' };
import chinese from './words-zh.json' with { type: 'json' };

/** Maps a meaning to phrases, separated by `|`. `*` at the end of a word stands for any ending. */
export type LanguagePhrases = Readonly<Record<string, string>>;

export const SPACED_LANGUAGE_PHRASES: readonly LanguagePhrases[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  polish,
  russian,
];
export const UNSPACED_LANGUAGES = { ja: japanese, zh: chinese } satisfies Record<string, LanguagePhrases>;
export const LANGUAGE_PHRASES: readonly LanguagePhrases[] = [...SPACED_LANGUAGE_PHRASES, japanese, chinese];
