export type RegexNode =
  | { readonly kind: 'char'; readonly fits: (code: number) => boolean }
  | { readonly kind: 'assertion'; readonly is: 'begin' | 'end' | 'word' | 'no-word' }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly part: RegexNode; readonly min: number; readonly max: number };

const MAX_DEPTH = 30;
const MAX_REPEATS = 1000;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
const CLASSES: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /\s/, D: /\D/, W: /\W/, S: /\S/ };

interface SyntaxReader {
  readonly source: string;
  at: number;
  readonly fold: boolean;
  readonly dotAll: boolean;
}

/** Parses an expression. Throws SyntaxError for lookaround, backreferences and invalid syntax. */
export function parseRegex(source: string, flags: string): RegexNode {
  const reader: SyntaxReader = { source, at: 0, fold: flags.includes('i'), dotAll: flags.includes('s') };
  const node = readChoice(reader, 0);
  if (reader.at < source.length) throw new SyntaxError('there is a ) without its (');
  return node;
}

function readChoice(reader: SyntaxReader, depth: number): RegexNode {
  if (depth > MAX_DEPTH) throw new SyntaxError('its brackets are too deep');
  const parts = [readSequence(reader, depth)];
  while (reader.source[reader.at] === '|') {
    reader.at++;
    parts.push(readSequence(reader, depth));
  }
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
}

function readSequence(reader: SyntaxReader, depth: number): RegexNode {
  const parts: RegexNode[] = [];
  for (let next = reader.source[reader.at]; next !== undefined; next = reader.source[reader.at]) {
    if (next === '|' || next === ')') break;
    parts.push(readRepeats(reader, readOne(reader, depth)));
  }
  return { kind: 'sequence', parts };
}

function readOne(reader: SyntaxReader, depth: number): RegexNode {
  const char = reader.source[reader.at++] ?? '';
  if (char === '^') return { kind: 'assertion', is: 'begin' };
  if (char === '$') return { kind: 'assertion', is: 'end' };
  if (char === '(') return readGroup(reader, depth);
  if (char === '[') return readClass(reader);
  if (char === '.') {
    const { dotAll } = reader;
    return { kind: 'char', fits: (code) => dotAll || (code !== 10 && code !== 13) };
  }
  if (char === '\\') return readEscape(reader);
  if ('*+?'.includes(char)) throw new SyntaxError(`there is nothing before ${char} that it repeats`);
  return oneOf(reader, [range(char, char)]);
}

function readGroup(reader: SyntaxReader, depth: number): RegexNode {
  if (reader.source[reader.at] === '?') {
    if (reader.source[reader.at + 1] !== ':')
      throw new SyntaxError('(?= (?! (?<= (?<! and named groups are not taken, (?: is');
    reader.at += 2;
  }
  const node = readChoice(reader, depth + 1);
  if (reader.source[reader.at] !== ')') throw new SyntaxError('there is a ( without its )');
  reader.at++;
  return node;
}

function readEscape(reader: SyntaxReader): RegexNode {
  const char = reader.source[reader.at++];
  if (char === 'b') return { kind: 'assertion', is: 'word' };
  if (char === 'B') return { kind: 'assertion', is: 'no-word' };
  return oneOf(reader, [escaped(char)]);
}

type CharTest = (code: number) => boolean;

function escaped(char: string | undefined): CharTest {
  if (char === undefined) throw new SyntaxError('it ends with a backslash');
  const known = CLASSES[char];
  if (known) return (code) => known.test(String.fromCharCode(code));
  if (ESCAPED[char] === undefined && /[a-z0-9]/i.test(char))
    throw new SyntaxError(`\\${char} is not taken: \\d \\w \\s \\b, their opposites, \\n \\r \\t are`);
  const literal = ESCAPED[char] ?? char;
  return range(literal, literal);
}

function range(from: string, to: string): CharTest {
  const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
  if (high < low) throw new SyntaxError(`the range ${from}-${to} is in the wrong order`);
  return (code) => code >= low && code <= high;
}

function oneOf(reader: SyntaxReader, all: readonly CharTest[], not = false): RegexNode {
  const any = (code: number) => all.some((fits) => fits(code));
  const either = (code: number) => {
    const char = String.fromCharCode(code);
    return any(code) || any(char.toLowerCase().charCodeAt(0)) || any(char.toUpperCase().charCodeAt(0));
  };
  const fits = reader.fold ? either : any;
  return { kind: 'char', fits: not ? (code) => !fits(code) : fits };
}

function readClass(reader: SyntaxReader): RegexNode {
  const not = reader.source[reader.at] === '^';
  if (not) reader.at++;
  const all: CharTest[] = [];
  for (;;) {
    const char = reader.source[reader.at++];
    if (char === undefined) throw new SyntaxError('there is a [ without its ]');
    if (char === ']') return oneOf(reader, all, not);
    all.push(readMember(reader, char));
  }
}

function readMember(reader: SyntaxReader, char: string): CharTest {
  const behind = char === '\\' ? (reader.source[reader.at++] ?? '') : undefined;
  const [dash, end] = [reader.source[reader.at], reader.source[reader.at + 1]];
  if (dash !== '-' || end === undefined || end === ']' || CLASSES[behind ?? ''])
    return behind === undefined ? range(char, char) : escaped(behind);
  if (end === '\\') throw new SyntaxError('a range that ends with a backslash is not taken');
  reader.at += 2;
  return range(behind === undefined ? char : (ESCAPED[behind] ?? behind), end);
}

function readRepeats(reader: SyntaxReader, part: RegexNode): RegexNode {
  const rest = reader.source.slice(reader.at, reader.at + 12);
  const [written, , from, comma, to] = /^([*+?]|\{(\d{1,4})(,?)(\d{0,4})\})/.exec(rest) ?? [];
  if (written === undefined) return part;
  reader.at += written.length;
  if (reader.source[reader.at] === '?') reader.at++;
  if (part.kind === 'assertion') throw new SyntaxError(`${written} repeats a place and no character`);
  if (written === '*') return { kind: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY };
  if (written === '+') return { kind: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY };
  if (written === '?') return { kind: 'repeat', part, min: 0, max: 1 };
  const min = Number(from);
  const max = comma === '' ? min : to === '' ? Number.POSITIVE_INFINITY : Number(to);
  if (max < min || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEATS))
    throw new SyntaxError(`${written} is not taken: up to {0,${MAX_REPEATS}} is`);
  return { kind: 'repeat', part, min, max };
}
