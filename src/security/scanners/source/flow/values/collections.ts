import { bitsOf } from '../../harm.ts';
import type { Expr } from '../../ir.ts';
import { storeValue, withField } from '../assign.ts';
import { evaluateElementFunction } from '../calls/evaluate-closure.ts';
import type { EvaluatedArgument, EvaluatedCall } from '../report.ts';
import type { AnalysisRun } from '../run.ts';
import { sanitizeByRule } from '../sanitize.ts';
import { concatenateValues } from './fold.ts';
import { elementOf } from './paths.ts';
import {
  type AbstractValue,
  choicesIn,
  isFixed,
  isOfConstants,
  joinValues,
  MAX_TRACKED_ELEMENTS,
  mergeTaints,
  strongerTaint,
  taintOf,
  UNKNOWN_VALUE,
  type VariableScope,
  withoutHarms,
} from './value.ts';

const APPENDS = /^(?:append|push|add|Add|addLast|AddLast|push_back|<<|offer|addElement)$/;
const WRITES =
  /^(?:write|Write|WriteString|writelines|append|Append|AppendFormat|AppendLine|add|concat!?|insert|extend|update|addAll|AddRange|unshift|push|merge!|putAll)$/;
const PUTS = /^(?:set|put|Put|Set|Add|setdefault|setItem|setProperty|setAttribute|store|add_header)$/;
const GETS =
  /^(?:get|Get|getItem|getProperty|getAttribute|getOrDefault|fetch|dig|GetValueOrDefault|TryGetValue|elementAt)$/;
const TAKES = /^(?:pop|shift|remove|RemoveAt|delete_at|popleft|removeFirst|poll)$/;

const EMPTIES = /^(?:clear|Clear|removeAllElements)$/;
const ADDS_FIRST = /^(?:addFirst|offerFirst|unshift|prepend|appendleft)$/;
const INSERTS = /^(?:add|insert|Insert)$/;
const READS_END = /^(?:get|peek|element|first)(?:First|(Last))?(?:Element)?$|^(?:last|lastElement)$/;

const FILLS = /^(?:Load|LoadXml|LoadHtml|load|loadFromXML)$/;

interface MethodCall {
  readonly place: Expr;
  readonly name: string;
  readonly receiver: AbstractValue;
  readonly args: readonly EvaluatedArgument[];
  readonly line: number;
}

export function applyCollectionMethod(
  run: AnalysisRun,
  callee: Expr,
  receiver: AbstractValue | undefined,
  args: readonly EvaluatedArgument[],
  scope: VariableScope,
  line: number,
): AbstractValue | undefined {
  if (callee.op !== 'member' || !receiver) return undefined;
  const call: MethodCall = { place: heldBy(callee.object), name: callee.name, receiver, args, line };
  if (callee.name === '<<' && !receiver.items) return joined(run, call, scope);
  if (isEmptied(call)) {
    const { path, type, items, fields } = receiver;
    storeValue(run, call.place, { path, type, items: items && [], fields: fields && new Map() }, scope);
    return UNKNOWN_VALUE;
  }
  const item = receiver.items && collectItems(run, call, receiver.items, scope);
  return item ?? collectFields(run, call, scope);
}

function isEmptied({ name, receiver, args }: MethodCall): boolean {
  if (args.length === 0) return EMPTIES.test(name) && receiver.of === undefined;
  return name === 'setLength' && args[0]?.value.constant === 0;
}

const CHAINED = /^(?:<<|append|Append\w{0,10})$/;

function heldBy(place: Expr): Expr {
  let at = place;
  while (at.op === 'call' && at.callee.op === 'member' && CHAINED.test(at.callee.name)) at = at.callee.object;
  return at;
}

/** Evaluates `text << other`, which appends to the text. On a number, `<<` shifts bits, which is harmless. */
function joined(run: AnalysisRun, call: MethodCall, scope: VariableScope): AbstractValue {
  const values = [call.receiver, ...call.args.map((arg) => arg.value)];
  if (typeof call.receiver.constant === 'number') return UNKNOWN_VALUE;
  const next = { ...concatenateValues(values), path: call.receiver.path };
  storeValue(run, call.place, next, scope);
  return next;
}

