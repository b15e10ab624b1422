import type { Constant, Expr, Fn } from '../../ir.ts';

/** One step of a data flow. `before` links to the previous step, so a flow is read from its end. */
export interface FlowStep {
  readonly path: string;
  readonly line: number;
  readonly note: string;
  readonly before?: FlowStep;
  readonly length: number;
}

/** Origins of data, weakest first: a parameter of unknown callers, the user's own input, stored data, any request. */
export const ORIGINS = ['param', 'input', 'stored', 'request'] as const;
export type Origin = (typeof ORIGINS)[number];

export interface Taint {
  readonly origin: Origin;
  /** Bits of the harms (`harm.ts`) that the data can no longer do. */
  readonly clean: number;
  readonly flow: FlowStep;
}

/** What the analysis knows of a value. Objects of this type never change after creation. */
export interface Value {
  readonly constant?: Constant;
  /** Name of the value, or of the call that created it: `flask.request.args`, `sqlite3.connect().cursor()`. */
  readonly path?: string;
  readonly regex?: { readonly source: string; readonly flags: string };
  readonly taint?: Taint;
  /** The flow step at which a predictable generator made the value. */
  readonly random?: FlowStep;
  readonly items?: readonly Value[];
  readonly fields?: ReadonlyMap<string, Value>;
  readonly fn?: Closure;
  /** True for imported data from outside: each use of the name becomes a source. */
  readonly incoming?: true;
  readonly of?: ClassOf;
  readonly type?: string;
  /** The flow step at which a settings file defines the value. */
  readonly set?: FlowStep;
  /** Name of the class whose object is filled with data from outside. */
  readonly model?: string;
  /** Value from another file, which is analysed on first use. */
  readonly link?: Linked;
  /** True for text with at least one constant part and at least one unknown part. */
  readonly built?: true;
  /** Constant parts of the text as far as known, with a NUL character (`\0`) in place of each unknown part. */
  readonly text?: string;
  readonly fixed?: true;
  /** Marks that calls left on the object: `parser.setFeature(external_ges, True)`. */
  readonly marks?: readonly string[];
  readonly from?: readonly string[];
}

export type ValueDraft = { -readonly [K in keyof Value]: Value[K] };

export interface Linked {
  /** Returns the value of the import itself; undefined if the import only has members. */
  whole(): Value | undefined;
  member(name: string): Value | undefined;
}

export interface Home {
  readonly path: string;
}

export interface Closure {
  readonly home: Home;
  readonly fn: Fn;
  readonly scope: Scope;
  readonly receiver?: Value;
  /** The methods of other classes that implement the same interface: a call may mean any of them. */
  readonly others?: readonly Closure[];
  readonly also?: readonly Fn[];
}

/** Methods or a block that a controller runs before its actions (Rails). */
export interface Before {
  readonly names: readonly string[];
  readonly block?: Closure;
  /** Names of the actions; without `only` and `except`, all actions. */
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[] | undefined;
}

export interface ClassOf {
  readonly home: Home;
  readonly name: string;
  readonly bases: readonly string[];
  readonly faces: readonly string[];
  /** Scope of the class body, in which the names of its base classes are looked up. */
  readonly scope: Scope;
  /** True if methods and fields may be used by name alone. */
  readonly bare: boolean;
  readonly methods: Map<string, Closure>;
  befores?: readonly Before[] | undefined;
  /** An object of the class after its constructor ran with unknown arguments; created on first use. */
  object?: Value;
}

/** Variables of a function, or only those that a branch changed, so that joining branches is cheap. */
export interface Scope {
  readonly values: Map<string, Value>;
  readonly parent: Scope | undefined;
  /** True after a `return`, `throw` or `break`: later statements are unreachable. */
  ended: boolean;
  of?: ClassOf;
}

export const UNKNOWN: Value = {};
export const HOLE = '\0';
/** Maximum number of elements that are tracked one by one; of larger collections only the joined taint is kept. */
export const MAX_COLLECTION_ITEMS = 64;
const MAX_FLOW_STEPS = 40;
const MAX_FROM_NAMES = 8;
const MAX_ROOT_DEPTH = 20;

/** Returns the more dangerous of two taints: by origin first, then the one with fewer harms ruled out. */
export function stronger(a: Taint | undefined, b: Taint | undefined): Taint | undefined {
  if (!a || !b) return a ?? b;
  const [first, second] = [ORIGINS.indexOf(a.origin), ORIGINS.indexOf(b.origin)];
  if (first !== second) return first > second ? a : b;
  const clean = a.clean & b.clean;
  if (clean === a.clean) return a;
  return clean === b.clean ? b : { ...a, clean };
}

export function taintOf(value: Value, depth = 3): Taint | undefined {
  let taint = value.taint;
  if (depth === 0) return taint;
  for (const item of value.items ?? []) taint = stronger(taint, taintOf(item, depth - 1));
  for (const item of value.fields?.values() ?? []) taint = stronger(taint, taintOf(item, depth - 1));
  return taint;
}

