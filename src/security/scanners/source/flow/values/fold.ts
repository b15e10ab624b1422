import { ALL_HARM_BITS, bitOf, bitsOf, ESCAPED_QUOTES_BIT } from '../../harm.ts';
import type { Constant } from '../../ir.ts';
import {
  type AbstractValue,
  type AbstractValueDraft,
  choicesOf,
  findPredictableRandomness,
  GUESSABLE_TIME_TEXT_NOTE,
  isFromClock,
  MAX_CHOICES,
  strongerTaint,
  type Taint,
  taintOf,
  UNKNOWN_PART,
} from './value.ts';

const MAX_TEXT_LENGTH = 4096;
const MAX_SEEN_LENGTH = 1000;
const MAX_BEGIN_LENGTH = 300;

/** Returns whether a constant counts as true. Returns undefined for 0, '' and '0', as languages differ. */
export function evaluateTruth({ constant }: AbstractValue): boolean | undefined {
  if (constant === undefined || constant === 0 || constant === '' || constant === '0') return undefined;
  return constant !== null && constant !== false;
}

export function foldBinary(operator: string, a: Constant, b: Constant): Constant | undefined {
  if (typeof a === 'number' && typeof b === 'number') return foldNumbers(operator, a, b);
  if (operator === '===' || operator === 'is') return a === b;
  if (operator === '!==' || operator === 'is not') return a !== b;
  // JavaScript and PHP convert values of different types before they compare them, so the result is unknown.
  if (operator === '==') return typeof a === typeof b ? a === b : undefined;
  if (operator === '!=') return typeof a === typeof b ? a !== b : undefined;
  if (typeof a === 'string' && typeof b === 'string') {
    if (operator === 'in') return b.includes(a);
    if (operator === 'not in') return !b.includes(a);
  }
  return undefined;
}

/** Divides as in Java, C#, Go and Ruby. Negative integers give undefined, as Ruby rounds them differently. */
export function divideConstants(a: Constant, b: Constant): number | undefined {
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  if (!Number.isInteger(a) || !Number.isInteger(b)) return a / b;
  return a >= 0 && b > 0 ? Math.floor(a / b) : undefined;
}

function foldNumbers(operator: string, a: number, b: number): Constant | undefined {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      // Languages differ in the result of a division with a remainder, so the result is unknown.
      return a % b === 0 ? a / b : undefined;
    case '%':
      // The sign of the result for negative operands depends on the language, so the result is unknown.
      return a >= 0 && b > 0 ? a % b : undefined;
    case '**':
      return a ** b;
    case '&':
      return areBits(a, b) ? a & b : undefined;
    case '|':
      return areBits(a, b) ? a | b : undefined;
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    case '==':
    case '===':
      return a === b;
    case '!=':
    case '!==':
      return a !== b;
    default:
      return undefined;
  }
}

const areBits = (...numbers: readonly number[]): boolean =>
  numbers.every((one) => Number.isInteger(one) && one >= 0 && one < 2 ** 31);

