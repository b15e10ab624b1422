import { bitsOf } from '../../harm.ts';
import type { Constant } from '../../ir.ts';
import {
  HOLE,
  isClock,
  randomOf,
  stronger,
  TIME_AS_TEXT,
  taintOf,
  type Value,
  type ValueDraft,
} from './value.ts';

const MAX_TEXT_LENGTH = 4096;
/** Of text that is not all constant, this many characters are kept: its beginning shows what it is. */
const MAX_SEEN_LENGTH = 1000;
const MAX_BEGIN_LENGTH = 300;

/** Whether a value counts as true or as false in every language; undefined where they differ: 0 and '' are true in Ruby. */
export function truth({ constant }: Value): boolean | undefined {
  if (constant === undefined || constant === 0 || constant === '' || constant === '0') return undefined;
  return constant !== null && constant !== false;
}

/** Arithmetic, comparison and containment of constants; undefined where the result is not known. */
export function foldBinary(operator: string, a: Constant, b: Constant): Constant | undefined {
  if (typeof a === 'number' && typeof b === 'number') return foldNumbers(operator, a, b);
  if (operator === '===' || operator === 'is') return a === b;
  if (operator === '!==' || operator === 'is not') return a !== b;
  // JavaScript and PHP convert one of two kinds to the other, other languages do not.
  if (operator === '==') return typeof a === typeof b ? a === b : undefined;
  if (operator === '!=') return typeof a === typeof b ? a !== b : undefined;
  if (typeof a === 'string' && typeof b === 'string') {
    if (operator === 'in') return b.includes(a);
    if (operator === 'not in') return !b.includes(a);
  }
  return undefined;
}

/** As Java, C#, Go and Ruby divide whole numbers; Ruby rounds down what is below 0. */
export function quotient(a: Constant, b: Constant): number | undefined {
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
      // With a rest it is a fraction in some languages, and a whole number in others.
      return a % b === 0 ? a / b : undefined;
    case '%':
      // Below 0 the sign is that of the one or the other, by language.
      return a >= 0 && b > 0 ? a % b : undefined;
    case '**':
      return a ** b;
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

/** Begins with a host or an absolute path of the program, so that what follows cannot choose the host. */
const OWN_PLACE = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]+\/|\/(?![/\\])[^/]|[?#])/i;

/** Text while it is put together. */
interface TextDraft {
  /** All of it, as long as every part is constant. */
  whole: string | undefined;
  /** The constant parts before the first that is not. */
  begin: string;
  atBegin: boolean;
  /** Constant parts, with `HOLE` for the others. */
  seen: string;
  hasConstant: boolean;
  hasUnknown: boolean;
}

/** Text put together of parts, in order. */
export function format(parts: readonly Value[]): Value {
  const out: ValueDraft = {};
  const draft: TextDraft = {
    whole: '',
    begin: '',
    atBegin: true,
    seen: '',
    hasConstant: false,
    hasUnknown: false,
  };
  for (const part of parts) {
    addData(out, part, draft.begin);
    addText(draft, part);
  }
  if (draft.whole !== undefined) return { constant: draft.whole };
  // A text is a part of it, so that it is not a sum.
  if (
    out.random &&
    isClock(out.random) &&
    parts.some(({ constant, built }) => built || typeof constant === 'string')
  )
    out.random = { ...out.random, note: TIME_AS_TEXT };
  if (!draft.hasUnknown) out.fixed = true;
  else if (draft.hasConstant) out.built = true;
  if (draft.hasConstant || parts.some((part) => part.text !== undefined))
    out.text = draft.seen.slice(0, MAX_SEEN_LENGTH);
  return out;
}

/** Data from outside in a part; behind the program's own host or path it can no longer choose where an address leads. */
function addData(out: ValueDraft, part: Value, begin: string): void {
  const taint = taintOf(part);
  if (taint) {
    const own = OWN_PLACE.test(begin) ? bitsOf(['ssrf', 'redirect']) : 0;
    out.taint = stronger(out.taint, own ? { ...taint, clean: taint.clean | own } : taint) ?? taint;
  }
  const random = randomOf(part);
  if (random) out.random = random;
}

function addText(draft: TextDraft, part: Value): void {
  const { constant } = part;
  const isSeen = draft.seen.length < MAX_SEEN_LENGTH;
  if (constant === undefined) {
    if (isSeen) draft.seen += part.text ?? HOLE;
    draft.whole = undefined;
    draft.atBegin = false;
    if (!part.fixed) draft.hasUnknown = true;
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

const TEXT: Readonly<Record<string, (text: string) => string>> = {
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

/** A method of a constant text without arguments. */
export function foldMethod(name: string, text: string): string | undefined {
  return Object.hasOwn(TEXT, name) ? TEXT[name]?.(text) : undefined;
}
