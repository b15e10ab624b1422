import type { Severity } from '../../../lib/severity.ts';
import type { AgentMatch, AgentRuleName } from './rules.ts';

export interface CombinationFile {
  /** Kinds of text by name, with regular expressions. `createCombinations` explains prefixes of a name. */
  readonly kinds: Readonly<Record<string, readonly string[]>>;
  readonly combinations: readonly {
    readonly rule: string;
    /** Kinds that must all occur. `a|b` means either kind. The finding has the line of the first kind. */
    readonly all: readonly string[];
    /** Maximum distance between the kinds, in sentences of prose or lines of code. Default: unlimited. */
    readonly within?: number;
    readonly unless?: readonly string[];
    readonly without?: readonly string[];
    readonly severity?: string;
    readonly in?: readonly string[];
  }[];
}

export interface TextUnits {
  unitOf(offset: number): number;
  lineOf(offset: number): number;
  textOf?(unit: number, offset: number): string;
  isNegated?(offset: number): boolean;
  isQuoted?(offset: number): boolean;
  /** True if an instruction begins at this offset. Kinds with the prefix `<` then have no effect. */
  beginsOrder?(offset: number): boolean;
}

interface PatternHit {
  readonly unit: number;
  readonly offset: number;
  readonly text: string;
}

interface PatternKind {
  readonly pattern: RegExp;
  readonly canBeNegated: boolean;
  readonly canBeQuoted: boolean;
  readonly mustPrecede: boolean;
}

const MAX_SHOWN_CHARACTERS = 120;
const MAX_HITS = 300;
/** Maximum number of matches to examine for a kind, including negated and quoted matches. */
const MAX_TRIES = 5000;
const MAX_MATCHES_PER_RULE = 5;

/**
 * Compiles the rules of a file. Prefixes of a kind: `+` ignores negated matches, `?` ignores quoted matches,
 * `=` makes the kind case-sensitive. With `<`, a kind in `unless` suppresses only the matches after it.
 */
export function createCombinations({ kinds: words, combinations }: CombinationFile) {
  const kinds = new Map(
    Object.entries(words).map(([key, sources]) => [
      key.replace(/[+?=<]/g, ''),
      {
        canBeNegated: key.includes('+'),
        canBeQuoted: key.includes('?'),
        mustPrecede: key.includes('<'),
        pattern: new RegExp(sources.join('|'), key.includes('=') ? 'gm' : 'gim'),
      },
    ]),
  );
  return (text: string, context: string, units: TextUnits): AgentMatch[] => {
    const known = new Map<string, readonly PatternHit[]>();
    const hitsOf = (name: string): readonly PatternHit[] => {
      const kind = kinds.get(name);
      const found = known.get(name) ?? (kind ? hits(text, kind, units) : partsOf(name).flatMap(hitsOf));
      known.set(name, found);
      return found;
    };
    return combinations.flatMap((one) => {
      const { all, unless = [], without = [], within = Number.POSITIVE_INFINITY } = one;
      if (one.in && !one.in.includes(context)) return [];
      if (!all.every((name) => hitsOf(name).length > 0) || without.some((name) => hitsOf(name).length > 0))
        return [];
      const isExcused = ({ unit, offset }: PatternHit) =>
        unless.some((name) => {
          const mustPrecede = kinds.get(name)?.mustPrecede === true;
          if (mustPrecede && units.beginsOrder?.(offset)) return false;
          return hitsOf(name).some((one) => one.unit === unit && (!mustPrecede || one.offset < offset));
        });
      return firstOfEachUnit(meetings(all.map(hitsOf), within).filter((hit) => !isExcused(hit)))
        .slice(0, MAX_MATCHES_PER_RULE)
        .map(({ unit, offset, text: hit }) => ({
          rule: one.rule as AgentRuleName,
          line: units.lineOf(offset),
          what: shortened(units.textOf?.(unit, offset) ?? '') || hit.replace(/\s{1,200}/g, ' ').trim(),
          severity: one.severity as Severity | undefined,
        }));
    });
  };
}

/** Shortens a text at a space, because half of a secret would not be recognised and masked later. */
function shortened(text: string): string {
  const flat = text
    .slice(0, MAX_SHOWN_CHARACTERS * 4)
    .replace(/\s{1,500}/g, ' ')
    .trim();
  if (flat.length <= MAX_SHOWN_CHARACTERS) return flat;
  return flat.slice(0, flat.lastIndexOf(' ', MAX_SHOWN_CHARACTERS) + 1).trim();
}

const partsOf = (name: string): readonly string[] => (name.includes('|') ? name.split('|') : []);

function hits(text: string, { pattern, canBeNegated, canBeQuoted }: PatternKind, units: TextUnits) {
  const found: PatternHit[] = [];
  let tries = MAX_TRIES;
  pattern.lastIndex = 0;
  for (
    let match = pattern.exec(text);
    match && found.length < MAX_HITS && tries-- > 0;
    match = pattern.exec(text)
  ) {
    const { index: offset } = match;
    if (match[0] === '') pattern.lastIndex++;
    else if (canBeNegated && units.isNegated?.(offset)) continue;
    else if (canBeQuoted && units.isQuoted?.(offset)) continue;
    else found.push({ unit: units.unitOf(offset), offset, text: match[0].slice(0, MAX_SHOWN_CHARACTERS) });
  }
  return found;
}

function meetings([first = [], ...others]: readonly (readonly PatternHit[])[], within: number): PatternHit[] {
  return first.filter(({ unit }) =>
    others.every((group) => group.some((one) => Math.abs(one.unit - unit) <= within)),
  );
}

function firstOfEachUnit(found: readonly PatternHit[]): PatternHit[] {
  const seen = new Set<number>();
  return found.filter(({ unit }) => !seen.has(unit) && seen.add(unit));
}
