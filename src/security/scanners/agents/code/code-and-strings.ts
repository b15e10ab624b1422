const MAX_STRINGS = 5000;
const STATEMENT = /(?:^|[\n:])[ \t\r\n]{0,200}$/;
const STOP = /"""|'''|["'`]|\/\/|\/\*|#/g;

/** Returns a file's code and strings. Spaces replace comments and docstrings, which keeps the offsets. */
export function splitCodeAndStrings(path: string, text: string) {
  const hasHash = /\.(?:py|pyw|rb|sh|bash|zsh|ps1|ya?ml|toml|pl)$/i.test(path) || !/\.\w{1,8}$/.test(path);
  const isPython = /\.pyw?$/i.test(path);
  const strings: { readonly start: number; readonly text: string; readonly isDocstring: boolean }[] = [];
  const blanked: (readonly [start: number, end: number])[] = [];
  const searched = new Map<string, number>();
  const readString = (quote: string, start: number): number | undefined => {
    if (start < (searched.get(quote) ?? 0)) return undefined;
    const from = start + quote.length;
    const { end, stop } = endOfString(text, from, quote);
    if (end === undefined) searched.set(quote, stop);
    if (end === undefined) return undefined;
    const isDocstring = quote.length === 3 && STATEMENT.test(text.slice(Math.max(0, start - 202), start));
    if (strings.length < MAX_STRINGS) strings.push({ start: from, text: text.slice(from, end), isDocstring });
    if (isDocstring) blanked.push([start, end + quote.length]);
    return end + quote.length;
  };
  const readComment = (mark: string, start: number): number | undefined => {
    if (!beginsComment(mark, text.charAt(start - 1), hasHash)) return undefined;
    const end = mark === '/*' ? endAfter(text, '*/', start + 2) : endAfter(text, '\n', start) - 1;
    blanked.push([start, Math.max(start, end)]);
    return Math.max(start + 1, end);
  };
  STOP.lastIndex = 0;
  for (let match = STOP.exec(text); match; match = STOP.exec(text)) {
    const [mark] = match;
    const quote = mark.length === 3 && !isPython ? mark.charAt(0) : mark;
    const end = /[#/]/.test(mark) ? readComment(mark, match.index) : readString(quote, match.index);
    if (end !== undefined) STOP.lastIndex = end;
  }
  return { code: blank(text, blanked), strings };
}

function beginsComment(mark: string, before: string, hasHash: boolean): boolean {
  if (mark === '#') return hasHash && /^[\s;]?$/.test(before);
  return !hasHash && !(mark === '//' && before === ':');
}

function blank(text: string, parts: readonly (readonly [start: number, end: number])[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const [start, end] of parts) {
    kept.push(text.slice(from, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    from = end;
  }
  return kept.join('') + text.slice(from);
}

function endAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length + 1 : at + mark.length;
}

function endOfString(text: string, from: number, quote: string) {
  const isLong = quote.length === 3 || quote === '`';
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === '\n' && !isLong) return { stop: at };
    else if (character === quote.charAt(0) && text.startsWith(quote, at)) return { end: at, stop: at };
  }
  return { stop: text.length };
}
