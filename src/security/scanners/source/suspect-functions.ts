import type { FunctionNode, LoweredProgram, Stmt } from './ir.ts';
import type { SuspectPlaces } from './prefilter.ts';
import { type CommentSyntax, createVocabulary, wordsOf } from './words.ts';

interface NameSet {
  readonly names: Set<string>;
  readonly mentions: Set<string>;
  readonly functions: FunctionNode[];
}

export function createSuspectFunctionTest(
  program: LoweredProgram,
  text: string,
  comments: CommentSyntax,
  suspects: SuspectPlaces,
): (fn: FunctionNode) => boolean {
  const parts: NameSet[] = [];
  for (const stmt of program.body) declare(stmt, '', parts);
  const owned = parts
    .flatMap((part) => part.functions.map((fn) => ({ part, span: fn.span ?? [0, 0] })))
    .sort((a, b) => a.span[0] - b.span[0]);
  const mentioned = new Map<string, NameSet[]>();
  for (const part of parts) {
    for (const word of part.mentions) {
      const list = mentioned.get(word);
      if (list) list.push(part);
      else mentioned.set(word, [part]);
    }
  }
  const places = createVocabulary(parts.flatMap((part) => [...part.names])).placesIn(text, comments);

  const at = (offset: number) => {
    let [low, high] = [0, owned.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const one = owned[middle];
      if (!one) return -1;
      if (offset < one.span[0]) high = middle - 1;
      else if (offset >= one.span[1]) low = middle + 1;
      else return middle;
    }
    return -1;
  };
  const reached = new Set<number>();
  const words = [...suspects.words];
  const known = new Set(words);
  const name = (part: NameSet | undefined) => {
    for (const word of part?.names ?? []) {
      if (known.has(word)) continue;
      known.add(word);
      words.push(word);
    }
  };
  const reach = (offset: number) => {
    const owner = at(offset);
    if (owner < 0 || reached.has(owner)) return;
    reached.add(owner);
    name(owned[owner]?.part);
  };
  for (const offset of suspects.places) reach(offset);
  for (let word = words.pop(); word !== undefined; word = words.pop()) {
    for (const part of mentioned.get(word) ?? []) name(part);
    for (const offset of places.get(word) ?? []) reach(offset);
  }
  return (fn) => {
    const owner = fn.span ? at(fn.span[0]) : -1;
    return owner < 0 || reached.has(owner);
  };
}

function declare(stmt: Stmt, within: string, parts: NameSet[]): void {
  if (stmt.op === 'class') {
    for (const one of stmt.body) declare(one, stmt.name, parts);
    return;
  }
  if (stmt.op === 'block') {
    for (const one of stmt.body) declare(one, within, parts);
    return;
  }
  const part: NameSet = { names: new Set(within === '' ? [] : [within]), mentions: new Set(), functions: [] };
  collectNames(stmt, part, false);
  parts.push(part);
}

function collectNames(thing: unknown, part: NameSet, put: boolean): void {
  if (Array.isArray(thing)) {
    for (const one of thing) collectNames(one, part, put);
    return;
  }
  if (typeof thing !== 'object' || thing === null) return;
  if ('span' in thing && 'params' in thing) {
    const fn = thing as FunctionNode;
    part.functions.push(fn);
    if (fn.name !== '') addWords(part.names, fn.name);
    return;
  }
  for (const [key, value] of Object.entries(thing)) {
    if (typeof value === 'object') collectNames(value, part, put || key === 'target' || key === 'key');
    else if (typeof value === 'string' && key !== 'op' && key !== 'operator') {
      addWords(part.mentions, value);
      if (put || isDeclaration(thing, key)) addWords(part.names, value);
    }
  }
}

const isDeclaration = (node: object, key: string): boolean =>
  key === 'name' && ('params' in node || ('op' in node && node.op === 'import'));

function addWords(set: Set<string>, name: string): void {
  if (name.length <= 200) for (const word of wordsOf(name)) set.add(word);
}
