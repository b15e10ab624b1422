import type { FileFinding } from '../../../findings/hide.ts';
import type { ScannedFile } from '../../../scans/scanner.ts';
import { linesOf } from '../../../trees/lines.ts';
import { collectWeaknesses, createRun, findingOf, runFile, type Shared } from '../analyse.ts';
import type { Linker, Run } from '../flow/run.ts';
import { scopeIn } from '../flow/values/scope.ts';
import type { Scope } from '../flow/values/value.ts';
import type { Parser } from '../grammars.ts';
import type { Fn, Program } from '../ir.ts';
import { codeIn, type Language, languageOf } from '../languages.ts';
import type { OwnRules } from '../rules/own.ts';
import type { SyntaxTree } from '../syntax-tree.ts';
import { crosses } from './crosses.ts';

/** Characters of files that one pass parses: their trees stay in memory. */
const MAX_PARSED_CHARACTERS = 16_000_000;
/** Files that are begun while another one begins. */
const MAX_NESTED_FILES = 16;
/** It is reported where the generator is called, and that file shows it alone. */
const WEAK_RANDOM = 'source/weak-random';
const NO_FUNCTION: Fn = { name: '', params: [], marks: [], body: [], line: 0 };

/** A file that was parsed. */
export interface Unit {
  readonly run: Run;
  readonly program: Program;
  readonly text: string;
  readonly language: Language;
  /** Rules with lines, as `rule:line`, where a data flow ends. */
  readonly flows: Set<string>;
  /** The same of all that is reported. */
  readonly reported: Set<string>;
  /** The same where another file decides that a call is harmless, or a setting does. */
  readonly settled: Set<string>;
  /** What it declares; undefined before it is begun. */
  scope?: Scope;
}

/** Files of one language that are read together, each parsed when something of it is first used. */
export interface Units {
  /** Parsed; undefined for a file past the bounds. */
  read(path: string): Unit | undefined;
  /** Parsed and begun: its own statements have run. */
  open(path: string): Unit | undefined;
  /** Weaknesses whose data flow leads through several files. */
  findings(): FileFinding[];
  /** Frees the trees of what was parsed: functions that were not used before can no longer be. */
  close(): void;
  /** Expressions that may still be evaluated. */
  readonly budget: { left: number };
  /** Files past the bounds, of which something was wanted. */
  readonly unread: ReadonlySet<string>;
}

export interface UnitParts {
  readonly files: readonly ScannedFile[];
  readonly parser: Parser;
  /** Those that a user brought. */
  readonly rules?: OwnRules;
  /** Asked for once, when the first file is parsed. */
  linkerOf(units: Units): Linker;
  isReached(unit: Unit, fn: Fn): boolean;
}

export function createUnits({ files, parser, rules, linkerOf, isReached }: UnitParts): Units {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const units = new Map<string, Unit | undefined>();
  const collected = new Map<string, () => FileFinding[]>();
  const shared: Shared = { budget: { left: 0 }, frames: [], loops: [], results: new Map() };
  const trees: SyntaxTree[] = [];
  const unread = new Set<string>();
  let [parsed, nested] = [0, 0];
  let linker: Linker | undefined;

  function read(path: string): Unit | undefined {
    if (units.has(path)) return units.get(path);
    const [shown, language] = [texts.get(path), languageOf(path, rules)];
    if (shown === undefined || !language) return undefined;
    const text = codeIn(language, shown);
    parsed += text.length;
    if (parsed > MAX_PARSED_CHARACTERS) {
      unread.add(path);
      return undefined;
    }
    const tree = parser.parse(language, text);
    trees.push(tree);
    const program = language.lower(tree.root, text);
    const found = collectWeaknesses(language.rules);
    collected.set(path, () => {
      const lines = linesOf(shown);
      return found.all().map((weakness) => findingOf(weakness, language.rules, { path, lines, deep: true }));
    });
    const own: Pick<Run, 'path' | 'deep' | 'template' | 'isReached' | 'report' | 'settle'> = {
      path,
      deep: true,
      template: language.template !== undefined,
      isReached: (fn) => isReached(unit, fn),
      settle: (rule, line) => unit.settled.add(`${rule}:${line}`),
      report: (weakness) => {
        unit.reported.add(`${weakness.rule}:${weakness.line}`);
        if (weakness.flow) unit.flows.add(`${weakness.rule}:${weakness.line}`);
        if (weakness.rule !== WEAK_RANDOM && weakness.flow && crosses(weakness.flow, path))
          found.report(weakness);
      },
    };
    linker ??= linkerOf(self);
    const run = createRun(language.rules, own, { ...shared, linker });
    const unit: Unit = {
      run,
      program,
      text,
      language,
      flows: new Set(),
      settled: new Set(),
      reported: new Set(),
    };
    units.set(path, unit);
    return unit;
  }

  function open(path: string): Unit | undefined {
    const unit = read(path);
    if (!unit || unit.scope || nested >= MAX_NESTED_FILES) return unit;
    nested++;
    const loops = shared.loops.splice(0);
    shared.frames.push({ fn: NO_FUNCTION, returns: [], decorators: [] });
    // Files that import each other meet what the first has declared so far.
    unit.scope = scopeIn(undefined);
    runFile(unit.run, unit.program, unit.scope);
    shared.frames.pop();
    shared.loops.splice(0, shared.loops.length, ...loops);
    nested--;
    return unit;
  }

  const self: Units = {
    read,
    open,
    budget: shared.budget,
    unread,
    findings: () => [...collected.values()].flatMap((all) => all()),
    close() {
      for (const tree of trees.splice(0)) tree.free();
    },
  };
  return self;
}
