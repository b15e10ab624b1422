const MAX_DEPTH = 100;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, undefined: null };
const SPACE = /\s*/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const NOTHING = /void 0/y;
const PLAIN = { '"': /[^"\\\n]*/y, "'": /[^'\\\n]*/y } as const;

/** Parses the JavaScript literal at `start` without running code. Returns undefined if there is none. */
export function readScriptLiteral(text: string, start: number): unknown {
  let at = start;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const takeSign = (sign: string): boolean => {
    take(SPACE);
    if (text[at] !== sign) return false;
    at++;
    return true;
  };

  function readEscape(): string {
    const sign = text[at++] ?? '';
    const digits = sign === 'u' ? 4 : sign === 'x' ? 2 : 0;
    if (digits === 0) return ESCAPES[sign] ?? sign;
    const code = text.slice(at, at + digits);
    at += digits;
    if (!/^[\da-f]+$/i.test(code)) throw new SyntaxError('a character has no number');
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  function readString(quote: '"' | "'"): string {
    let value = '';
    at++;
    for (;;) {
      value += take(PLAIN[quote]) ?? '';
      const sign = text[at++];
      if (sign === quote) return value;
      if (sign !== '\\') throw new SyntaxError('a string has no end');
      value += readEscape();
    }
  }

  function readObject(depth: number): Record<string, unknown> {
    const members: [string, unknown][] = [];
    at++;
    while (!takeSign('}')) {
      const quote = text[at];
      const name = quote === '"' || quote === "'" ? readString(quote) : (take(NAME) ?? take(NUMBER));
      if (name === undefined || !takeSign(':')) throw new SyntaxError('a member has no name');
      members.push([name, readValue(depth + 1)]);
      if (!takeSign(',') && text[at] !== '}') throw new SyntaxError('an object has no end');
    }
    return Object.fromEntries(members);
  }

  function readArray(depth: number): unknown[] {
    const value: unknown[] = [];
    at++;
    while (!takeSign(']')) {
      value.push(readValue(depth + 1));
      if (!takeSign(',') && text[at] !== ']') throw new SyntaxError('a list has no end');
    }
    return value;
  }

  function readValue(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new SyntaxError('it is nested too deep');
    take(SPACE);
    const first = text[at];
    if (first === '{') return readObject(depth);
    if (first === '[') return readArray(depth);
    if (first === '"' || first === "'") return readString(first);
    if (first === '!') {
      at++;
      return !readValue(depth + 1);
    }
    if (take(NOTHING)) return null;
    const number = take(NUMBER);
    if (number !== undefined) return Number(number);
    const word = take(NAME) ?? '';
    if (!Object.hasOwn(WORDS, word)) throw new SyntaxError('it is not a literal');
    return WORDS[word];
  }

  try {
    return readValue(0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
