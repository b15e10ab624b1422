import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { check } from 'recheck';
import { type Literals, ROOT } from '../helpers/syntax.ts';

/** A regular expression of the product, at all its places (`file:line`). */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly places: string[];
}

const RECORD = fileURLToPath(new URL('record.ts', import.meta.url));
/** What recheck has found linear, by hash: to judge all takes minutes. `node test/expressions/judge.ts` writes it. */
const PROVEN = new URL('linear.json', import.meta.url);
/** Milliseconds for one expression; most take a tenth of a second. */
const JUDGE_TIMEOUT_MS = 300_000;
/** Milliseconds for one step of the search for a slow text: by recheck's own bounds a busy machine changes the verdict. */
const STEP_TIMEOUT_MS = 60_000;

/** All that stand in src, tools and prompts, and all that are constructed there; `unseen` were constructed by nothing. */
export async function collectExpressions({
  expressions,
  constructed,
}: Literals): Promise<{ expressions: Expression[]; unseen: string[] }> {
  const all = new Map<string, Expression>();
  const add = (source: string, flags: string, place: string) => {
    const known = all.get(`/${source}/${flags}`);
    if (known) known.places.push(place);
    else all.set(`/${source}/${flags}`, { source, flags, places: [place] });
  };
  for (const { file, line, text } of expressions) {
    const end = text.lastIndexOf('/');
    add(text.slice(1, end), text.slice(end + 1), `${file}:${line}`);
  }
  const files = [...new Set(constructed.map(({ file }) => ROOT + file))];
  const { stdout } = await promisify(execFile)(process.execPath, [RECORD, ...files], { maxBuffer: 1 << 26 });
  const made = JSON.parse(stdout) as { at: string; source: string; flags: string }[];
  for (const { at, source, flags } of made) add(source, flags, at.replace(/:\d+$/, ''));
  const seen = new Set(made.map(({ at }) => at));
  const unseen = constructed
    .map(({ file, line, column }) => `${file}:${line}:${column}`)
    .filter((place) => !seen.has(place));
  return { expressions: [...all.values()], unseen };
}

/**
 * Whether every repetition has an upper bound. Then the steps at each place of a text are bounded too, so that the
 * time is linear in the text. What `*`, `+` and braces are in a class or escaped repeats nothing.
 */
export function isBounded(source: string): boolean {
  return !/[*+]|\{\d+,\}/.test(source.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x'));
}

export function hashOf({ source, flags }: Expression): string {
  return createHash('sha256').update(`/${source}/${flags}`).digest('base64url').slice(0, 16);
}

export function readProven(): ReadonlySet<string> {
  return new Set(JSON.parse(readFileSync(PROVEN, 'utf8')) as string[]);
}

/** What recheck says of it: `linear`, or why it does not hold it to be. */
export async function judge({ source, flags }: Expression): Promise<string> {
  const found = await check(source, flags, {
    timeout: JUDGE_TIMEOUT_MS,
    incubationTimeout: STEP_TIMEOUT_MS,
    attackTimeout: STEP_TIMEOUT_MS,
  });
  if (found.status === 'safe') return 'linear';
  return found.status === 'vulnerable' ? found.complexity.summary : found.error.kind;
}