/** Matches the start of a URL after which data cannot change the host: `https://a.org/`, `/path`, `?`. */
const OWN_PLACE = /^(?:location:\s{0,9})?(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]|\/(?![/\\])[^/]|[?#])/i;

const REMOTE = /^(?:https?|wss?|ftps?):\/\/[^/?#]+[/?#]/i;

/** Returns the harms that data after `begin` cannot do. After `https://a.org/`, it cannot change the host. */
export const preventedByPrefix = (begin: string): number =>
  (OWN_PLACE.test(begin) ? bitsOf(['ssrf', 'redirect']) : 0) | (REMOTE.test(begin) ? bitOf('path') : 0);

/** Matches request data that begins with a slash. After `https://a.org`, such data cannot change the host. */
const PATH_OF_REQUEST = /(?:\$_SERVER\.(?:REQUEST_URI|PHP_SELF)|\breq\.(?:url|originalUrl|path))$/;

interface TextDraft {
  readonly count: number;
  whole: string | undefined;
  begin: string;
  atBegin: boolean;
  seen: string;
  hasConstant: boolean;
  hasUnknown: boolean;
  choices: readonly string[] | undefined;
}

export function concatenateValues(parts: readonly AbstractValue[]): AbstractValue {
  const out: AbstractValueDraft = {};
  const draft: TextDraft = {
    count: parts.length,
    whole: '',
    begin: '',
    atBegin: true,
    seen: '',
    hasConstant: false,
    hasUnknown: false,
    choices: [''],
  };
  let isOwnPlace = false;
  for (const part of parts) {
    const begin = PATH_OF_REQUEST.test(part.path ?? '') ? `${draft.begin}/` : draft.begin;
    addData(out, part, draft, preventedByPrefix(begin) | (isOwnPlace ? bitsOf(['ssrf', 'redirect']) : 0));
    addChoices(draft, part);
    isOwnPlace ||= isOwnSetting(part) && draft.atBegin && /^(?:location:\s{0,9})?$/i.test(draft.begin);
    addText(draft, part);
  }
  if (draft.whole !== undefined) return { constant: draft.whole };
  // A text that contains the time gets its own note. Without a text operand, `+` may add numbers.
  if (
    out.random &&
    isFromClock(out.random) &&
    parts.some(({ constant, built }) => built || typeof constant === 'string')
  )
    out.random = { ...out.random, note: GUESSABLE_TIME_TEXT_NOTE };
  if (draft.choices) out.choices = draft.choices;
  if (!draft.hasUnknown) out.fixed = true;
  else if (draft.hasConstant) out.built = true;
  if (draft.hasConstant || parts.some((part) => part.text !== undefined))
    out.text = draft.seen.slice(0, MAX_SEEN_LENGTH);
  return out;
}

const OWN_SETTING = /^\$?[\w$@./-]+$/;

function isOwnSetting(part: AbstractValue): boolean {
  const { constant, path = '' } = part;
  if (constant !== undefined || !OWN_SETTING.test(path)) return false;
  const taint = taintOf(part);
  return !taint || (taint.origin === 'input' && /\benv(?:iron)?\b/.test(path));
}

/** Matches SQL text that ends where a value without quotes may follow: `WHERE id = `. */
const BEFORE_BARE_VALUE = /(?:[=<>(,+-]|\b(?:like|limit|offset|by|and|or|in|between))\s{0,20}$/i;

function isBare({ seen }: TextDraft): boolean {
  const isEven = (quote: string) => seen.split(quote).length % 2 === 1;
  return (
    seen.length < MAX_SEEN_LENGTH && isEven("'") && isEven('"') && BEFORE_BARE_VALUE.test(seen.slice(-60))
  );
}

/** Returns the taint of data in a text, which cannot be a NoSQL filter. Escapes protect only in quotes. */
function joinedTaint(given: Taint, draft: TextDraft): Taint {
  const taint = { ...given, clean: given.clean | bitOf('nosql') };
  if (
    draft.count === 1 ||
    (taint.clean & ESCAPED_QUOTES_BIT) === 0 ||
    (taint.clean & ALL_HARM_BITS) === ALL_HARM_BITS
  )
    return taint;
  return { ...taint, clean: taint.clean & ~(ESCAPED_QUOTES_BIT | (isBare(draft) ? bitOf('sql') : 0)) };
}

/** True if a key that begins with this text cannot be `__proto__`, `constructor` or `prototype`. */
const isOwnKey = (begin: string): boolean =>
  begin !== '' && !['__proto__', 'constructor', 'prototype'].some((key) => key.startsWith(begin));

function addData(out: AbstractValueDraft, part: AbstractValue, draft: TextDraft, behind: number): void {
  const given = taintOf(part);
  const taint = given && joinedTaint(given, draft);
  if (taint) {
    const own = behind | (isOwnKey(draft.begin) ? bitOf('prototype') : 0);
    out.taint = strongerTaint(out.taint, own ? { ...taint, clean: taint.clean | own } : taint) ?? taint;
  }
  const random = findPredictableRandomness(part);
  if (random) out.random = random;
}

function addChoices(draft: TextDraft, part: AbstractValue): void {
  const ends = choicesOf(part)?.map((one) => String(one ?? ''));
  const { choices = [] } = draft;
  const isFew = ends !== undefined && ends.length * choices.length <= MAX_CHOICES;
  draft.choices =
    isFew && choices.length > 0 ? choices.flatMap((start) => ends.map((end) => start + end)) : undefined;
}

/** Matches names of SQL placeholders, as in `IN ({placeholders})`, and calls that quote a text. */
const PLACEHOLDERS =
  /\$wpdb\.\w{1,40}$|(?:^|[._])(?:(?:place_?holders?|q?marks|bind_?vars?)|(?:shell_?)?quote(?:_?\w{1,20})?\(\)|shell(?:escape|join)\(\)|(?:shlex\.join|Shellwords\.escape|escape_(?:literal|identifier|string))\(\))$/i;

const isUnknown = ({ fixed, path = '' }: AbstractValue): boolean => !fixed && !PLACEHOLDERS.test(path);

function addText(draft: TextDraft, part: AbstractValue): void {
  const { constant } = part;
  const isSeen = draft.seen.length < MAX_SEEN_LENGTH;
  if (constant === undefined) {
    if (isSeen) draft.seen += part.text ?? UNKNOWN_PART;
    draft.whole = undefined;
    draft.atBegin = false;
    draft.hasUnknown ||= isUnknown(part);
  } else {
    const text = constant === null ? '' : String(constant);
    if (isSeen) draft.seen += text;
    if (constant !== '') draft.hasConstant = true;
    if (draft.atBegin && draft.begin.length < MAX_BEGIN_LENGTH) draft.begin += String(constant);
    draft.whole =
      draft.whole !== undefined && draft.whole.length < MAX_TEXT_LENGTH ? draft.whole + text : undefined;
  }
  if (part.built) draft.hasConstant = true;
}

const TEXT: Readonly<Record<string, (text: string) => Constant>> = {
  isEmpty: (text) => text === '',
  isBlank: (text) => text.trim() === '',
  length: (text) => text.length,
  lower: (text) => text.toLowerCase(),
  toLowerCase: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  toUpperCase: (text) => text.toUpperCase(),
  strip: (text) => text.trim(),
  trim: (text) => text.trim(),
  toString: (text: string) => text,
  encode: (text: string) => text,
  decode: (text: string) => text,
};

const TEXT_WITH: readonly (readonly [RegExp, (text: string, other: string) => Constant])[] = [
  [/^(?:equals|eql\?)$/i, (text, other) => text === other],
  [/^equalsIgnoreCase$/, (text, other) => text.toLowerCase() === other.toLowerCase()],
  [/^(?:contains|includes|include\?)$/i, (text, other) => text.includes(other)],
  [/^starts?_?with\??$/i, (text, other) => text.startsWith(other)],
  [/^ends?_?with\??$/i, (text, other) => text.endsWith(other)],
  [/^indexOf$/i, (text, other) => text.indexOf(other)],
];

/** Matches methods that return the bytes or characters of a text. Their result is treated as the text itself. */
const SAME_TEXT = /^(?:getBytes|toCharArray|ToCharArray)$/;

export function foldMethod(
  name: string,
  text: string,
  args: readonly (Constant | undefined)[],
): Constant | undefined {
  const [first, second] = args;
  if (SAME_TEXT.test(name)) return text;
  if (args.length === 0) return Object.hasOwn(TEXT, name) ? TEXT[name]?.(text) : undefined;
  if (typeof first === 'string' && args.length === 1)
    return TEXT_WITH.find(([pattern]) => pattern.test(name))?.[1](text, first);
  if (name === 'substring' && typeof first === 'number' && first >= 0 && args.length < 3)
    return args.length === 1 || typeof second === 'number'
      ? text.substring(first, Number(second ?? text.length))
      : undefined;
  return undefined;
}

const GIVES_INTEGER =
  /^(?:(?:Integer|Long|Short|Byte)\.(?:parse\w{1,5}|valueOf)|int|intval|parseInt|int\.Parse|Number)$/;

export function foldInteger(path: string, given: Constant | undefined): number | undefined {
  if (typeof given === 'number' ? !Number.isInteger(given) : !/^\d{1,9}$/.test(String(given)))
    return undefined;
  return GIVES_INTEGER.test(path) ? Number(given) : undefined;
}