/** Flow notes for a time, as a number and as a text. */
export const TIME = 'the time can be guessed';
export const TIME_AS_TEXT = 'a text made of the time can be guessed';

export function isClock({ note }: FlowStep): boolean {
  return note === TIME || note === TIME_AS_TEXT;
}

export function randomOf(value: Value): FlowStep | undefined {
  if (value.random) return value.random;
  for (const item of value.items ?? []) if (item.random) return item.random;
  return undefined;
}

export function mixed(values: readonly Value[]): Value {
  let out: Value = UNKNOWN;
  for (const value of values) {
    const taint = stronger(out.taint, taintOf(value));
    const random = out.random ?? value.random;
    out = { taint, random };
  }
  return out;
}

export function join(a: Value, b: Value, depth = 3): Value {
  if (a === b) return a;
  const out: ValueDraft = {};
  joinConstants(out, a, b);
  const path = a.path ?? b.path;
  // A value without a path is mostly null, so the other's path is kept.
  if (path !== undefined && (a.path === b.path || a.path === undefined || b.path === undefined))
    out.path = path;
  const taint = stronger(a.taint, b.taint);
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

function joinClass(out: ValueDraft, a: Value, b: Value): void {
  const of = a.of ?? b.of;
  if (of && (a.of === b.of || !a.of || !b.of)) out.of = of;
  const type = a.type ?? b.type;
  if (type !== undefined) out.type = type;
}

function joinConstants(out: ValueDraft, a: Value, b: Value): void {
  if (a.constant !== undefined && a.constant === b.constant) out.constant = a.constant;
  else if (isFixed(a) && isFixed(b)) out.fixed = true;
}

function isFixed(value: Value): boolean {
  return value.fixed === true || value.constant !== undefined;
}

function joinText(out: ValueDraft, a: Value, b: Value): void {
  if (a.built || b.built) out.built = true;
  const text = (a.taint ? a.text : undefined) ?? b.text ?? a.text;
  if (text !== undefined) out.text = text;
}

function joinHeld(out: ValueDraft, a: Value, b: Value, depth: number): void {
  if (depth > 0) {
    if (a.items && b.items && a.items.length === b.items.length) {
      out.items = joinItems(a.items, b.items, depth);
      return;
    }
    if (a.fields && b.fields && a.fields.size + b.fields.size <= MAX_COLLECTION_ITEMS) {
      out.fields = joinFields(a.fields, b.fields, depth);
      return;
    }
  }
  // If one side is empty or no collection, the result can only hold the other side's content.
  if (isEmpty(a) && isCollection(b)) takeHeld(out, b);
  else if (isEmpty(b) && isCollection(a)) takeHeld(out, a);
  else {
    const held = stronger(taintOf(a), taintOf(b));
    if (held) out.taint = stronger(out.taint, held);
  }
}

function joinItems(a: readonly Value[], b: readonly Value[], depth: number): Value[] {
  return a.map((item, at) => join(item, b[at] ?? UNKNOWN, depth - 1));
}

function joinFields(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  depth: number,
): Map<string, Value> {
  const fields = new Map(a);
  for (const [key, value] of b) {
    const own = a.get(key);
    fields.set(key, own ? join(own, value, depth - 1) : value);
  }
  return fields;
}

function isEmpty(value: Value): boolean {
  return !value.items?.length && !value.fields?.size;
}

function isCollection(value: Value): boolean {
  return value.items !== undefined || value.fields !== undefined;
}

function takeHeld(out: ValueDraft, value: Value): void {
  if (value.items) out.items = value.items;
  if (value.fields) out.fields = value.fields;
}

export function addStep(taint: Taint, { path }: Home, line: number, note: string): Taint {
  const { flow } = taint;
  if (flow.length >= MAX_FLOW_STEPS || (flow.line === line && flow.note === note)) return taint;
  return { ...taint, flow: { path, line, note, before: flow, length: flow.length + 1 } };
}

export function withoutHarms(value: Value, bits: number): Value {
  if (!value.taint || bits === 0) return value;
  return { ...value, taint: { ...value.taint, clean: value.taint.clean | bits } };
}

/** Returns the variables whose value passes into the expression unchanged or through text operations only. */
export function rootsOf(expr: Expr): string[] {
  let at: Expr | undefined = expr;
  for (let depth = 0; at && depth < MAX_ROOT_DEPTH; depth++) {
    if (at.op === 'name') return [at.name];
    if (at.op === 'member' && at.object.op === 'name' && /^(?:this|self)$/.test(at.object.name)) {
      return [`${at.object.name}.${at.name}`];
    }
    at = carrierOf(at);
  }
  return [];
}

function carrierOf(expr: Expr): Expr | undefined {
  switch (expr.op) {
    case 'member':
    case 'index':
      return expr.object;
    case 'assign':
      return expr.target;
    case 'call': {
      const first = expr.args[0]?.value;
      return expr.callee.op === 'member' && first?.op !== 'name' ? expr.callee.object : first;
    }
    default:
      return undefined;
  }
}
