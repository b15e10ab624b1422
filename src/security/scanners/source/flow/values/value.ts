import type { Constant, Expr, Fn } from '../../ir.ts';

/** One step of a data flow; a flow is read from its end. */
export interface FlowStep {
  readonly path: string;
  readonly line: number;
  readonly note: string;
  readonly before?: FlowStep;
  readonly length: number;
}

/**
 * Data from outside: `request` is sent by anyone over the network, `stored` is what a database or a server has, which anyone may
 * have put there, `input` is the user's own (arguments, environment, standard input), `param` is a function's parameter, of which
 * nothing is known.
 */
export const ORIGINS = ['param', 'input', 'stored', 'request'] as const;
export type Origin = (typeof ORIGINS)[number];

/** What is known about data from outside. */
export interface Taint {
  readonly origin: Origin;
  /** Bits of `harm.ts`: the harms that it can no longer do. */
  readonly clean: number;
  readonly flow: FlowStep;
}

/** What a value may be, as far as the file shows. Never changed once made. */
export interface Value {
  readonly constant?: Constant;
  /** What it is called, or what it was made by: `flask.request.args`, `sqlite3.connect().cursor()`. */
  readonly path?: string;
  /** A regular expression that is written here. */
  readonly regex?: { readonly source: string; readonly flags: string };
  readonly taint?: Taint;
  /** It came out of a generator whose output can be predicted. */
  readonly random?: FlowStep;
  readonly items?: readonly Value[];
  readonly fields?: ReadonlyMap<string, Value>;
  readonly fn?: Closure;
  /** Imported data from outside, which each use of its name takes in. */
  readonly incoming?: true;
  /** The class that it is, or an object of. */
  readonly of?: ClassOf;
  /** The class that it was declared as. */
  readonly type?: string;
  /** Where a file of settings says what it is. */
  readonly set?: FlowStep;
  /** Data from outside fills an object of that class. */
  readonly model?: string;
  /** It is in another file, which is read on first use. */
  readonly link?: Linked;
  /** Text of at least one constant part and one part that is not constant. */
  readonly built?: true;
  /** Its constant parts as far as they are seen, with `HOLE` for each of the other parts. */
  readonly text?: string;
  /** One of several constants. */
  readonly fixed?: true;
  /** Marks that calls left on it: `parser.setFeature(external_ges, True)`. */
  readonly marks?: readonly string[];
  /** Variables that it was made of. */
  readonly from?: readonly string[];
}

/** A value while it is put together. */
export type ValueDraft = { -readonly [K in keyof Value]: Value[K] };

/** What a file imports from another file of the program. */
export interface Linked {
  /** What the import itself stands for; undefined for one that only has members. */
  whole(): Value | undefined;
  member(name: string): Value | undefined;
}

/** A file whose code is analysed. */
export interface Home {
  readonly path: string;
}

/** A function and the scope that it was written in. */
export interface Closure {
  readonly home: Home;
  readonly fn: Fn;
  readonly scope: Scope;
  readonly receiver?: Value;
  /** The same method of other classes that are written for one interface: any of them may be meant. */
  readonly others?: readonly Closure[];
  /** Functions of the same name with other parameters. */
  readonly also?: readonly Fn[];
}

/** Methods, or a block, that are run before the actions of a controller. */
export interface Before {
  readonly names: readonly string[];
  readonly block?: Closure;
  /** Actions by name; all where both are left out. */
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[] | undefined;
}

/** A class as its body shows it. */
export interface ClassOf {
  readonly home: Home;
  readonly name: string;
  readonly bases: readonly string[];
  readonly faces: readonly string[];
  /** That of its body: names of other classes mean what they mean there. */
  readonly scope: Scope;
  /** Methods and fields are called by their names alone. */
  readonly bare: boolean;
  readonly methods: Map<string, Closure>;
  /** What is run before its actions. */
  befores?: readonly Before[] | undefined;
  /** An object of it, as its constructor leaves it whatever it is given; made on first use. */
  object?: Value;
}

/** Variables of a function, or what a branch of it changed: joining branches costs only what they changed. */
export interface Scope {
  readonly values: Map<string, Value>;
  readonly parent: Scope | undefined;
  /** The statements that follow are not reached. */
  ended: boolean;
  /** The class whose body this is. */
  of?: ClassOf;
}

export const UNKNOWN: Value = {};
/** Stands in `text` for a part that is not constant. */
export const HOLE = '\0';
/** Of longer collections only what all elements have in common is known. */
export const MAX_COLLECTION_ITEMS = 64;
const MAX_FLOW_STEPS = 40;
/** Variables that a value remembers it was made of. */
const MAX_FROM_NAMES = 8;
/** Operations that `rootsOf` follows through. */
const MAX_ROOT_DEPTH = 20;

/** The stronger of two: first by origin, then the one with fewer harms ruled out. */
export function stronger(a: Taint | undefined, b: Taint | undefined): Taint | undefined {
  if (!a || !b) return a ?? b;
  const [first, second] = [ORIGINS.indexOf(a.origin), ORIGINS.indexOf(b.origin)];
  if (first !== second) return first > second ? a : b;
  const clean = a.clean & b.clean;
  if (clean === a.clean) return a;
  return clean === b.clean ? b : { ...a, clean };
}

/** All data from outside in a value: its own, and that of what it holds. */
export function taintOf(value: Value, depth = 3): Taint | undefined {
  let taint = value.taint;
  if (depth === 0) return taint;
  for (const item of value.items ?? []) taint = stronger(taint, taintOf(item, depth - 1));
  for (const item of value.fields?.values() ?? []) taint = stronger(taint, taintOf(item, depth - 1));
  return taint;
}

/** What is said of a time, as a number and in a text. */
export const TIME = 'the time can be guessed';
export const TIME_AS_TEXT = 'a text made of the time can be guessed';

/** Whether it is the time, and no generator. */
export function isClock({ note }: FlowStep): boolean {
  return note === TIME || note === TIME_AS_TEXT;
}

/** Predictable randomness in a value or in its items. */
export function randomOf(value: Value): FlowStep | undefined {
  if (value.random) return value.random;
  for (const item of value.items ?? []) if (item.random) return item.random;
  return undefined;
}

/** What several values carry together, without their positions. */
export function mixed(values: readonly Value[]): Value {
  let out: Value = UNKNOWN;
  for (const value of values) {
    const taint = stronger(out.taint, taintOf(value));
    const random = out.random ?? value.random;
    out = { taint, random };
  }
  return out;
}

/** What holds of a value that is one or the other. */
export function join(a: Value, b: Value, depth = 3): Value {
  if (a === b) return a;
  const out: ValueDraft = {};
  joinConstants(out, a, b);
  const path = a.path ?? b.path;
  // One without a path (null, most often) leaves the other's path as it is.
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
  // One side is empty or no collection: the other side's content is what can be there.
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

/** The taint with one more step of its flow; a flow's length is bounded. */
export function addStep(taint: Taint, { path }: Home, line: number, note: string): Taint {
  const { flow } = taint;
  if (flow.length >= MAX_FLOW_STEPS || (flow.line === line && flow.note === note)) return taint;
  return { ...taint, flow: { path, line, note, before: flow, length: flow.length + 1 } };
}

/** The value, of which these harms are ruled out. */
export function withoutHarms(value: Value, bits: number): Value {
  if (!value.taint || bits === 0) return value;
  return { ...value, taint: { ...value.taint, clean: value.taint.clean | bits } };
}

/** Names of variables whose value an expression carries through text operations alone. */
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

/** The part of an expression whose value the whole carries. */
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
