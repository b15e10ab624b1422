import type { DataFlowStep } from '../../../../findings/finding.ts';
import type { Constant, Expr, FunctionNode } from '../../ir.ts';

export interface FlowStep extends DataFlowStep {
  readonly before?: FlowStep;
  readonly length: number;
}

/** Origins of data, weakest first: a parameter from unknown callers, the program's user, stored data, a request. */
export const TAINT_ORIGINS = ['param', 'input', 'stored', 'request'] as const;
export type TaintOrigin = (typeof TAINT_ORIGINS)[number];

export interface Taint {
  readonly origin: TaintOrigin;
  /** Bits (see `harm.ts`) of the kinds of harm that a check or an escape prevents. */
  readonly clean: number;
  readonly flow: FlowStep;
  readonly more?: readonly Taint[];
}

export interface AbstractValue {
  readonly constant?: Constant;
  readonly choices?: readonly Constant[];
  readonly path?: string;
  readonly regex?: { readonly source: string; readonly flags: string };
  readonly taint?: Taint;
  readonly random?: FlowStep;
  readonly items?: readonly AbstractValue[];
  readonly fields?: ReadonlyMap<string, AbstractValue>;
  readonly fn?: Closure;
  /** True for an imported name that is untrusted input (Flask's `request`). Its flow starts at each use. */
  readonly incoming?: true;
  readonly of?: ClassInfo;
  readonly type?: string;
  readonly set?: FlowStep;
  readonly model?: string;
  readonly link?: LinkedImport;
  readonly built?: true;
  /** Constant parts of the text. A NUL character (`\0`) replaces each unknown part. */
  readonly text?: string;
  readonly fixed?: true;
  /** Marks that calls set on the object. `parser.setFeature(..)` may set `hardened`, for example. */
  readonly marks?: readonly string[];
  readonly from?: readonly string[];
  /** Condition whose result the variable holds, for example `allowed.includes(name)`. */
  readonly test?: Expr;
}

export type AbstractValueDraft = { -readonly [K in keyof AbstractValue]: AbstractValue[K] };

export interface LinkedImport {
  /** Returns the import's own value, or undefined if only its members have values, as for a Go package. */
  whole(): AbstractValue | undefined;
  member(name: string): AbstractValue | undefined;
}

export interface AnalysedFile {
  readonly path: string;
}

export interface Closure {
  readonly home: AnalysedFile;
  readonly fn: FunctionNode;
  readonly scope: VariableScope;
  readonly receiver?: AbstractValue;
  readonly others?: readonly Closure[];
  readonly also?: readonly FunctionNode[];
}

export interface RailsBeforeAction {
  readonly names: readonly string[];
  readonly block?: Closure;
  /** Methods before which the callback runs. If undefined, it runs before all except those in `except`. */
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[] | undefined;
}

export interface ClassInfo {
  readonly home: AnalysedFile;
  readonly name: string;
  readonly bases: readonly string[];
  readonly faces: readonly string[];
  readonly scope: VariableScope;
  readonly bare: boolean;
  readonly methods: Map<string, Closure>;
  befores?: readonly RailsBeforeAction[] | undefined;
  /** Object that the constructor creates for unknown arguments. It is created on first use. */
  object?: AbstractValue;
}

export interface VariableScope {
  readonly values: Map<string, AbstractValue>;
  readonly parent: VariableScope | undefined;
  ended: boolean;
  of?: ClassInfo;
}

export const UNKNOWN_VALUE: AbstractValue = {};
export const UNKNOWN_PART = '\0';
/** Maximum number of elements that are tracked one by one. A larger collection has only one merged taint. */
export const MAX_TRACKED_ELEMENTS = 64;
export const MAX_CHOICES = 8;
const MAX_FLOW_STEPS = 40;
const MAX_FROM_NAMES = 8;
const MAX_ROOT_DEPTH = 20;

/** Returns the taint with the stronger origin. If the origins are equal, keeps only common protections. */
export function strongerTaint(a: Taint | undefined, b: Taint | undefined): Taint | undefined {
  if (!a || !b) return a ?? b;
  const [first, second] = [TAINT_ORIGINS.indexOf(a.origin), TAINT_ORIGINS.indexOf(b.origin)];
  const more = a.more ?? b.more;
  const clean = first === second ? a.clean & b.clean : first > second ? a.clean : b.clean;
  const stronger =
    first === second ? (clean !== a.clean && clean === b.clean ? b : a) : first > second ? a : b;
  return clean === stronger.clean && more === stronger.more ? stronger : { ...stronger, clean, more };
}

