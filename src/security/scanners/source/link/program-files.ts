import type { UnmaskedFinding } from '../../../findings/hide.ts';
import type { ScannedFile } from '../../../scans/scanner.ts';
import { createLineIndex } from '../../../trees/lines.ts';
import {
  analyseProgram,
  createAnalysisRun,
  createWeaknessList,
  findingOf,
  type SharedAnalysisState,
} from '../analyse.ts';
import type { AnalysisRun, CrossFileLinker } from '../flow/run.ts';
import { createVariableScope } from '../flow/values/scope.ts';
import type { FlowStep, VariableScope } from '../flow/values/value.ts';
import type { SyntaxParser } from '../grammars.ts';
import type { FunctionNode, LoweredProgram } from '../ir.ts';
import { type AnalysedLanguage, codeIn, languageOf } from '../languages.ts';
import type { UserRules } from '../rules/own.ts';
import type { SyntaxTree } from '../syntax-tree.ts';

/** Maximum number of characters parsed in one analysis. All syntax trees stay in memory until the end. */
const MAX_PARSED_CHARACTERS = 16_000_000;
const MAX_NESTED_FILES = 16;
/** Rule that the search across files ignores, because the scan of each file already reports its findings. */
const WEAK_RANDOM = 'source/weak-random';
const NO_FUNCTION: FunctionNode = { name: '', params: [], marks: [], body: [], line: 0 };

export interface ProgramFile {
  readonly run: AnalysisRun;
  readonly program: LoweredProgram;
  readonly text: string;
  readonly language: AnalysedLanguage;
  /** Reported data flows as `rule:line`. The line is where the data flow ends. */
  readonly flows: Set<string>;
  readonly reported: Set<string>;
  readonly settled: Set<string>;
  scope?: VariableScope;
}

export interface ProgramFiles {
  read(path: string): ProgramFile | undefined;
  open(path: string): ProgramFile | undefined;
  findings(): UnmaskedFinding[];
  /** Frees all syntax trees. After that, no function can be analysed. */
  close(): void;
  readonly budget: { left: number };
  readonly unread: ReadonlySet<string>;
}

export function createProgramFiles({
  files,
  parser,
  rules,
  linkerOf,
  isReached,
}: {
  readonly files: readonly ScannedFile[];
  readonly parser: SyntaxParser;
  readonly rules?: UserRules;
  /** Creates the linker, which finds functions and values of other files. Called once, for the first file. */
  linkerOf(units: ProgramFiles): CrossFileLinker;
  isReached(unit: ProgramFile, fn: FunctionNode): boolean;
}): ProgramFiles {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const units = new Map<string, ProgramFile | undefined>();
  const collected = new Map<string, () => UnmaskedFinding[]>();
  const shared: SharedAnalysisState = { budget: { left: 0 }, frames: [], loops: [], results: new Map() };
  const trees: SyntaxTree[] = [];
  const unread = new Set<string>();
  let [parsed, nested] = [0, 0];
  let linker: CrossFileLinker | undefined;

  function read(path: string): ProgramFile | undefined {
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
    const found = createWeaknessList(language.rules);
    collected.set(path, () => {
      const lines = createLineIndex(shown);
      return found.all().map((weakness) => findingOf(weakness, language.rules, { path, lines, deep: true }));
    });
    const own: Pick<AnalysisRun, 'path' | 'deep' | 'template' | 'isReached' | 'report' | 'settle'> = {
      path,
      deep: true,
      template: language.template !== undefined,
      isReached: (fn) => isReached(unit, fn),
      settle: (rule, line) => unit.settled.add(`${rule}:${line}`),
      report: (weakness) => {
        unit.reported.add(`${weakness.rule}:${weakness.line}`);
        if (weakness.flow) unit.flows.add(`${weakness.rule}:${weakness.line}`);
        if (weakness.rule !== WEAK_RANDOM && weakness.flow && isCrossFileFlow(weakness.flow, path))
          found.report(weakness);
      },
    };
    linker ??= linkerOf(self);
    const run = createAnalysisRun(language.rules, own, { ...shared, linker });
    const unit: ProgramFile = {
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

  function open(path: string): ProgramFile | undefined {
    const unit = read(path);
    if (!unit || unit.scope || nested >= MAX_NESTED_FILES) return unit;
    nested++;
    const loops = shared.loops.splice(0);
    shared.frames.push({ fn: NO_FUNCTION, returns: [], decorators: [] });
    // The scope is set before the analysis, so that a circular import sees the names declared so far.
    unit.scope = createVariableScope(undefined);
    analyseProgram(unit.run, unit.program, unit.scope);
    shared.frames.pop();
    shared.loops.splice(0, shared.loops.length, ...loops);
    nested--;
    return unit;
  }

  const self: ProgramFiles = {
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

function isCrossFileFlow(flow: FlowStep, path: string): boolean {
  for (let at: FlowStep | undefined = flow; at; at = at.before) if (at.path !== path) return true;
  return false;
}
