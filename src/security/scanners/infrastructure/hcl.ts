/** A block of Terraform's language: `resource "aws_s3_bucket" "logs" { ... }`. */
export interface HclBlock {
  readonly type: string;
  readonly labels: readonly string[];
  /** From 1. */
  readonly line: number;
  readonly attributes: ReadonlyMap<string, HclAttribute>;
  readonly blocks: readonly HclBlock[];
}

/** What is assigned, as it is written, with the quotes of a plain string taken off. */
export interface HclAttribute {
  readonly line: number;
  readonly text: string;
}

const DEEPEST = 30;
const OPENING = /[{[(]/;
const CLOSING = /[}\])]/;

/**
 * The blocks of a file. Reads names, nesting and where values end (HCL native syntax, spec.md); expressions are left
 * as text. What cannot be read is passed over, line by line.
 */
export function readHcl(text: string): HclBlock[] {
  const reader = createReader(text);
  return reader.body(0).blocks;
}

interface Body {
  readonly attributes: Map<string, HclAttribute>;
  readonly blocks: HclBlock[];
}

function createReader(text: string) {
  let at = 0;
  let line = 1;

  function step(): void {
    if (text[at] === '\n') line++;
    at++;
  }

  function blanks(): void {
    for (;;) {
      const character = text[at];
      if (character === '#' || (character === '/' && text[at + 1] === '/')) toLineEnd();
      else if (character === '/' && text[at + 1] === '*') comment();
      else if (character !== undefined && /\s|,/.test(character)) step();
      else return;
    }
  }

  function toLineEnd(): void {
    while (at < text.length && text[at] !== '\n') at++;
  }

  function comment(): void {
    const end = text.indexOf('*/', at + 2);
    const stop = end < 0 ? text.length : end + 2;
    while (at < stop) step();
  }

  function word(): string {
    const start = at;
    while (at < text.length && /[\w.-]/.test(text[at] ?? '')) at++;
    return text.slice(start, at);
  }

  /** A string, its templates passed over; the position is after it. */
  function quoted(depth = 0): string {
    const start = ++at;
    let open = 0;
    while (at < text.length && (open > 0 || text[at] !== '"') && text[at] !== '\n') {
      if (text[at] === '\\') at++;
      else if (open > 0 && text[at] === '"' && depth < DEEPEST) {
        quoted(depth + 1);
        continue;
      }
      if (text[at] === '{' && (open > 0 || /[$%]/.test(text[at - 1] ?? ''))) open++;
      else if (text[at] === '}' && open > 0) open--;
      at++;
    }
    const value = text.slice(start, at);
    if (text[at] === '"') at++;
    return value;
  }

  function heredoc(): void {
    const mark = /^<<[-~]?(\w{1,60})\r?\n/.exec(text.slice(at, at + 80));
    let stop = at + (mark?.[0].length ?? 1);
    while (mark && stop < text.length) {
      const end = text.indexOf('\n', stop);
      const next = end < 0 ? text.length : end + 1;
      const ended = text.slice(stop, next).trim() === mark[1];
      stop = next;
      if (ended) break;
    }
    while (at < (mark ? stop - 1 : stop)) step();
  }

  /** To the end of the line on which every bracket is closed again. */
  function expression(): string {
    const start = at;
    let depth = 0;
    while (at < text.length) {
      const character = text[at] ?? '';
      if (depth === 0 && (character === '\n' || character === '}')) break;
      if (character === '"') {
        quoted();
        continue;
      }
      if (character === '<' && text[at + 1] === '<') heredoc();
      else if (character === '#' || (character === '/' && /[/*]/.test(text[at + 1] ?? ''))) {
        if (depth === 0 && character === '#') break;
        blanks();
      } else {
        if (OPENING.test(character)) depth++;
        else if (CLOSING.test(character)) depth--;
        step();
      }
    }
    const value = text.slice(start, at).trim();
    return /^"[^"\n]*"$/.test(value) ? value.slice(1, -1) : value;
  }

  function body(depth: number): Body {
    const found: Body = { attributes: new Map(), blocks: [] };
    for (blanks(); at < text.length && text[at] !== '}'; blanks()) {
      const from = line;
      const before = at;
      const type = text[at] === '"' ? quoted() : word();
      const labels: string[] = [];
      while (/[ \t]/.test(text[at] ?? '')) at++;
      while (text[at] === '"' || /[A-Za-z_]/.test(text[at] ?? '')) {
        labels.push(text[at] === '"' ? quoted() : word());
        while (/[ \t]/.test(text[at] ?? '')) at++;
      }
      if (text[at] === '=' || text[at] === ':') {
        at++;
        while (/[ \t]/.test(text[at] ?? '')) at++;
        found.attributes.set(type, { line: from, text: expression() });
      } else if (text[at] === '{' && depth < DEEPEST) {
        at++;
        const { attributes, blocks } = body(depth + 1);
        if (text[at] === '}') at++;
        found.blocks.push({ type, labels, line: from, attributes, blocks });
      } else if (at === before) step();
      else toLineEnd();
    }
    return found;
  }

  return { body };
}