export function taintOf(value: AbstractValue, depth = 3): Taint | undefined {
  let taint = value.taint;
  if (depth === 0) return taint;
  for (const item of value.items ?? []) taint = strongerTaint(taint, taintOf(item, depth - 1));
  for (const item of value.fields?.values() ?? []) taint = strongerTaint(taint, taintOf(item, depth - 1));
  return taint;
}

export const GUESSABLE_TIME_NOTE = 'the time can be guessed';
export const GUESSABLE_TIME_TEXT_NOTE = 'a text made of the time can be guessed';

export const isFromClock = ({ note }: FlowStep): boolean =>
  note === GUESSABLE_TIME_NOTE || note === GUESSABLE_TIME_TEXT_NOTE;

export function findPredictableRandomness(value: AbstractValue): FlowStep | undefined {
  if (value.random) return value.random;
  for (const item of value.items ?? []) if (item.random) return item.random;
  return undefined;
}

export function mergeTaints(values: readonly AbstractValue[]): AbstractValue {
  let out: AbstractValue = UNKNOWN_VALUE;
  for (const value of values) {
    const taint = strongerTaint(out.taint, taintOf(value));
    const random = out.random ?? value.random;
    out = { taint, random };
  }
  return out;
}

export function joinValues(a: AbstractValue, b: AbstractValue, depth = 3): AbstractValue {
  if (a === b) return a;
  const out: AbstractValueDraft = {};
  joinConstants(out, a, b);
  const path = a.path ?? b.path;
  // A value without a path is usually null, so the path of the other value is kept.
  if (path !== undefined && (a.path === b.path || a.path === undefined || b.path === undefined))
    out.path = path;
  const taint = strongerTaint(a.taint, b.taint);
  if (taint) out.taint = taint;
  const random = a.random ?? b.random;
  if (random) out.random = random;
  const fn = a.fn ?? b.fn;
  if (fn) out.fn = fn;
  joinClass(out, a, b);
  joinText(out, a, b);
  if (a.marks || b.marks) out.marks = union(a.marks, b.marks);
  if (a.from || b.from) out.from = union(a.from, b.from).slice(0, MAX_FROM_NAMES);
  if (a.items || b.items || a.fields || b.fields) joinHeld(out, a, b, depth);
  return out;
}

function union(a: readonly string[] | undefined, b: readonly string[] | undefined): string[] {
  return [...new Set([...(a ?? []), ...(b ?? [])])];
}

function joinClass(out: AbstractValueDraft, a: AbstractValue, b: AbstractValue): void {
  const of = a.of ?? b.of;
  if (of && (a.of === b.of || !a.of || !b.of)) out.of = of;
  const type = a.type ?? b.type;
  if (type !== undefined) out.type = type;
}

function joinConstants(out: AbstractValueDraft, a: AbstractValue, b: AbstractValue): void {
  if (a.constant !== undefined && a.constant === b.constant) out.constant = a.constant;
  else if (isFixed(a) && isFixed(b)) {
    out.fixed = true;
    const [own, other] = [choicesOf(a), choicesOf(b)];
    const all = own && other && [...new Set([...own, ...other])];
    if (all && all.length <= MAX_CHOICES) out.choices = all;
  }
}

export const choicesOf = ({ constant, choices }: AbstractValue): readonly Constant[] | undefined =>
  constant === undefined ? choices : [constant];

export function isOfConstants({ items, fields, taint }: AbstractValue): boolean {
  const held = items ?? (fields && [...fields.values()]);
  return (
    !taint && held !== undefined && held.length > 0 && held.every(({ constant }) => constant !== undefined)
  );
}

export function choicesIn(value: AbstractValue): readonly Constant[] | undefined {
  const held = [...(value.items ?? []), ...(value.fields?.values() ?? [])];
  const all = [...new Set(held.flatMap((one) => one.constant ?? []))];
  return all.length > 0 && all.length <= MAX_CHOICES && isOfConstants(value) ? all : undefined;
}

export const isFixed = (value: AbstractValue): boolean =>
  value.fixed === true || value.constant !== undefined;

function joinText(out: AbstractValueDraft, a: AbstractValue, b: AbstractValue): void {
  if (a.built || b.built) out.built = true;
  const text = (a.taint ? a.text : undefined) ?? b.text ?? a.text;
  if (text !== undefined) out.text = text;
}

