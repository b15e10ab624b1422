import { readTimeWord } from '../../lib/time/time-words.ts';
import WORDS from './answer-words.json' with { type: 'json' };

const matchWords = (spaced: readonly string[], unspaced: string) =>
  new RegExp(`(?<!\\p{L})(?:${spaced.join('|')})(?!\\p{L})|${unspaced}`, 'iu');
const WHEN = matchWords(WORDS.when, WORDS.whenUnspaced);
const BIRTH = matchWords(WORDS.birth, WORDS.birthUnspaced);
const AMOUNT = matchWords(WORDS.amount, WORDS.amountUnspaced);
const PHONE = matchWords(WORDS.phone, WORDS.phoneUnspaced);
const MAIL = matchWords(WORDS.mail, WORDS.mailUnspaced);
const TIME = matchWords(WORDS.time, WORDS.timeUnspaced);
const NUMBER = matchWords(WORDS.numbers, `\\p{N}|${WORDS.numbersUnspaced}`);
const LIKING = new RegExp(`^\\P{L}{0,3}(?:${WORDS.likes.join('|')})(?!\\p{L})|${WORDS.likesUnspaced}`, 'iu');
const LIKE_VERBS = new RegExp(WORDS.likeVerbs, 'gu');
/** Matches a number such as that of a telephone, however its digits are grouped. */
const LONG_NUMBER = /(?:\p{N}[\s./()+-]{0,3}){6}/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns the rest of a question whether someone likes a thing, as in `Do I like olives`, or undefined. */
export function findLikedThing(question: string): string | undefined {
  if (!LIKING.test(question)) return undefined;
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question);
  return isUnspaced ? question.replace(LIKE_VERBS, ' ') : question.replace(LIKING, ' ');
}

const hasTime = (text: string): boolean => hasNumber(text) || TIME.test(text);

export const lacksTime = (question: string, text: string): boolean => WHEN.test(question) && !hasTime(text);

/** Returns true if a question asks for a number, an address or a birthday, and the text has none. */
export function lacksAskedKind(question: string, text: string): boolean {
  if (MAIL.test(question)) return !text.includes('@');
  if (PHONE.test(question)) return !LONG_NUMBER.test(text);
  if (WHEN.test(question) && BIRTH.test(question)) return !hasTime(text);
  return AMOUNT.test(question) && !hasNumber(text);
}

function hasNumber(text: string): boolean {
  if (NUMBER.test(text)) return true;
  return (text.toLowerCase().match(WORD) ?? []).some((word) => {
    const time = readTimeWord(word);
    return time !== undefined && (time.kind !== 'number' || time.value > 1);
  });
}
