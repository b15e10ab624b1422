import type { ConfigValue } from '../value.ts';

/** Returns the value of a reference such as `var.region`, or undefined if only Terraform can know the value. */
export type ReferenceResolver = (path: readonly string[]) => ConfigValue | undefined;

const MAX_DEPTH = 60;
/** Maximum number of steps to evaluate all expressions of a file, because a hostile file could require any number. */
export const MAX_EXPRESSION_STEPS = 400_000;

export interface ExpressionEffort {
  steps: number;
  depth: number;
}

interface HclReader {
  readonly text: string;
  readonly resolve: ReferenceResolver;
  readonly effort: ExpressionEffort;
  at: number;
  line: number;
}

/** Evaluates an expression in HCL's native syntax. Null gives undefined. Most function calls give an unknown value. */
export function evaluateHclExpression(
  written: string,
  line: number,
  resolve: ReferenceResolver,
  effort: ExpressionEffort,
): ConfigValue | undefined {
  const reader: HclReader = { text: written, resolve, effort, at: 0, line };
  const value = readConditional(reader);
  skipBlanks(reader);
  return reader.at < written.length || effort.steps > MAX_EXPRESSION_STEPS ? unknown(written, line) : value;
}

function unknown(text: string, line: number): ConfigValue {
  return { kind: 'unknown', line, text: text.slice(0, 4000) };
}

function readConditional(reader: HclReader): ConfigValue | undefined {
  const { text, effort, at, line } = reader;
  effort.steps++;
  if (effort.depth > MAX_DEPTH || effort.steps > MAX_EXPRESSION_STEPS) {
    reader.at = text.length + 1;
    return unknown(text.slice(at, at + 100), line);
  }
  effort.depth++;
  try {
    return readOperators(reader, at, line);
  } finally {
    effort.depth--;
  }
}

function readOperators(reader: HclReader, start: number, line: number): ConfigValue | undefined {
  const { text } = reader;
  let value = readOperand(reader);
  for (skipBlanks(reader); isOperator(reader); skipBlanks(reader)) {
    reader.at += /^(?:==|!=|<=|>=|&&|\|\|)/.test(text.slice(reader.at, reader.at + 2)) ? 2 : 1;
    readOperand(reader);
    value = unknown(text.slice(start, reader.at), line);
  }
  if (text[reader.at] !== '?') return value;
  reader.at++;
  const yes = readConditional(reader);
  skipBlanks(reader);
  if (text[reader.at] === ':') reader.at++;
  const no = readConditional(reader);
  if (value?.kind === 'text' && /^(?:true|false)$/.test(value.text)) return value.text === 'true' ? yes : no;
  return unknown(text.slice(start, reader.at), line);
}

const isOperator = ({ text, at }: HclReader): boolean =>
  /[=!<>&|+\-*/%]/.test(text[at] ?? '') && !text.startsWith('=>', at);

function readOperand(reader: HclReader): ConfigValue | undefined {
  skipBlanks(reader);
  return readByFirst(reader, reader.text[reader.at] ?? '', reader.at);
}

function readByFirst(reader: HclReader, first: string, start: number): ConfigValue | undefined {
  const { text, line } = reader;
  if (first === '"') return readQuoted(reader);
  if (text.startsWith('<<', start)) return readHeredoc(reader);
  if (first === '[') return readList(reader);
  if (first === '{') return readObject(reader);
  if (first === '!' || first === '-') return readSigned(reader, first, start);
  if (first !== '(') return readWord(reader, start);
  reader.at++;
  const value = readConditional(reader);
  skipTo(reader, ')');
  return readIndexes(reader, value, start, line);
}

function readSigned(reader: HclReader, sign: string, start: number): ConfigValue | undefined {
  const { text, line } = reader;
  reader.at++;
  const value = readConditional(reader);
  if (value?.kind !== 'text') return unknown(text.slice(start, reader.at), line);
  if (sign === '-') return { ...value, text: `-${value.text}`.slice(0, 100) };
  return { ...value, text: value.text === 'true' ? 'false' : 'true' };
}

function readWord(reader: HclReader, start: number): ConfigValue | undefined {
  const { text, line } = reader;
  const word = /^[\w-]+(?:\.\d+)?/.exec(text.slice(start, start + 200))?.[0];
  if (word === undefined) {
    reader.at = text.length + 1;
    return unknown(text.slice(start, start + 100), line);
  }
  reader.at += word.length;
  // `True` and `False` are not valid HCL, but their meaning is clear.
  if (/^(?:\d.*|true|false)$/i.test(word)) return { kind: 'text', line, text: word.toLowerCase() };
  if (word === 'null') return undefined;
  return text[reader.at] === '(' ? readCall(reader, word, start) : readReference(reader, word, start);
}

