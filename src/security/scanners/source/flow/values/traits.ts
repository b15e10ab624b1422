import type { LinearRegex } from '../../../../../lib/expressions/linear-expression.ts';
import type { Constant, Expr, FunctionNode } from '../../ir.ts';
import type { ValueCondition, ValueTrait } from '../../rule.ts';
import type { AbstractValue } from './value.ts';

export function isTrait(test: ValueCondition): test is ValueTrait {
  if (typeof test !== 'object' || test === null) return false;
  return ['has', 'lacks', 'gives', 'calls', 'ignores', 'below', 'bits', 'fixed'].some((name) => name in test);
}

export function hasTrait(value: AbstractValue, test: ValueTrait): boolean {
  const { has, lacks, gives, calls, ignores, below = Number.POSITIVE_INFINITY, bits } = test;
  const number = typeof value.constant === 'number' ? value.constant : Number.NaN;
  if ((test.below !== undefined && !(number < below)) || (bits !== undefined && (number & bits) === 0))
    return false;
  if (test.fixed && !isKnownList(value)) return false;
  if (has && ![value, ...(value.items ?? [])].some((one) => isOneOf(one, has))) return false;
  if (lacks && !value.items?.every((one) => one.constant !== undefined && !isOneOf(one, lacks))) return false;
  if (gives !== undefined && !(value.fn && alwaysGives(value.fn.fn, gives))) return false;
  if (ignores && !(value.fn && !mentions([value.fn.fn.params, value.fn.fn.body], ignores))) return false;
  return !calls || calls.test(calledName(value));
}

/** True if a name or a one-word text in the code matches. Too deeply nested code also counts as a match. */
function mentions(code: unknown, name: LinearRegex, depth = 60): boolean {
  if (typeof code === 'string') return /^[\w$]+$/.test(code) && name.test(code);
  if (typeof code !== 'object' || code === null) return false;
  return depth === 0 || Object.values(code).some((part) => mentions(part, name, depth - 1));
}

export function isKnownList({ items }: AbstractValue): boolean {
  return items !== undefined && items.length > 0 && items.every((item) => item.constant !== undefined);
}

function isOneOf({ constant }: AbstractValue, list: readonly Constant[]): boolean {
  return constant !== undefined && list.includes(constant);
}

function onlyIn({ body }: FunctionNode): Expr | undefined {
  const [first, more] = body;
  if (more || (first?.op !== 'return' && first?.op !== 'expr')) return undefined;
  return first.value;
}

/** In a rule, `gives: '#0'` requires a function that returns its first parameter. */
const FIRST_PARAMETER = '#0';

function alwaysGives(fn: FunctionNode, constant: Constant): boolean {
  if (fn.body.length === 0) return constant === null;
  const only = onlyIn(fn);
  if (constant === FIRST_PARAMETER) return only?.op === 'name' && only.name === fn.params[0]?.name;
  if (only?.op !== 'call') return only?.op === 'constant' && only.value === constant;
  const { callee } = only;
  if (callee.op !== 'name' || !fn.params.some(({ name }) => name === callee.name)) return false;
  const given = only.args.at(-1)?.value;
  return given?.op === 'constant' && given.value === constant;
}

/** Returns the only method that a function calls: `disable` for `c -> c.disable()` and for `Csrf::disable`. */
function calledName({ fn, path = '' }: AbstractValue): string {
  if (!fn) return path.slice(path.lastIndexOf('.') + 1);
  const only = onlyIn(fn.fn);
  return only?.op === 'call' && only.callee.op === 'member' ? only.callee.name : '';
}