function collectItems(
  run: AnalysisRun,
  call: MethodCall,
  items: readonly AbstractValue[],
  scope: VariableScope,
): AbstractValue | undefined {
  const { name, receiver, args } = call;
  const first = args[0]?.value;
  const place = placeOfNew(call, items.length);
  const added = args.at(-1)?.value;
  if (place !== undefined && added) {
    const next =
      items.length < MAX_TRACKED_ELEMENTS
        ? { ...receiver, items: items.toSpliced(place, 0, added) }
        : mergeTaints([receiver, added]);
    storeValue(run, call.place, next, scope);
    return next;
  }
  if (TAKES.test(name)) return take(run, call, items, scope);
  if (WRITES.test(name) && first) {
    // The method may insert an element at any position, so only the merged taint is kept.
    const next = { ...mergeTaints([receiver, ...args.map((arg) => arg.value)]), path: receiver.path };
    storeValue(run, call.place, next, scope);
    return next;
  }
  const at = first?.constant;
  if (GETS.test(name) && typeof at === 'number') return items.at(at) ?? {};
  if (name === 'get') return elementOf(run, receiver, call.line);
  const end = args.length === 0 ? READS_END.exec(name) : null;
  if (!end) return name === 'first' || name === 'last' ? elementOf(run, receiver, call.line) : undefined;
  const isLast = end[1] !== undefined || name.startsWith('last') || STACK.test(receiver.path ?? '');
  return items.at(isLast ? -1 : 0) ?? {};
}

const STACK = /Stack(?:\(\))?$/;

function placeOfNew({ name, args }: MethodCall, length: number): number | undefined {
  const at = args[0]?.value.constant;
  if (args.length === 1) return APPENDS.test(name) ? length : ADDS_FIRST.test(name) ? 0 : undefined;
  const isKnown = args.length === 2 && INSERTS.test(name) && typeof at === 'number' && at >= 0;
  return isKnown && at <= length ? at : undefined;
}

function collectFields(run: AnalysisRun, call: MethodCall, scope: VariableScope): AbstractValue | undefined {
  const { name, receiver, args } = call;
  if (PUTS.test(name) && args.length >= 2) {
    put(run, call, scope);
    return undefined;
  }
  const gone = args.length === 1 && /^(?:remove|Remove|delete)$/.test(name) ? keyOf(args) : undefined;
  if (gone !== undefined && receiver.fields?.has(gone) && !receiver.of) {
    const fields = new Map(receiver.fields);
    fields.delete(gone);
    storeValue(run, call.place, { ...receiver, fields }, scope);
    return receiver.fields.get(gone);
  }
  if (GETS.test(name) && receiver.fields && !receiver.of)
    return fieldAt(
      receiver.fields,
      receiver,
      args.filter((arg) => !arg.puts),
    );
  const fills = FILLS.test(name) && /[A-Z]\w{0,80}\(\)$/.test(receiver.path ?? '');
  if (!fills && !WRITES.test(name)) return undefined;
  const next = write(run, call, scope);
  // A text builder's method returns the builder itself.
  return CHAINED.test(name) && BUILDER.test(receiver.path ?? '') ? next : undefined;
}

function put(run: AnalysisRun, { place, receiver, args }: MethodCall, scope: VariableScope): void {
  const given = args.at(-1)?.value;
  if (!given) return;
  // Setting a parameter of a URL's query cannot change the URL's host.
  const isQuery = place.op === 'member' && place.name === 'searchParams';
  const value = isQuery ? withoutHarms(given, bitsOf(['ssrf', 'redirect'])) : given;
  storeValue(run, place, withField(receiver, keyOf(args.slice(0, -1)), value), scope);
}

