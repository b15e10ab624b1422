import { type Lines, linesOf } from '../../../lines.ts';
import { Broken } from '../locked.ts';

export type Json = string | number | boolean | null | JsonObject | JsonArray;
/** Members in a Map, so that no name is special; `at` is where it begins. */
export interface JsonObject {
  readonly at: number;
  readonly members: ReadonlyMap<string, Json>;
}
export interface JsonArray {
  readonly at: number;
  readonly items: readonly Json[];
}

const DEPTH = 200;
/** Most values of one file: what they take in memory. */
const VALUES = 5_000_000;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * JSON with the places of its values, which `JSON.parse` does not tell; comments and commas before an end are taken,
 * as bun writes them. Linear. `Broken` names the line of what is no JSON.
 */
export function parseJson(text: string): { readonly root: Json; readonly lines: Lines } {
  const lines = linesOf(text);
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let values = 0;
  const broken = (what: string) => new Broken(`it is no JSON: line ${lines.lineAt(at)} ${what}`);

  function space(): void {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 32 || code === 10 || code === 13 || code === 9) at++;
      else if (code === 47 && (text[at + 1] === '/' || text[at + 1] === '*')) {
        const [mark, skip] = text[at + 1] === '/' ? ['\n', 1] : ['*/', 2];
        const end = text.indexOf(mark, at + 2);
        at = end < 0 ? text.length : end + skip;
      } else return;
    }
  }

  function word(): string {
    const start = ++at;
    let plain = true;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 34) break;
      if (Number.isNaN(code) || code === 10) throw broken('has a text without an end');
      if (code === 92) {
        plain = false;
        at++;
      }
    }
    const inner = text.slice(start, at++);
    if (plain) return inner;
    try {
      return String(JSON.parse(`"${inner}"`));
    } catch {
      throw broken('has a text with an escape that JSON does not know');
    }
  }

  function value(depth: number): Json {
    if (++values > VALUES) throw new Broken(`it has over ${VALUES} values`);
    if (depth > DEPTH) throw broken(`is nested over ${DEPTH} deep`);
    space();
    const start = at;
    const first = text[at];
    if (first === '"') return word();
    if (first === '{' || first === '[') {
      at++;
      return first === '{' ? object(start, depth) : array(start, depth);
    }
    while (at < text.length && /[\w.+-]/.test(text[at] ?? '')) at++;
    const bare = text.slice(start, at);
    const known = WORDS.get(bare);
    if (known !== undefined) return known;
    const number = Number(bare);
    if (bare === '' || Number.isNaN(number)) throw broken('has something that is no value');
    return number;
  }

  function object(start: number, depth: number): JsonObject {
    const members = new Map<string, Json>();
    for (;;) {
      space();
      if (text[at] === '}') break;
      if (text[at] !== '"') throw broken('lacks a name in quotes');
      const name = word();
      space();
      if (text[at++] !== ':') throw broken('lacks a colon');
      members.set(name, value(depth + 1));
      space();
      if (text[at] === ',') at++;
      else if (text[at] !== '}') throw broken('lacks a comma');
    }
    at++;
    return { at: start, members };
  }

  function array(start: number, depth: number): JsonArray {
    const items: Json[] = [];
    for (;;) {
      space();
      if (text[at] === ']') break;
      items.push(value(depth + 1));
      space();
      if (text[at] === ',') at++;
      else if (text[at] !== ']') throw broken('lacks a comma');
    }
    at++;
    return { at: start, items };
  }

  const root = value(0);
  space();
  if (at < text.length) throw broken('goes on after its end');
  return { root, lines };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && 'members' in value;
}

/** A member that is an object; an empty one otherwise. */
export function objectIn(value: Json | undefined, name: string): JsonObject {
  const member = isObject(value) ? value.members.get(name) : undefined;
  return isObject(member) ? member : { at: 0, members: new Map() };
}

/** A member that is a text. */
export function textIn(value: Json | undefined, name: string): string | undefined {
  const member = isObject(value) ? value.members.get(name) : undefined;
  return typeof member === 'string' ? member : undefined;
}

/** Members of an object member that are texts: ranges by name. */
export function textsIn(value: Json | undefined, name: string): [string, string][] {
  return [...objectIn(value, name).members].flatMap(([key, member]): [string, string][] =>
    typeof member === 'string' ? [[key, member]] : [],
  );
}

/** Items of an array member. */
export function itemsIn(value: Json | undefined, name: string): readonly Json[] {
  const member = isObject(value) ? value.members.get(name) : undefined;
  return typeof member === 'object' && member !== null && 'items' in member ? member.items : [];
}
