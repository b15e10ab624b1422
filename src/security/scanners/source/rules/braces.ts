const MAX_PATTERNS = 2000;

/** Expands braces in patterns: `fs.{read,write}` to `fs.read` and `fs.write`. Throws RangeError above `MAX_PATTERNS`. */
export function expandBraces(patterns: string | readonly string[]): string[] {
  const open = [...(typeof patterns === 'string' ? [patterns] : patterns)].reverse();
  const done: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts = partsOf(next);
    if (!parts) done.push(next);
    else for (const name of parts.names.reverse()) open.push(parts.before + name + parts.after);
    if (done.length + open.length > MAX_PATTERNS) throw new RangeError(`over ${MAX_PATTERNS} patterns`);
  }
  return done;
}

function partsOf(pattern: string): { before: string; names: string[]; after: string } | undefined {
  for (let start = pattern.indexOf('{'); start >= 0; start = pattern.indexOf('{', start + 1)) {
    const end = pattern.indexOf('}', start);
    if (end < 0) return undefined;
    const names = pattern.slice(start + 1, end).split(',');
    // An empty pair is a literal of Go: `http.Cookie{}`.
    if (end > start + 1) return { before: pattern.slice(0, start), names, after: pattern.slice(end + 1) };
  }
  return undefined;
}
