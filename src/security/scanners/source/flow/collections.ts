import type { Expr } from '../ir.ts';
import { store, withField } from './assign.ts';
import { cleaned } from './call.ts';
import { elementOf, mixed } from './evaluate.ts';
import { format } from './fold.ts';
import { elementBy } from './invoke.ts';
import type { Given } from './report.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { join, LARGEST, stronger, taintOf, type Value } from './value.ts';

const APPENDS = /^(?:append|push|add|Add|addLast|AddLast|push_back|<<|array_push|offer|addElement)$/;
const WRITES =
  /^(?:write|Write|WriteString|writelines|append|Append|AppendFormat|AppendLine|add|concat!?|insert|extend|update|addAll|AddRange|unshift|push|merge!|putAll)$/;
const PUTS = /^(?:set|put|Put|Set|setdefault|setItem|setProperty|setAttribute|store|add_header)$/;
const GETS =
  /^(?:get|Get|getItem|getProperty|getAttribute|getOrDefault|fetch|dig|GetValueOrDefault|TryGetValue|elementAt)$/;
const TAKES = /^(?:pop|shift|remove|RemoveAt|delete_at|popleft|removeFirst|poll)$/;

/**
 * Collections of the language: what a call puts into its object or takes out of it. Undefined where the call is none
 * of these; the object's variable is written anew where it changed.
 */
export function collect(
  run: Run,
  callee: Expr,
  name: string,
  receiver: Value | undefined,
  args: readonly Given[],
  scope: Scope,
  line: number,
): Value | undefined {
  if (callee.op !== 'member' || !receiver) return undefined;
  const place = callee.object;
  const first = args[0]?.value;
  const { items } = receiver;
  if (items) {
    if (APPENDS.test(name) && first && args.length === 1) {
      const next =
        items.length < LARGEST ? { ...receiver, items: [...items, first] } : mixed([receiver, first]);
      store(run, place, next, scope);
      return next;
    }
    if (TAKES.test(name)) return take(run, place, name, receiver, items, first, scope);
    const at = first?.constant;
    if (GETS.test(name) && typeof at === 'number') return items.at(at) ?? {};
    if (name === 'get' || name === 'first' || name === 'last') return elementOf(run, receiver, line);
  }
  if (PUTS.test(name) && args.length >= 2) {
    const key = keyOf(args.slice(0, -1));
    const value = args.at(-1)?.value;
    if (value) store(run, place, withField(receiver, key, value), scope);
    return undefined;
  }
  if (GETS.test(name) && receiver.fields && args.length >= 1) {
    const key = keyOf(args) ?? keyOf(args.slice(0, -1));
    const value = key === undefined ? undefined : receiver.fields.get(key);
    if (value) return value;
    if (key !== undefined && !receiver.taint) return args.length > 1 ? args.at(-1)?.value : {};
    return undefined;
  }
  if (WRITES.test(name) && args.length > 0) write(run, place, receiver, args, scope);
  return undefined;
}

const EACH = /^(?:map|array_map|collect|Select)$/;

/**
 * What a call gives that makes each element anew: `ids.map(() => '?')` holds nothing of what it went over. Undefined
 * where it is no such call, or how elements are made is not seen.
 */
export function remade(
  run: Run,
  name: string,
  receiver: Value | undefined,
  args: readonly Given[],
  line: number,
): Value | undefined {
  if (!EACH.test(name)) return undefined;
  const over = mixed([...(receiver ? [receiver] : []), ...args.map((arg) => arg.value)]);
  if (!over.taint) return undefined;
  for (const { value } of args) {
    if (value.fn) return elementBy(run, value.fn, over, line);
    const by = typeof value.constant === 'string' ? value.constant : value.path;
    if (by !== undefined && run.rules.cleaners.find(by).length > 0) return cleaned(run, by, over);
  }
  return undefined;
}

function take(
  run: Run,
  place: Expr,
  name: string,
  receiver: Value,
  items: readonly Value[],
  first: Value | undefined,
  scope: Scope,
): Value {
  const front = name === 'shift' || name === 'popleft' || name === 'removeFirst' || name === 'poll';
  const at = typeof first?.constant === 'number' ? first.constant : front ? 0 : -1;
  const place0 = at < 0 ? items.length + at : at;
  store(run, place, { ...receiver, items: items.filter((_, index) => index !== place0) }, scope);
  return items.at(at) ?? {};
}

/** Several constant keys are one: `config.set(section, option, value)`. */
function keyOf(args: readonly Given[]): string | undefined {
  const keys = args.map((arg) => arg.value.constant);
  return keys.length === 0 || keys.includes(undefined) ? undefined : keys.join('\0');
}

function write(run: Run, place: Expr, receiver: Value, args: readonly Given[], scope: Scope): void {
  let next = receiver;
  const fixed = args.some((arg) => arg.value.constant !== undefined) || receiver.built;
  for (const { value } of args) {
    const taint = stronger(next.taint, taintOf(value));
    if (taint) next = { ...next, taint };
    if (value.fields && next.fields) next = join(next, value);
  }
  const builder = /(?:StringIO|StringBuilder|StringBuffer|Builder|Buffer)\(\)$/.test(receiver.path ?? '');
  if (builder && fixed) {
    const before = next.text === undefined ? { constant: '' } : { text: next.text };
    const { constant, text } = format([before, ...args.map((arg) => arg.value)]);
    const seen = typeof constant === 'string' ? constant : text;
    next = { ...next, built: true, ...(seen !== undefined && { text: seen }) };
  }
  if (next !== receiver) store(run, place, next, scope);
}