function fieldAt(
  fields: ReadonlyMap<string, AbstractValue>,
  receiver: AbstractValue,
  args: readonly EvaluatedArgument[],
): AbstractValue | undefined {
  // In `get('a', 'b')`, `b` is either a key inside `a` or the default value, so both are tried.
  const keys = [keyOf(args), keyOf(args.slice(0, -1))].filter((key) => key !== undefined);
  if (keys.length === 0) {
    const byDefault = args.length > 1 ? args.at(-1)?.value : undefined;
    const isKnown = !byDefault || byDefault.constant !== undefined || byDefault.fixed;
    return isKnown && isOfConstants(receiver) ? { fixed: true, choices: choicesIn(receiver) } : undefined;
  }
  for (const key of keys) {
    const value = fields.get(key);
    if (value) return value;
  }
  if (receiver.taint) return undefined;
  return args.length > 1 ? args.at(-1)?.value : {};
}

const EACH = /^(?:map|array_map|collect|Select|from)$/;

export function evaluateMapCall(run: AnalysisRun, call: EvaluatedCall): AbstractValue | undefined {
  const { name, receiver, args, line } = call;
  if (!EACH.test(name)) return undefined;
  const over = mergeTaints([...(receiver ? [receiver] : []), ...args.map((arg) => arg.value)]);
  for (const { value } of args) {
    if (value.fn) return evaluateElementFunction(run, value.fn, over, line);
    const by = typeof value.constant === 'string' ? value.constant : value.path;
    if (by !== undefined && run.rules.cleaners.matching(by).length > 0) return sanitizeByRule(run, by, over);
  }
  return undefined;
}

function take(run: AnalysisRun, call: MethodCall, items: readonly AbstractValue[], scope: VariableScope) {
  const { name, receiver, args } = call;
  const front = name === 'shift' || name === 'popleft' || name === 'removeFirst' || name === 'poll';
  const given = args[0]?.value.constant;
  if (args.length > 0 && typeof given !== 'number') {
    // The removed element is unknown, so each remaining element is merged with its neighbour.
    const left = items.slice(1).map((item, index) => joinValues(items[index] ?? UNKNOWN_VALUE, item));
    storeValue(run, call.place, { ...receiver, items: left }, scope);
    return elementOf(run, receiver, call.line);
  }
  const at = typeof given === 'number' ? given : front ? 0 : -1;
  const taken = at < 0 ? items.length + at : at;
  storeValue(run, call.place, { ...receiver, items: items.filter((_, index) => index !== taken) }, scope);
  return items.at(at) ?? {};
}

function keyOf(args: readonly EvaluatedArgument[]): string | undefined {
  const keys = args.map((arg) => arg.value.constant);
  return keys.length === 0 || keys.includes(undefined) ? undefined : keys.join('\0');
}

const BUILDER = /(?:StringIO|StringBuilder|StringBuffer|Builder|Buffer|getWriter)\(\)$/;

function write(run: AnalysisRun, call: MethodCall, scope: VariableScope): AbstractValue {
  const { receiver, args } = call;
  let next = receiver;
  for (const { value } of args) {
    const taint = strongerTaint(next.taint, taintOf(value));
    if (taint) next = { ...next, taint };
    if (value.random && !next.random) next = { ...next, random: value.random };
    if (value.fields && next.fields) next = joinValues(next, value);
  }
  // After `parser.load('a.xml')`, the object keeps the file name as its text.
  if (FILLS.test(call.name) && args[0]?.value.text !== undefined)
    next = { ...next, text: args[0].value.text };
  if (BUILDER.test(receiver.path ?? '')) next = writtenText(next, args);
  else if (next.fixed && !args.every(({ value: one }) => isFixed(one))) next = { ...next, fixed: undefined };
  if (next !== receiver) storeValue(run, call.place, next, scope);
  return next;
}

function writtenText(builder: AbstractValue, args: readonly EvaluatedArgument[]): AbstractValue {
  const before = builder.text === undefined ? { constant: '' } : { text: builder.text };
  const { constant, text } = concatenateValues([before, ...args.map((arg) => arg.value)]);
  const seen = typeof constant === 'string' ? constant : text;
  const fixed = builder.fixed && args.every(({ value: one }) => isFixed(one)) ? true : undefined;
  const hasConstant = builder.fixed || args.some((arg) => arg.value.constant !== undefined);
  const built = !fixed && (builder.built || hasConstant) ? true : undefined;
  return { ...builder, built, fixed, text: seen ?? builder.text };
}
