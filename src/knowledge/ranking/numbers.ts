import { normalizeDateText } from '../../lib/time/written-date.ts';

/** Matches numbers whose digits are in groups, such as `1,250,000`, `1.250.000`, `1 250 000` and `12,50,000`. */
export const GROUPED_NUMBER =
  /(?<![\p{L}\p{N}]|\p{N}[.,])(?!0)\p{N}{1,3}(?:([.,'’_٬])\p{N}{3}(?:\1\p{N}{3}){0,6}(?!\1\p{N})|(?:[ \u00a0\u2009\u202f]\p{N}{3}){1,7}|(?:,\p{N}{2}){1,5},\p{N}{3})(?!\p{N})/gu;
/** Matches a number in other groups, such as the telephone number `030 / 901 44-27`, but not a date. */
const LONG_NUMBER =
  /(?<![\p{L}\p{N}])(?!\p{N}{4}-\p{N}\p{N}-\p{N}\p{N}(?!\p{N})|\p{N}{1,2}[./]\p{N}{1,2}[./](?:19|20)\p{N}\p{N}(?!\p{N}))\p{N}{1,20}(?:(?:\)? ?[-/.(]{1,2} ?|\)? )\p{N}{1,8}){0,8}(?![\p{L}\p{N}])/gu;
const LONG_DIGITS = /^\d{9,20}$/;
/** This many last digits of a telephone number are the same with and without the code of its country. */
const LOCAL_DIGITS = 9;
const OTHER_DIGITS = /(?:(?!\d)\p{Nd}){1,40}/gu;

/** Matches a number of groups that may be a part of a telephone number. */
const MAYBE_PHONE = /^\p{N}{3}\s/u;

/** Writes numbers without groups and in the digits 0 to 9: `1,250,000` becomes `1250000`. */
export function joinGroups(text: string): string {
  const whole = text.replace(LONG_NUMBER, (number) => {
    const digits = plainNumber(number);
    return LONG_DIGITS.test(digits) ? digits : number;
  });
  const joined = whole.replace(GROUPED_NUMBER, (number, _sign, at: number) =>
    MAYBE_PHONE.test(number) || whole[at - 1] === '+' ? number : plainNumber(number),
  );
  return joined.replace(OTHER_DIGITS, plainNumber);
}

/** Returns the numbers of a text that are not words as they are written: with groups, or in another script. */
export function findNumbers(text: string): string[] {
  // The tests are faster than the expressions and exclude most texts.
  const hasOthers = /[\u0660-\uffff]/.test(text) && /(?!\d)\p{Nd}/u.test(text);
  if (!hasOthers && !/\d{9}|\d[.,'’_ \u00a0\u2009\u202f)/-]{1,3}\d/.test(text)) return [];
  const others = hasOthers ? (text.normalize('NFKC').match(OTHER_DIGITS) ?? []) : [];
  const long = (text.match(LONG_NUMBER) ?? []).map(plainNumber).filter((digits) => LONG_DIGITS.test(digits));
  const local = long.map((digits) => `${digits.slice(-LOCAL_DIGITS)}_`);
  return [...(text.match(GROUPED_NUMBER) ?? []), ...others].map(plainNumber).concat(local);
}

const LONG_NUMBERS = /(?<![\p{L}\d])\d{6,20}(?![\p{L}\d])/gu;

/** Returns numbers so long that texts share them only if they mean the same, such as those of telephones. */
export function findLongNumbers(text: string): string[] {
  return (joinGroups(text).match(LONG_NUMBERS) ?? []).map((digits) => digits.slice(-LOCAL_DIGITS));
}

const plainNumber = (number: string): string => normalizeDateText(number).replace(/\D/g, '');
