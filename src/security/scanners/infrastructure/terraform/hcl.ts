export interface HclBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly line: number;
  readonly attributes: ReadonlyMap<string, HclAttribute>;
  readonly blocks: readonly HclBlock[];
}

/** Value of an HCL attribute as source code: `written` with the enclosing quotes, `text` without them. */
export interface HclAttribute {
  readonly line: number;
  readonly text: string;
  readonly written: string;
}

const MAX_DEPTH = 30;
const OPENING = /[{[(]/;
const CLOSING = /[}\])]/;

interface Cursor {
  readonly text: string;
  at: number;
  line: number;
}

interface HclBody {
  readonly attributes: Map<string, HclAttribute>;
  readonly blocks: HclBlock[];
}

/** Parses a file in HCL's native syntax. Does not evaluate expressions. docs/choices.md says why no library is used. */
export const readHcl = (text: string): HclBlock[] => readBody({ text, at: 0, line: 1 }, 0).blocks;

export const readAssignments = (text: string): ReadonlyMap<string, HclAttribute> =>
  readBody({ text, at: 0, line: 1 }, 0).attributes;

function readBody(cursor: Cursor, depth: number): HclBody {
  const { text } = cursor;
  const found: HclBody = { attributes: new Map(), blocks: [] };
  for (skipBlanks(cursor); cursor.at < text.length && text[cursor.at] !== '}'; skipBlanks(cursor)) {
    const [line, before] = [cursor.line, cursor.at];
    const [type = '', ...labels] = readHead(cursor);
    const next = text[cursor.at];
    if (next === '=' || next === ':') {
      cursor.at++;
      skipSpaces(cursor);
      const written = readExpression(cursor);
      const plain = /^"[^"\n]*"$/.test(written) ? written.slice(1, -1) : written;
      found.attributes.set(type, { line, text: plain, written });
    } else if (next === '{' && depth < MAX_DEPTH) {
      cursor.at++;
      const { attributes, blocks } = readBody(cursor, depth + 1);
      if (text[cursor.at] === '}') cursor.at++;
      found.blocks.push({ type, labels, line, attributes, blocks });
    } else if (cursor.at === before) step(cursor);
    else skipLine(cursor);
  }
  return found;
}

function readHead(cursor: Cursor): string[] {
  const { text } = cursor;
  const words = [text[cursor.at] === '"' ? readQuoted(cursor) : readWord(cursor)];
  skipSpaces(cursor);
  while (/["A-Za-z_]/.test(text[cursor.at] ?? '')) {
    words.push(text[cursor.at] === '"' ? readQuoted(cursor) : readWord(cursor));
    skipSpaces(cursor);
  }
  return words;
}

function readExpression(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  let depth = 0;
  let end = start;
  while (cursor.at < text.length && !(depth === 0 && endsExpression(text, cursor.at))) {
    const comment = isComment(text, cursor.at);
    depth += skipPart(cursor);
    if (!comment && !/\s/.test(text[cursor.at - 1] ?? '')) end = cursor.at;
  }
  return text.slice(start, end).trim();
}

const endsExpression = (text: string, at: number): boolean =>
  /[\n}#]/.test(text[at] ?? '') || text.startsWith('//', at);

function skipPart(cursor: Cursor): number {
  const { text, at } = cursor;
  const character = text[at] ?? '';
  if (character === '"') readQuoted(cursor);
  else if (character === '<' && text[at + 1] === '<') skipHeredoc(cursor);
  else if (isComment(text, at)) skipComment(cursor);
  else {
    step(cursor);
    if (OPENING.test(character)) return 1;
    if (CLOSING.test(character)) return -1;
  }
  return 0;
}

function readQuoted(cursor: Cursor, depth = 0): string {
  const { text } = cursor;
  const start = ++cursor.at;
  let open = 0;
  while (!endsQuoted(text[cursor.at], open)) {
    if (text[cursor.at] === '\\') cursor.at++;
    else if (open > 0 && text[cursor.at] === '"' && depth < MAX_DEPTH) {
      readQuoted(cursor, depth + 1);
      continue;
    }
    if (text[cursor.at] === '{' && (open > 0 || /[$%]/.test(text[cursor.at - 1] ?? ''))) open++;
    else if (text[cursor.at] === '}' && open > 0) open--;
    cursor.at++;
  }
  const value = text.slice(start, cursor.at);
  if (text[cursor.at] === '"') cursor.at++;
  return value;
}

/** True if the character ends the string. Inside `${..}` (`open` above 0), a quote begins another string. */
const endsQuoted = (character: string | undefined, open: number): boolean =>
  character === undefined || character === '\n' || (character === '"' && open === 0);

function skipHeredoc(cursor: Cursor): void {
  const { text, at } = cursor;
  const mark = /^<<[-~]?(\w{1,60})\r?\n/.exec(text.slice(at, at + 80));
  let stop = at + (mark?.[0].length ?? 1);
  while (mark && stop < text.length) {
    const end = text.indexOf('\n', stop);
    const next = end < 0 ? text.length : end + 1;
    const ended = text.slice(stop, next).trim() === mark[1];
    stop = next;
    if (ended) break;
  }
  stepTo(cursor, mark ? stop - 1 : stop);
}

function skipBlanks(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    if (isComment(text, cursor.at)) skipComment(cursor);
    else if (/[\s,]/.test(text[cursor.at] ?? '')) step(cursor);
    else return;
  }
}

const isComment = (text: string, at: number): boolean =>
  text[at] === '#' || (text[at] === '/' && (text[at + 1] === '/' || text[at + 1] === '*'));

function skipComment(cursor: Cursor): void {
  const { text, at } = cursor;
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2);
    stepTo(cursor, end < 0 ? text.length : end + 2);
  } else skipLine(cursor);
}

function skipLine(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== '\n') cursor.at++;
}

function skipSpaces(cursor: Cursor): void {
  while (/[ \t]/.test(cursor.text[cursor.at] ?? '')) cursor.at++;
}

function readWord(cursor: Cursor): string {
  const start = cursor.at;
  while (/[\w.-]/.test(cursor.text[cursor.at] ?? '')) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

function step(cursor: Cursor): void {
  if (cursor.text[cursor.at] === '\n') cursor.line++;
  cursor.at++;
}

function stepTo(cursor: Cursor, stop: number): void {
  while (cursor.at < stop) step(cursor);
}
