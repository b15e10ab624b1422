import type { FoundTogether, ScannedFile } from '../../../scanner.ts';
import { evaluationsFor } from '../analyse.ts';
import { runPending } from '../flow/execute.ts';
import type { Parser } from '../grammars.ts';
import type { Fn } from '../ir.ts';
import { languageOf } from '../languages.ts';
import { sourcesIn } from '../prefilter.ts';
import { reachOf } from '../reach.ts';
import type { OwnRules } from '../rules/own.ts';
import { createLinker } from './linker.ts';
import { createUnits, type Unit, type Units } from './units.ts';

/** Expressions that the files of one language may evaluate units. */
const MAX_EVALUATIONS = 30_000_000;

/**
 * Data from outside that reaches a place in another file. Files into which data comes are analysed one after the
 * other, by path; what they use of other files is parsed and followed when it is used.
 */
export function searchTogether(
  files: readonly ScannedFile[],
  parser: Parser,
  rules: OwnRules | undefined,
  begin: (file: number) => void,
): FoundTogether {
  const known = files.filter(({ path, text }) => languageOf(path) && text !== '');
  const entries = new Map<string, (fn: Fn) => boolean>();
  const reach = new Map<string, readonly number[] | 'all'>();
  for (const { path, text } of known) {
    const language = languageOf(path, rules);
    const places = language && sourcesIn(language.rules, text);
    if (places) reach.set(path, places);
  }
  if (reach.size === 0 || known.length < 2) return { findings: [], left: 0 };
  const units = createUnits({
    files: known,
    parser,
    rules,
    linkerOf: (own) => createLinker(known, own),
    isReached: (unit, fn) => entries.get(unit.run.path)?.(fn) ?? false,
  });
  try {
    const left = searchUnits(files, units, reach, entries, begin);
    return { findings: units.findings(), left };
  } finally {
    units.close();
  }
}

/** Analyses the files into which data comes; how many were left out. */
function searchUnits(
  files: readonly ScannedFile[],
  units: Units,
  reach: ReadonlyMap<string, readonly number[] | 'all'>,
  entries: Map<string, (fn: Fn) => boolean>,
  begin: (file: number) => void,
): number {
  let total = MAX_EVALUATIONS;
  let left = 0;
  for (const [number, { path, text }] of files.entries()) {
    const places = reach.get(path);
    if (!places) continue;
    begin(number);
    const share = Math.min(total, evaluationsFor(text.length));
    units.budget.left = share;
    const unit = share > 0 ? units.open(path) : undefined;
    if (!unit) {
      left++;
      continue;
    }
    entries.set(path, entryTest(unit, places));
    runPending(unit.run);
    total -= share - Math.max(0, units.budget.left);
  }
  return left;
}

/** Functions of a file into which data may come. */
function entryTest(unit: Unit, places: readonly number[] | 'all'): (fn: Fn) => boolean {
  if (places === 'all') return () => true;
  const { program, text, language } = unit;
  const reached = reachOf(program, text, language.rules.comments, { words: new Set(), places });
  return (fn) => reached(fn) || fn.marks.length > 0;
}
