import type { RawFinding } from '../../../findings/finding.ts';
import type { FileGroupFindings, ScannedFile } from '../../../scans/scanner.ts';
import { createLineIndex } from '../../../trees/lines.ts';
import { analyse, evaluationsFor } from '../analyse.ts';
import { analysePending } from '../flow/analyse-statements.ts';
import { grammarOf, type SyntaxParser } from '../grammars.ts';
import type { FunctionNode } from '../ir.ts';
import { codeIn, languageOf } from '../languages.ts';
import { suspectsIn, taintSourcesIn } from '../prefilter.ts';
import type { UserRules } from '../rules/own.ts';
import { createSuspectFunctionTest } from '../suspect-functions.ts';
import { placesOf } from '../words.ts';
import { filesOf } from './files.ts';
import { createLinker } from './linker.ts';
import { findApiFunctions } from './operations.ts';
import { createProgramFiles, type ProgramFile, type ProgramFiles } from './program-files.ts';
import { readProperties } from './settings.ts';

const ASKS_SETTING = /(?:\.get(?:Required)?Property|\.getBundle|@Value)(?=\()/g;
const MAX_EVALUATIONS = 30_000_000;

/** Finds untrusted input that reaches a dangerous call in another file. Parses files on first use. */
export function searchTogether(
  files: readonly ScannedFile[],
  parser: SyntaxParser,
  rules: UserRules | undefined,
  begin: (path: string) => void,
): FileGroupFindings {
  const known = files.filter(({ path, text }) => languageOf(path) && text !== '');
  const settings = readProperties(files);
  const entries = new Map<string, (fn: FunctionNode) => boolean>();
  const reach = new Map<string, readonly number[] | 'all'>();
  for (const { path, text } of known) {
    const language = languageOf(path, rules);
    const places = language && taintSourcesIn(language.rules, codeIn(language, text));
    const asks = settings.size > 0 ? placesOf(ASKS_SETTING, text) : [];
    if (places === 'all') reach.set(path, places);
    else if (places || asks.length > 0)
      reach.set(
        path,
        [...(places ?? []), ...asks].sort((a, b) => a - b),
      );
  }
  const operations = findApiFunctions(files, filesOf(known.map(({ path }) => path)));
  for (const name of operations.keys()) reach.set(name.slice(0, name.lastIndexOf(' ')), 'all');
  for (const path of heirsOf(known, reach)) reach.set(path, 'all');
  for (let round = 0; round < MAX_INCLUDING_FILES; round++)
    for (const path of includersOf(known, reach)) reach.set(path, []);
  if (reach.size === 0 || files.length < 2) return { findings: [], left: 0 };
  const cut = new Set<string>();
  const units = createProgramFiles({
    files: known,
    parser,
    rules,
    linkerOf: (own) => createLinker(known, own, operations, settings, (name) => void cut.add(name)),
    isReached: (unit, fn) => entries.get(unit.run.path)?.(fn) ?? false,
  });
  try {
    const { whole, left } = searchUnits(files, units, reach, entries, begin);
    const unread = [...units.unread].filter((path) => !reach.has(path)).length;
    const refuted = left > 0 ? [] : whole.flatMap(({ unit, alone }) => refutedIn(unit, alone));
    return { findings: units.findings(), refuted, left: left + unread, cut: [...cut].sort() };
  } finally {
    units.close();
  }
}

const RUNS_BEFORE = /\bbefore_(?:action|filter)\b/;
const MADE_FROM = /^[ \t]{0,40}class[ \t]{1,9}([\w:]{1,120})[ \t]{0,9}<[ \t]{0,9}([\w:]{1,120})/gm;

function heirsOf(files: readonly ScannedFile[], reach: ReadonlyMap<string, unknown>): string[] {
  const ruby = files.filter(({ path }) => path.endsWith('.rb'));
  const before = new Set<string>();
  for (const { path, text } of ruby)
    if (reach.has(path) && RUNS_BEFORE.test(text))
      for (const [, name = ''] of text.matchAll(MADE_FROM)) before.add(name);
  if (before.size === 0) return [];
  return ruby.flatMap(({ path, text }) =>
    !reach.has(path) && [...text.matchAll(MADE_FROM)].some(([, , base = '']) => before.has(base))
      ? [path]
      : [],
  );
}

const MAX_INCLUDING_FILES = 3;
const INCLUDES = /\b(?:include|require)(?:_once)?\b([^;]{1,200})/gi;
const FILE_NAME = /[\w.-]{1,80}\.(?:php|inc|phtml)\b/g;

function includersOf(files: readonly ScannedFile[], reach: ReadonlyMap<string, unknown>): string[] {
  const names = new Set([...reach.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const isMeant = (given: string) =>
    given.includes('$') || (given.match(FILE_NAME) ?? []).some((one) => names.has(one));
  return files.flatMap(({ path, text }) =>
    !reach.has(path) &&
    grammarOf(path)?.name === 'PHP' &&
    [...text.matchAll(INCLUDES)].some(([, given = '']) => isMeant(given))
      ? [path]
      : [],
  );
}

function searchUnits(
  files: readonly ScannedFile[],
  units: ProgramFiles,
  reach: ReadonlyMap<string, readonly number[] | 'all'>,
  entries: Map<string, (fn: FunctionNode) => boolean>,
  begin: (path: string) => void,
) {
  const whole: { unit: ProgramFile; alone: (fn: FunctionNode) => boolean }[] = [];
  let total = MAX_EVALUATIONS;
  let left = 0;
  // All files share one limit of work, so files without untrusted input are analysed last.
  const [first, last] = [true, false].map((own) =>
    files.filter(({ path }) => (reach.get(path)?.length !== 0) === own),
  );
  for (const { path, text } of [...(first ?? []), ...(last ?? [])]) {
    const places = reach.get(path);
    if (!places) continue;
    begin(path);
    const share = Math.min(total, evaluationsFor(text.length));
    units.budget.left = share;
    const unit = share > 0 ? units.open(path) : undefined;
    if (!unit) {
      left++;
      continue;
    }
    const alone = reachedAlone(unit);
    const entry = entryTest(unit, places);
    entries.set(path, (fn) => entry(fn) || alone(fn));
    analysePending(unit.run);
    if (units.budget.left > 0) whole.push({ unit, alone });
    total -= share - Math.max(0, units.budget.left);
  }
  return { whole, left };
}

function entryTest(unit: ProgramFile, places: readonly number[] | 'all'): (fn: FunctionNode) => boolean {
  if (places === 'all') return () => true;
  const { program, text, language } = unit;
  const reached = createSuspectFunctionTest(program, text, language.rules.comments, {
    words: new Set(),
    places,
  });
  return (fn) => reached(fn) || fn.marks.length > 0;
}

function reachedAlone({ program, text, language }: ProgramFile): (fn: FunctionNode) => boolean {
  const suspects = suspectsIn(language.rules, text, language.template !== undefined);
  return suspects ? createSuspectFunctionTest(program, text, language.rules.comments, suspects) : () => false;
}

function refutedIn(
  { run, program, text, language, flows, settled, reported }: ProgramFile,
  alone: (fn: FunctionNode) => boolean,
): RawFinding[] {
  const template = language.template !== undefined;
  const file = {
    path: run.path,
    lines: createLineIndex(text),
    size: text.length,
    deep: true,
    template,
    isReached: alone,
  };
  return analyse(program, language.rules, file).flatMap(({ id, line, trace }): RawFinding[] => {
    const key = `${id}:${line}`;
    // Findings about a parameter stay, because callers outside of these files may pass untrusted input.
    const stands = trace ? trace[0]?.note.startsWith('parameter ') : !settled.has(key) || reported.has(key);
    if (stands || flows.has(key)) return [];
    return [{ id, path: run.path, line, severity: 'info', title: '', description: '', fix: '' }];
  });
}