/** Terraform functions whose result is treated like their argument, such as `toset`. */
const PASSED_ON: ReadonlySet<string> = new Set(
  'jsonencode yamlencode jsondecode toset tolist tomap tostring tobool tonumber sensitive nonsensitive sort distinct compact flatten'.split(
    ' ',
  ),
);

function readCall(reader: HclReader, name: string, start: number): ConfigValue | undefined {
  const { text, line } = reader;
  const list = readList(reader);
  const given = list.kind === 'list' ? list.items : [];
  if (PASSED_ON.has(name) && given.length === 1) return given[0];
  const known = given.every((one) => one.kind === 'list');
  if (name === 'concat' && known)
    return { kind: 'list', line, items: given.flatMap((one) => (one.kind === 'list' ? one.items : [])) };
  return readIndexes(reader, unknown(text.slice(start, reader.at), line), start, line);
}

function readReference(reader: HclReader, word: string, start: number): ConfigValue | undefined {
  const { text, line } = reader;
  const path = [word];
  for (;;) {
    const next = /^(?:\.([A-Za-z_][\w-]*)|\["([^"\\${}]{1,200})"\])/.exec(
      text.slice(reader.at, reader.at + 210),
    );
    if (!next) break;
    path.push(next[1] ?? next[2] ?? '');
    reader.at += next[0].length;
  }
  const value = reader.resolve(path);
  const other = unknown(text.slice(start, reader.at), line);
  return readIndexes(reader, value ? { ...value, line } : other, start, line);
}

function readIndexes(reader: HclReader, value: ConfigValue | undefined, start: number, line: number) {
  const { text } = reader;
  let selected = value;
  while (text[reader.at] === '[' || text[reader.at] === '.') {
    if (text[reader.at] === '[') readList(reader);
    else reader.at += /^\.(?:\*|[\w-]+)?/.exec(text.slice(reader.at, reader.at + 200))?.[0].length ?? 1;
    selected = unknown(text.slice(start, reader.at), line);
  }
  return selected;
}

/** Parses comma-separated values in brackets. A list with a `for` expression becomes an unknown value. */
function readList(reader: HclReader): ConfigValue {
  const { text, line } = reader;
  const start = reader.at;
  const close = text[start] === '[' ? ']' : ')';
  reader.at++;
  skipBlanks(reader);
  if (/^for\s/.test(text.slice(reader.at, reader.at + 4))) {
    skipTo(reader, close);
    return unknown(text.slice(start, reader.at), line);
  }
  const items: ConfigValue[] = [];
  while (reader.at < text.length && text[reader.at] !== close) {
    const item = readConditional(reader);
    if (item) items.push(item);
    skipBlanks(reader);
    if (text.startsWith('...', reader.at)) reader.at += 3;
    skipBlanks(reader);
    if (text[reader.at] === ',') reader.at++;
    else if (text[reader.at] !== close) break;
    skipBlanks(reader);
  }
  skipTo(reader, close);
  return { kind: 'list', line, items };
}

function readObject(reader: HclReader): ConfigValue {
  const { text, line } = reader;
  const start = reader.at;
  reader.at++;
  skipBlanks(reader);
  if (/^for\s/.test(text.slice(reader.at, reader.at + 4))) {
    skipTo(reader, '}');
    return unknown(text.slice(start, reader.at), line);
  }
  const entries = new Map<string, ConfigValue>();
  while (reader.at < text.length && text[reader.at] !== '}') {
    const key = readKey(reader);
    skipBlanks(reader);
    if (text[reader.at] !== '=' && text[reader.at] !== ':') break;
    reader.at++;
    skipBlanks(reader);
    const at = reader.line;
    const value = readConditional(reader);
    if (value && key !== undefined) entries.set(key, { ...value, line: at });
    skipBlanks(reader);
    if (text[reader.at] === ',') reader.at++;
    skipBlanks(reader);
  }
  skipTo(reader, '}');
  return { kind: 'map', line, entries };
}

function readKey(reader: HclReader): string | undefined {
  const { text } = reader;
  if (text[reader.at] === '"' || text[reader.at] === '(') {
    const key = readOperand(reader);
    return key?.kind === 'text' ? key.text : undefined;
  }
  const word = /^[\w.-]+/.exec(text.slice(reader.at, reader.at + 300))?.[0] ?? '';
  reader.at += word.length;
  return word;
}

