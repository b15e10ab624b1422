import { attempt } from '../attempt.ts';
import { parseRegex, type RegexNode } from './expression-syntax.ts';

/** Maximum characters and classes (`[a-z]`) in an expression. Copies of repeated parts count too. */
const MAX_POSITIONS = 150;
const MAX_STEPS = 400_000;
const MAX_SOURCE_CHARACTERS = 1000;
/** A bounded repetition, such as `a{2,5}`, is analysed as at most this many copies. */
const MAX_COPIES = 2;
/** Characters that represent all others: two classes overlap if both contain one of the samples. */
const SAMPLES = [...Array.from({ length: 128 }, (_, code) => code), 0xe9, 0x3b1, 0x2028, 0x4e2d];

interface RegexPart {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly empty: boolean;
}

interface Automaton {
  readonly takes: boolean[][];
  /** For each position, the next positions and how many ways lead there (2 means two or more). */
  readonly follows: Map<number, number>[];
}

/** Returns true if backtracking may take exponential time (Weber and Seidl 1991). Skips large expressions. */
export function hasExponentialBacktracking(source: string, flags: string): boolean {
  if (source.length > MAX_SOURCE_CHARACTERS) return false;
  const node = attempt(() => parseRegex(plainSyntax(source), flags));
  if (!node) return false;
  const automaton: Automaton = { takes: [], follows: [] };
  const root = build(node, automaton);
  if (!root) return false;
  const { follows } = automaton;
  // A loop is `open` if something must match after it. Only open loops can cause backtracking.
  const open = follows.map(
    (_, at) => !root.last.some((end) => reaches(follows, at, end) && reaches(follows, end, at)),
  );
  return hasTwoWays(automaton, open) || hasTwoPaths(automaton, open);
}

function plainSyntax(source: string): string {
  return source
    .replace(/\\A/g, '^')
    .replace(/\\[zZ]/g, '$')
    .replace(/\(\?P?<[A-Za-z]\w{0,80}>/g, '(?:')
    .replace(/\\(?:x[\da-f]{2}|u[\da-f]{4})/gi, 'é')
    .replace(/\\h/g, '[0-9a-f]');
}

function build(node: RegexNode, automaton: Automaton): RegexPart | undefined {
  switch (node.kind) {
    case 'char':
      return place(automaton, SAMPLES.map(node.fits));
    case 'assertion':
      return node.is === 'end' ? place(automaton, []) : { first: [], last: [], empty: true };
    case 'choice':
      return either(node.parts.map((part) => build(part, automaton)));
    case 'sequence':
      return node.parts
        .map((part) => () => build(part, automaton))
        .reduce<RegexPart | undefined>((before, next) => before && joined(before, next(), automaton), {
          first: [],
          last: [],
          empty: true,
        });
    case 'repeat':
      return repeated(node, automaton);
  }
}

function place({ takes, follows }: Automaton, takesSamples: boolean[]): RegexPart | undefined {
  if (follows.length >= MAX_POSITIONS) return undefined;
  takes.push(takesSamples);
  follows.push(new Map());
  const at = follows.length - 1;
  return { first: [at], last: [at], empty: false };
}

function either(parts: readonly (RegexPart | undefined)[]): RegexPart | undefined {
  const all = parts.filter((part) => part !== undefined);
  if (all.length < parts.length) return undefined;
  return {
    first: all.flatMap(({ first }) => first),
    last: all.flatMap(({ last }) => last),
    empty: all.some(({ empty }) => empty),
  };
}

function joined(a: RegexPart, b: RegexPart | undefined, automaton: Automaton): RegexPart | undefined {
  if (!b) return undefined;
  link(a.last, b.first, automaton);
  return {
    first: a.empty ? [...a.first, ...b.first] : a.first,
    last: b.empty ? [...a.last, ...b.last] : b.last,
    empty: a.empty && b.empty,
  };
}

function link(from: readonly number[], to: readonly number[], { follows }: Automaton): void {
  for (const one of from)
    for (const next of to) follows[one]?.set(next, Math.min(2, (follows[one].get(next) ?? 0) + 1));
}

function repeated({ part, min, max }: Extract<RegexNode, { kind: 'repeat' }>, automaton: Automaton) {
  const isLoop = max === Number.POSITIVE_INFINITY;
  const copies = Math.max(1, Math.min(isLoop ? min : max, MAX_COPIES));
  let all: RegexPart | undefined = { first: [], last: [], empty: true };
  for (let copy = 0; copy < copies && all; copy++) {
    const one = build(part, automaton);
    if (one && isLoop && copy === copies - 1) link(one.last, one.first, automaton);
    all = joined(all, one && copy >= min ? { ...one, empty: true } : one, automaton);
  }
  return all;
}

/** Returns true if a loop can go from one position to the next in two ways, for example in `(a*)*`. */
function hasTwoWays({ follows }: Automaton, open: readonly boolean[]): boolean {
  return follows.some((next, from) =>
    [...next].some(([to, ways]) => ways > 1 && open[from] && reaches(follows, to, from)),
  );
}

function reaches(follows: Automaton['follows'], from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    if (at === to) return true;
    for (const next of follows[at]?.keys() ?? []) seen.add(next);
  }
  return false;
}

/** Returns true if a loop can read the same text on two paths, for example in `(a|a)*`. */
function hasTwoPaths(automaton: Automaton, open: readonly boolean[]): boolean {
  const count = automaton.follows.length;
  const budget = { steps: MAX_STEPS };
  for (let at = 0; at < count && budget.steps > 0; at++) {
    if (open[at] && reaches(automaton.follows, at, at) && partsAndMeets(automaton, at, budget)) return true;
  }
  return false;
}

function partsAndMeets(automaton: Automaton, start: number, budget: { steps: number }): boolean {
  const count = automaton.follows.length;
  const home = start * count + start;
  const before = new Map<number, number[]>();
  const seen = new Set([home]);
  for (const pair of seen) {
    for (const to of afterPair(automaton, pair, budget)) {
      seen.add(to);
      const list = before.get(to);
      if (list) list.push(pair);
      else before.set(to, [pair]);
    }
    if (budget.steps <= 0) return false;
  }
  const back = new Set([home]);
  for (const pair of back) for (const one of before.get(pair) ?? []) back.add(one);
  for (const pair of back) if (Math.floor(pair / count) !== pair % count) return true;
  return false;
}

function afterPair({ follows, takes }: Automaton, pair: number, budget: { steps: number }): number[] {
  const out: number[] = [];
  const others = [...(follows[pair % follows.length]?.keys() ?? [])];
  for (const next of follows[Math.floor(pair / follows.length)]?.keys() ?? []) {
    budget.steps -= others.length;
    if (budget.steps <= 0) return out;
    for (const other of others)
      if (overlaps(takes[next], takes[other])) out.push(next * follows.length + other);
  }
  return out;
}

function overlaps(a: readonly boolean[] = [], b: readonly boolean[] = []): boolean {
  return a.some((takes, at) => takes && b[at] === true);
}
