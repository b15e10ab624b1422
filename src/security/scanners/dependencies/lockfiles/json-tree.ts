import { visit } from 'jsonc-parser';
import { createLineIndex, type LineIndex } from '../../../trees/lines.ts';
import { BrokenLockfileError } from '../lockfile-reader.ts';
import problems from './json-problems.json' with { type: 'json' };

export type Json = string | number | boolean | null | JsonObject | JsonArray;
/** A JSON object as a Map, because a key may be `__proto__`. `at` is the object's offset in the text. */
export interface JsonObject {
  readonly at: number;
  readonly members: ReadonlyMap<string, Json>;
}
export interface JsonArray {
  readonly at: number;
  readonly items: readonly Json[];
}

interface ContainerDraft {
  readonly value: JsonObject | JsonArray;
  readonly members?: Map<string, Json>;
  readonly items?: Json[];
}

const MAX_DEPTH = 200;
/** Maximum number of JSON values in one file. Bounds the memory. */
const MAX_VALUES = 5_000_000;

const PROBLEMS: Readonly<Record<string, string>> = problems;

/** Parses JSON with comments and trailing commas. Keeps objects' offsets. Throws `BrokenLockfileError`. */
export function parseJson(text: string): { readonly root: Json; readonly lines: LineIndex } {
  const lines = createLineIndex(text);
  const broken = (at: number, what: string) =>
    new BrokenLockfileError(`it is not valid JSON: line ${lines.lineAt(at)} ${what}`);
  const open: (ContainerDraft & { name: string })[] = [];
  let root: Json = null;
  let values = 0;
  const put = (value: Json) => {
    if (++values > MAX_VALUES) throw new BrokenLockfileError(`it has over ${MAX_VALUES} values`);
    const around = open.at(-1);
    if (!around) root = value;
    else if (around.members) around.members.set(around.name, value);
    else around.items?.push(value);
  };
  const begin = (draft: ContainerDraft) => {
    if (open.length > MAX_DEPTH) throw broken(draft.value.at, `is nested over ${MAX_DEPTH} deep`);
    put(draft.value);
    open.push({ ...draft, name: '' });
  };
  const end = () => void open.pop();
  visit(
    text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text,
    {
      onObjectBegin(at) {
        const members = new Map<string, Json>();
        begin({ value: { at, members }, members });
      },
      onArrayBegin(at) {
        const items: Json[] = [];
        begin({ value: { at, items }, items });
      },
      onObjectProperty(name) {
        const around = open.at(-1);
        if (around) around.name = name;
      },
      onLiteralValue: (value) => put(value as Json),
      onObjectEnd: end,
      onArrayEnd: end,
      onError(code, at) {
        const problem = PROBLEMS[code];
        if (problem !== undefined) throw broken(at, problem);
      },
    },
    { allowTrailingComma: true },
  );
  return { root, lines };
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && 'members' in value;

export function objectIn(value: Json | undefined, name: string): JsonObject {
  const member = isObject(value) ? value.members.get(name) : undefined;
  return isObject(member) ? member : { at: 0, members: new Map() };
}

export function textIn(value: Json | undefined, name: string): string | undefined {
  const member = isObject(value) ? value.members.get(name) : undefined;
  return typeof member === 'string' ? member : undefined;
}

export const textsIn = (value: Json | undefined, name: string): [string, string][] =>
  [...objectIn(value, name).members].flatMap(([key, member]): [string, string][] =>
    typeof member === 'string' ? [[key, member]] : [],
  );

export function itemsIn(value: Json | undefined, name: string): readonly Json[] {
  const member = isObject(value) ? value.members.get(name) : undefined;
  return typeof member === 'object' && member !== null && 'items' in member ? member.items : [];
}