function readQuoted(reader: HclReader): ConfigValue {
  const { text, line } = reader;
  const start = ++reader.at;
  let open = 0;
  let known = true;
  while (reader.at < text.length && !(text[reader.at] === '"' && open === 0)) {
    const character = text[reader.at];
    reader.effort.steps++;
    if (character === '\\') reader.at++;
    else if (
      /[$%]/.test(character ?? '') &&
      text[reader.at + 1] === '{' &&
      text[reader.at - 1] !== character
    ) {
      known = false;
      open++;
      reader.at++;
    } else if (open > 0 && character === '{') open++;
    else if (open > 0 && character === '}') open--;
    if (text[reader.at] === '\n') reader.line++;
    reader.at++;
  }
  const inner = text.slice(start, reader.at);
  reader.at++;
  if (known) return { kind: 'text', line, text: unescaped(inner) };
  return readTemplate(inner, line, reader);
}

/** Evaluates a string with templates. A string that is only `${var.name}` becomes the variable's value. */
function readTemplate(inner: string, line: number, { resolve, effort }: HclReader): ConfigValue {
  const alone = /^\$\{([^{}]{1,500})\}$/.exec(inner)?.[1];
  const inside = (written: string): ConfigValue | undefined => {
    const reader: HclReader = { text: written, resolve, effort, at: 0, line };
    const value = readConditional(reader);
    skipBlanks(reader);
    return reader.at < written.length ? undefined : value;
  };
  if (alone !== undefined) return inside(alone) ?? unknown(inner, line);
  let known = true;
  const filled = inner.replace(/\$\{([^{}"]{1,500})\}/g, (whole, written: string) => {
    const value = inside(written);
    if (value?.kind === 'text') return value.text;
    known = false;
    return whole;
  });
  return known && !/[$%]\{/.test(filled)
    ? { kind: 'text', line, text: unescaped(filled) }
    : unknown(filled, line);
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(["\\nrt])/g, (_, one: string) => ({ n: '\n', r: '\r', t: '\t' })[one] ?? one);
}

function readHeredoc(reader: HclReader): ConfigValue {
  const { text, line } = reader;
  const mark = /^<<[-~]?(\w{1,60})\r?\n/.exec(text.slice(reader.at, reader.at + 80));
  if (!mark) {
    reader.at = text.length + 1;
    return unknown(text.slice(0, 100), line);
  }
  const start = reader.at + mark[0].length;
  let stop = start;
  let end = text.length;
  while (stop < text.length) {
    const feed = text.indexOf('\n', stop);
    const next = feed < 0 ? text.length : feed + 1;
    if (text.slice(stop, next).trim() === mark[1]) {
      end = stop;
      stop = next;
      break;
    }
    stop = next;
  }
  const inner = text.slice(start, end);
  reader.at = stop;
  reader.line += inner.split('\n').length;
  return /[$%]\{/.test(inner) ? unknown(inner, line + 1) : { kind: 'text', line: line + 1, text: inner };
}

function skipTo(reader: HclReader, close: string): void {
  const { text } = reader;
  let depth = 0;
  while (reader.at < text.length) {
    const character = text[reader.at] ?? '';
    reader.effort.steps++;
    if (character === '"') {
      skipString(reader);
      continue;
    }
    if (character === '\n') reader.line++;
    reader.at++;
    if (depth === 0 && character === close) return;
    if (/[[({]/.test(character)) depth++;
    else if (/[\])}]/.test(character)) depth--;
  }
  reader.at = text.length + 1;
}

function skipString(reader: HclReader): void {
  const { text } = reader;
  let open = 0;
  for (reader.at++; reader.at < text.length; reader.at++) {
    const character = text[reader.at];
    if (character === '\\') reader.at++;
    else if (character === '{' && (open > 0 || /[$%]/.test(text[reader.at - 1] ?? ''))) open++;
    else if (character === '}' && open > 0) open--;
    else if (character === '"' && open === 0) break;
  }
  reader.at++;
}

function skipBlanks(reader: HclReader): void {
  const { text } = reader;
  for (;;) {
    const stop = blankUntil(text, reader.at);
    if (stop === reader.at) return;
    for (; reader.at < stop; reader.at++) if (text[reader.at] === '\n') reader.line++;
  }
}

function blankUntil(text: string, at: number): number {
  const ended = (end: number, length: number) => (end < 0 ? text.length : end + length);
  if (text[at] === '#' || text.startsWith('//', at)) return ended(text.indexOf('\n', at), 0);
  if (text.startsWith('/*', at)) return ended(text.indexOf('*/', at + 2), 2);
  return /\s/.test(text[at] ?? '') ? at + 1 : at;
}
