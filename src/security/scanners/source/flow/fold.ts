import { bitsOf } from '../harm.ts';
import type { Constant } from '../ir.ts';
import { HOLE, randomOf, stronger, taintOf, type Value } from './value.ts';

const LONGEST = 4096;
/** Of text that is not all constant, this many characters are kept: what it is shows at its begin. */
const LONGEST_SEEN = 1000;

/** What every language takes for false; undefined when the constant is not known. */
export function truth(value: Value): boolean | undefined {
  if (value.constant !== undefined) {
    return !(
      value.constant === null ||
      value.constant === false ||
      value.constant === 0 ||
      value.constant === ''
    );
  }
  return undefined;
}

/** Arithmetic, comparison and containment of constants; undefined for what cannot be told. */
export function foldBinary(operator: string, a: Constant, b: Constant): Constant | undefined {
  if (typeof a === 'number' && typeof b === 'number') return foldNumbers(operator, a, b);
  if (operator === '==' || operator === '===' || operator === 'is') return a === b;
  if (operator === '!=' || operator === '!==' || operator === 'is not') return a !== b;
  if (typeof a === 'string' && typeof b === 'string') {
    if (operator === '+' || operator === '.') return a.length + b.length <= LONGEST ? a + b : undefined;
    if (operator === 'in') return b.includes(a);
    if (operator === 'not in') return !b.includes(a);
  }
  return undefined;
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
      return b === 0 ? undefined : a / b;
    case '%':
      return b === 0 ? undefined : a % b;
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

/** Begins with a host or an absolute path of our own, so that what follows cannot choose where it leads. */
const OWN_PLACE = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]+\/|\/(?![/\\])[^/]|[?#])/i;

/** Text put together of parts, in order. */
export function format(parts: readonly Value[]): Value {
  const out: { -readonly [K in keyof Value]: Value[K] } = {};
  let text: string | undefined = '';
  let fixed = false;
  let begin = '';
  let seen = '';
  let beginning = true;
  let unknown = false;
  for (const part of parts) {
    const taint = taintOf(part);
    if (taint) {
      const own = OWN_PLACE.test(begin) ? bitsOf(['ssrf', 'redirect']) : 0;
      out.taint = stronger(out.taint, own ? { ...taint, clean: taint.clean | own } : taint) ?? taint;
    }
    const random = randomOf(part);
    if (random) out.random = random;
    const constant = part.constant;
    if (seen.length < LONGEST_SEEN) {
      seen += constant === undefined ? (part.text ?? HOLE) : constant === null ? '' : String(constant);
    }
    if (constant !== undefined) {
      if (constant !== '') fixed = true;
      if (beginning && begin.length < 300) begin += String(constant);
      if (text !== undefined && text.length < LONGEST) text += constant === null ? '' : String(constant);
      else text = undefined;
    } else {
      text = undefined;
      beginning = false;
      if (!part.fixed) unknown = true;
    }
    if (part.built) fixed = true;
  }
  if (text !== undefined) return { constant: text };
  if (!unknown) out.fixed = true;
  else if (fixed) out.built = true;
  if (fixed) out.text = seen.slice(0, LONGEST_SEEN);
  return out;
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
