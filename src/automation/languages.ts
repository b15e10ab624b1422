import { GERMAN } from './words-de.ts';
import { ENGLISH } from './words-en.ts';
import { SPANISH } from './words-es.ts';
import { FRENCH } from './words-fr.ts';
import { ITALIAN } from './words-it.ts';
import { JAPANESE } from './words-ja.ts';
import { DUTCH } from './words-nl.ts';
import { POLISH } from './words-pl.ts';
import { PORTUGUESE } from './words-pt.ts';
import { RUSSIAN } from './words-ru.ts';
import { CHINESE } from './words-zh.ts';

/** Languages that write spaces between words, English first. */
export const SPACED = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
  POLISH,
  RUSSIAN,
] as const;
/** All languages in which a task is read. */
export const LANGUAGES = [...SPACED, JAPANESE, CHINESE] as const;
