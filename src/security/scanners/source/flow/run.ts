import type { Severity } from '../../../../lib/severity.ts';
import type { IndexedRules } from '../compiled.ts';
import type { Expr, Fn, Stmt } from '../ir.ts';
import type {
  AbstractValue,
  AnalysedFile,
  ClassInfo,
  Closure,
  FlowStep,
  LinkedImport,
  Scope,
} from './values/value.ts';

export interface Weakness {
  readonly rule: string;
  readonly line: number;
  readonly severity?: Severity;
  readonly flow?: FlowStep;
  readonly secret?: string;
}

export interface CallFrame {
  readonly fn: Fn;
  readonly returns: AbstractValue[];
  readonly decorators: readonly string[];
}

/** The two main functions of the analysis. Modules call them through this object, since imports would be cyclic. */
export interface FlowEngine {
  evaluate(run: AnalysisRun, expr: Expr, scope: Scope): AbstractValue;
  execute(run: AnalysisRun, body: readonly Stmt[], scope: Scope): void;
}

export interface SettingsFileEntry {
  readonly path: string;
  readonly line: number;
  readonly value: string;
}

/** Access to other files for the analysis of one file. Functions return undefined if the other files lack the name. */
export interface Linker {
  imported(from: AnalysisRun, module: string, name: string): LinkedImport | undefined;
  /** Finds a class or function by name, for languages in which files use others without an import. */
  named(from: AnalysisRun, name: string): AbstractValue | undefined;
  /** Finds a method in another part of a partial class, or in a class that implements the interface `of`. */
  methodOf(of: ClassInfo, name: string): Closure | undefined;
  setting(key: string): SettingsFileEntry | undefined;
  /** Name of the class for which the last `methodOf` call omitted candidates because there were too many. */
  passedOver?: string | undefined;
  /** Records a gap: outside data reaches a class for which `methodOf` omitted candidates. */
  cut(name: string): void;
  include(from: AnalysisRun, file: string, scope: Scope): boolean;
  render(name: string, from: AnalysisRun, data: ReadonlyMap<string, AbstractValue>): void;
  /** Returns the line of the OpenAPI description according to which requests call this function; undefined if none does. */
  operation(path: string, name: string): FlowStep | undefined;
  /** True if the program's templates print values without escaping by default. */
  readonly unescaped: boolean;
}

export interface AnalysisRun extends AnalysedFile {
  readonly engine: FlowEngine;
  readonly rules: IndexedRules;
  /** True if the analysis follows calls into the functions of the file. */
  readonly deep: boolean;
  readonly template?: boolean;
  imports: string;
  readonly linker?: Linker;
  /** Number of expressions that may still be evaluated, which limits the time of the analysis for any input. */
  readonly budget: { left: number };
  readonly frames: CallFrame[];
  /** Values that the last followed call assigned to its caller's variables (`out` and `ref`), by argument position. */
  puts?: ReadonlyMap<number, AbstractValue> | undefined;
  /** Loops around the current statement. `exits` has the scope at each `break`. */
  readonly loops: { readonly base: Scope; readonly exits: Scope[] }[];
  readonly pending: Closure[];
  readonly seen: Set<Fn>;
  handed?: Map<Fn, string>;
  /** Functions without a name of their own, by the variable to which they are assigned. */
  named?: Map<Fn, string>;
  options?: number | undefined;
  /** Cached results of functions, each by a text that describes its arguments. */
  readonly results: Map<Fn, Map<string, { readonly value: AbstractValue; readonly self?: AbstractValue }>>;
  /** True if the function may contain a weakness. It is then also analysed without a call. */
  isReached(fn: Fn): boolean;
  report(weakness: Weakness): void;
  /** Records that a finding is wrong because other files pass only harmless values to the call. */
  settle?(rule: string, line: number): void;
}
