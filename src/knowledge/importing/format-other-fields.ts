import { asObject, asTrimmedText } from './import-values.ts';

const VECTOR_NUMBERS = 32;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

type Revive = Parameters<typeof JSON.parse>[1];

/** Returns the plain value of an object by which MongoDB writes a date, an id or a number, such as `{"$oid": "…"}`. */
function readExtendedJson(value: unknown): unknown {
  const [[name, given] = ['', null], ...more] = Object.entries(asObject(value));
  const isWrapped = /^\$(?:date|oid|uuid|number[A-Z]\w{2,6})$/.test(name) && more.length === 0;
  if (!isWrapped || typeof given === 'object') return value;
  const isTime = name === '$date' && /^-?\d{1,15}$/.test(String(given));
  return isTime ? new Date(Number(given)).toISOString() : given;
}

/** Parses JSON, also of MongoDB. Python's `NaN`, `Infinity` and `-Infinity` become strings. Throws SyntaxError. */
export function parsePythonJson(json: string, own?: Revive): unknown {
  const unwrap: Revive = (...args) => readExtendedJson(own ? own(...args) : args[1]);
  const revive = /"\$(?:date|oid|uuid|number)/.test(json) ? unwrap : own;
  try {
    return JSON.parse(json, revive);
  } catch (error) {
    if (!/NaN|Infinity/.test(json)) throw error;
    return JSON.parse(quoteNonNumbers(json), revive);
  }
}

function quoteNonNumbers(json: string): string {
  return json.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?\b(?:NaN|Infinity)\b/g, (part) =>
    part.startsWith('"') ? part : `"${part}"`,
  );
}

/** Parses JSON but keeps numbers as written, such as `1.10` or 20 digits. Throws SyntaxError. */
export function parseExactJson(text: string): unknown {
  const keep = (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return parsePythonJson(text, keep);
}

/** Formats a record's fields that are not in `taken` as lines `path: value`. Vectors are only counted. */
export function formatOtherFields(record: Readonly<Record<string, unknown>>, taken: ReadonlySet<string>) {
  const lines: string[] = [];
  let vectors = 0;
  const stack = Object.entries(record).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [path, value] = next;
    if (taken.has(path)) continue;
    if (isVector(value)) vectors++;
    else if (isPlain(value)) lines.push(...lineOf(path, value));
    else {
      const inner = Object.entries(value as object).map(([key, one]): [string, unknown] => [
        `${path.slice(-100)}.${key}`,
        one,
      ]);
      for (const one of inner.reverse()) stack.push(one);
    }
  }
  return { lines, vectors };
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return typeof value !== 'object' || value === null;
}

function lineOf(path: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : [`${path}: ${value.join(', ')}`];
  const text = typeof value === 'boolean' ? String(value) : asTrimmedText(value);
  return text === undefined ? [] : [`${path}:${text.includes('\n') ? '\n' : ' '}${text}`];
}

function isVector(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length >= VECTOR_NUMBERS &&
    value.every((one) => typeof one === 'number' || (typeof one === 'string' && NUMBER.test(one)))
  );
}