function joinHeld(out: AbstractValueDraft, a: AbstractValue, b: AbstractValue, depth: number): void {
  if (depth > 0) {
    if (a.items && b.items && a.items.length === b.items.length) {
      out.items = joinItems(a.items, b.items, depth);
      return;
    }
    if (a.fields && b.fields && a.fields.size + b.fields.size <= MAX_TRACKED_ELEMENTS) {
      out.fields = joinFields(a.fields, b.fields, depth);
      return;
    }
  }
  // An empty collection adds nothing, so the result has the content of the other collection.
  if (isEmpty(a) && isCollection(b)) takeHeld(out, b);
  else if (isEmpty(b) && isCollection(a)) takeHeld(out, a);
  else if (isOfConstants(a) && isOfConstants(b)) out.fixed = true;
  else {
    const held = strongerTaint(taintOf(a), taintOf(b));
    if (held) out.taint = strongerTaint(out.taint, held);
  }
}

function joinItems(a: readonly AbstractValue[], b: readonly AbstractValue[], depth: number): AbstractValue[] {
  return a.map((item, at) => joinValues(item, b[at] ?? UNKNOWN_VALUE, depth - 1));
}

function joinFields(
  a: ReadonlyMap<string, AbstractValue>,
  b: ReadonlyMap<string, AbstractValue>,
  depth: number,
): Map<string, AbstractValue> {
  const fields = new Map(a);
  for (const [key, value] of b) {
    const own = a.get(key);
    fields.set(key, own ? joinValues(own, value, depth - 1) : value);
  }
  return fields;
}

const isEmpty = (value: AbstractValue): boolean => !value.items?.length && !value.fields?.size;

const isCollection = (value: AbstractValue): boolean =>
  value.items !== undefined || value.fields !== undefined;

function takeHeld(out: AbstractValueDraft, value: AbstractValue): void {
  if (value.items) out.items = value.items;
  if (value.fields) out.fields = value.fields;
}

export function addStep(taint: Taint, { path }: AnalysedFile, line: number, note: string): Taint {
  const { flow } = taint;
  if (flow.length >= MAX_FLOW_STEPS || (flow.line === line && flow.note === note)) return taint;
  return { ...taint, flow: { path, line, note, before: flow, length: flow.length + 1 } };
}

export function withoutHarms(value: AbstractValue, harmBits: number): AbstractValue {
  if (!value.taint || harmBits === 0) return value;
  return { ...value, taint: cleanedTaint(value.taint, harmBits) };
}

function cleanedTaint(taint: Taint, harmBits: number): Taint {
  const more = taint.more?.map((one) => cleanedTaint(one, harmBits));
  return { ...taint, clean: taint.clean | harmBits, ...(more && { more }) };
}

export function findRootVariables(expr: Expr): string[] {
  let at: Expr | undefined = expr;
  for (let depth = 0; at && depth < MAX_ROOT_DEPTH; depth++) {
    if (at.op === 'name') return [at.name];
    if (at.op === 'member' && at.object.op === 'name' && /^(?:this|self)$/.test(at.object.name)) {
      return [`${at.object.name}.${at.name}`];
    }
    at = originExpression(at);
  }
  return [];
}

/** Returns a key such as `a.get("x")` for a call with constant arguments. Equal calls have the same key. */
export function repeatableCallKey(expr: Expr, depth = 6): string | undefined {
  if (depth === 0) return undefined;
  if (expr.op === 'name') return expr.name;
  if (expr.op === 'member') {
    const object = repeatableCallKey(expr.object, depth - 1);
    return object === undefined ? undefined : `${object}.${expr.name}`;
  }
  if (expr.op !== 'call' || expr.makes) return undefined;
  const callee = repeatableCallKey(expr.callee, depth - 1);
  const isPlain = expr.args.every(({ value }) => value.op === 'constant' || CONSTANT.test(nameIn(value)));
  const given = expr.args.map(({ value }) =>
    value.op === 'constant' ? JSON.stringify(value.value) : nameIn(value),
  );
  return callee === undefined || !isPlain ? undefined : `${callee}(${given.join()})`;
}

const CONSTANT = /^[A-Z][A-Z_\d]{1,60}$/;

const nameIn = (expr: Expr): string => (expr.op === 'name' ? expr.name : '');

const RELATES = /^(?:relative|relativize|Rel|GetRelativePath)$/;

/** Returns the expression from which a value comes: `a` for `a.b`, and `x` for `parse(x)`. */
export function originExpression(expr: Expr): Expr | undefined {
  switch (expr.op) {
    case 'member':
    case 'index':
      return expr.object;
    case 'assign':
      return expr.target;
    case 'call': {
      const first = expr.args[0]?.value;
      if (expr.callee.op === 'member' && RELATES.test(expr.callee.name)) return expr.args.at(-1)?.value;
      return expr.callee.op === 'member' && first?.op !== 'name' ? expr.callee.object : first;
    }
    default:
      return undefined;
  }
}
