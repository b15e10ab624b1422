import type { Constant, Expr, Fn } from '../ir.ts';
import type { Scope } from './scope.ts';

/** A step on data's way; the way is read from the end. */
export interface Way {
  readonly line: number;
  readonly note: string;
  readonly before?: Way;
  readonly length: number;
}

/**
 * Data from outside: `request` is anybody's over the network, `input` the user's own (arguments, environment, standard
 * input), `param` a function's parameter, of which nothing is known.
 */
export const ORIGINS = ['param', 'input', 'request'] as const;
export type Origin = (typeof ORIGINS)[number];

/** What is known about data that is not ours. */
export interface Taint {
  readonly origin: Origin;
  /** Bits of `harm.ts`: what it can no longer do. */
  readonly clean: number;
  readonly way: Way;
}

/** What a value may be, as far as the file tells. Never changed once made. */
export interface Value {
  readonly constant?: Constant;
  /** What it is called, or what it was made by: `flask.request.args`, `sqlite3.connect().cursor()`. */
  readonly path?: string;
  readonly taint?: Taint;
  /** Came out of a generator that can be foretold. */
  readonly random?: Way;
  readonly items?: readonly Value[];
  readonly fields?: ReadonlyMap<string, Value>;
  readonly fn?: Closure;
  /** Text of at least one constant part and one that is not. */
  readonly built?: true;
  /** Its constant parts as far as they are seen, with `HOLE` for each of the others. */
  readonly text?: string;
  /** One of several constants. */
  readonly fixed?: true;
  /** What calls said of it: `parser.setFeature(external_ges, True)`. */
  readonly marks?: readonly string[];
  /** Variables that it was made of. */
  readonly from?: readonly string[];
}

/** A function and where it was written. */
export interface Closure {
  readonly fn: Fn;
  readonly scope: Scope;
  readonly receiver?: Value;
}

export const UNKNOWN: Value = {};
/** Stands in `text` for what is not a constant. */
export const HOLE = '\0';
/** Collections longer than this are known as a whole only. */
export const LARGEST = 64;

/** The stronger of two: from further out first, then the less clean. */
export function stronger(a: Taint | undefined, b: Taint | undefined): Taint | undefined {
  if (!a || !b) return a ?? b;
  const [first, second] = [ORIGINS.indexOf(a.origin), ORIGINS.indexOf(b.origin)];
  if (first !== second) {
    // A stronger one that was made harmless must not hide a weaker one altogether: the bits of both count.
    return first > second ? a : b;
  }
  const clean = a.clean & b.clean;
  if (clean === a.clean) return a;
  return clean === b.clean ? b : { ...a, clean };
}

/** All data in a value: its own, and that of what it holds. */
export function taintOf(value: Value, depth = 3): Taint | undefined {
  let taint = value.taint;
  if (depth === 0) return taint;
  for (const item of value.items ?? []) taint = stronger(taint, taintOf(item, depth - 1));
  for (const item of value.fields?.values() ?? []) taint = stronger(taint, taintOf(item, depth - 1));
  return taint;
}

/** Foreseeable randomness in a value or in what it holds. */
export function randomOf(value: Value): Way | undefined {
  if (value.random) return value.random;
  for (const item of value.items ?? []) if (item.random) return item.random;
  return undefined;
}

/** What holds of a value that is one or the other. */
export function join(a: Value, b: Value, depth = 3): Value {
  if (a === b) return a;
  const out: { -readonly [K in keyof Value]: Value[K] } = {};
  if (a.constant !== undefined && a.constant === b.constant) out.constant = a.constant;
  else if ((a.fixed || a.constant !== undefined) && (b.fixed || b.constant !== undefined)) out.fixed = true;
  const path = a.path ?? b.path;
  // One that is a constant (null, most often) leaves the other's name standing.
  if (path !== undefined && (a.path === b.path || a.path === undefined || b.path === undefined))
    out.path = path;
  const taint = stronger(a.taint, b.taint);
  if (taint) out.taint = taint;
  const random = a.random ?? b.random;
  if (random) out.random = random;
  const fn = a.fn ?? b.fn;
  if (fn) out.fn = fn;
  if (a.built || b.built) out.built = true;
  const text = (a.taint ? a.text : undefined) ?? b.text ?? a.text;
  if (text !== undefined) out.text = text;
  if (a.marks || b.marks) out.marks = [...new Set([...(a.marks ?? []), ...(b.marks ?? [])])];
  if (a.from || b.from) out.from = [...new Set([...(a.from ?? []), ...(b.from ?? [])])].slice(0, 8);
  if (a.items || b.items || a.fields || b.fields) joinHeld(out, a, b, depth);
  return out;
}

function joinHeld(out: { -readonly [K in keyof Value]: Value[K] }, a: Value, b: Value, depth: number): void {
  if (depth > 0 && a.items && b.items && a.items.length === b.items.length) {
    const other = b.items;
    out.items = a.items.map((item, at) => join(item, other[at] ?? UNKNOWN, depth - 1));
    return;
  }
  if (depth > 0 && a.fields && b.fields && a.fields.size + b.fields.size <= LARGEST) {
    const fields = new Map(a.fields);
    for (const [key, value] of b.fields) {
      const mine = a.fields.get(key);
      fields.set(key, mine ? join(mine, value, depth - 1) : value);
    }
    out.fields = fields;
    return;
  }
  // Empty or absent on one side: the other side's content is what can be there.
  const held = taintOf(a) ?? taintOf(b);
  if (!a.items?.length && !a.fields?.size && (b.items || b.fields)) {
    if (b.items) out.items = b.items;
    if (b.fields) out.fields = b.fields;
  } else if (!b.items?.length && !b.fields?.size && (a.items || a.fields)) {
    if (a.items) out.items = a.items;
    if (a.fields) out.fields = a.fields;
  } else if (held) out.taint = stronger(out.taint, held) ?? held;
}

/** One step more on the way; a way's length is bounded. */
export function further(taint: Taint, line: number, note: string): Taint {
  const { way } = taint;
  if (way.length >= 40 || (way.line === line && way.note === note)) return taint;
  return { ...taint, way: { line, note, before: way, length: way.length + 1 } };
}

/** Names of variables in an expression that carry its value through text operations alone. */
export function rootsOf(expr: Expr): string[] {
  let at: Expr | undefined = expr;
  for (let guard = 0; at && guard < 20; guard++) {
    if (at.op === 'name') return [at.name];
    if (at.op === 'member') {
      if (at.object.op === 'name' && (at.object.name === 'this' || at.object.name === 'self')) {
        return [`${at.object.name}.${at.name}`];
      }
      at = at.object;
    } else if (at.op === 'index') at = at.object;
    else if (at.op === 'call') {
      const first: Expr | undefined = at.args[0]?.value;
      at = at.callee.op === 'member' && first?.op !== 'name' ? at.callee.object : first;
    } else if (at.op === 'assign') at = at.target;
    else return [];
  }
  return [];
}
