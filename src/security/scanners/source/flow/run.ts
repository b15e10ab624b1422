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
  /** Secret in the line of the weakness, which no answer may show. */
  readonly secret?: string;
}

export interface CallFrame {
  readonly fn: Fn;
  readonly returns: AbstractValue[];
  readonly decorators: readonly string[];
}

/** The two functions that all modules of the analysis call. They are called through an object to avoid import cycles. */
export interface FlowEngine {
  evaluate(run: AnalysisRun, expr: Expr, scope: Scope): AbstractValue;
  execute(run: AnalysisRun, body: readonly Stmt[], scope: Scope): void;
}

export interface SettingsFileEntry {
  readonly path: string;
  readonly line: number;
  readonly value: string;
}

/** Gives the analysis of one file access to other files. Its functions return undefined for what the other files lack. */
export interface Linker {
  imported(from: AnalysisRun, module: string, name: string): LinkedImport | undefined;
  /** Finds a class or a function by name in languages that need no import for it. */
  named(from: AnalysisRun, name: string): AbstractValue | undefined;
  /** Finds a method in another part of a partial class, or in the classes that implement an interface. */
  methodOf(of: ClassInfo, name: string): Closure | undefined;
  setting(key: string): SettingsFileEntry | undefined;
  /** Name of the class for which the last `methodOf` call omitted candidates because there were too many. */
  passedOver?: string | undefined;
  /** Records a gap: outside data reaches a class for which `methodOf` omitted candidates. */
  cut(name: string): void;
  include(from: AnalysisRun, file: string, scope: Scope): boolean;
  render(name: string, from: AnalysisRun, data: ReadonlyMap<string, AbstractValue>): void;
  /** Returns the line of the API description that maps requests to this function; undefined if there is none. */
  operation(path: string, name: string): FlowStep | undefined;
  /** True if the program's templates escape nothing by default. */
  readonly unescaped: boolean;
}

/** The state of one file's analysis, which all parts of the analysis share. */
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
  /** The loops around the current statement; `exits` are the scopes at each `break`. */
  readonly loops: { readonly base: Scope; readonly exits: Scope[] }[];
  readonly pending: Closure[];
  readonly seen: Set<Fn>;
  handed?: Map<Fn, string>;
  /** Names of the variables to which functions without a name are assigned. */
  named?: Map<Fn, string>;
  options?: number | undefined;
  /** Cached results of functions, by the signature of their arguments. */
  readonly results: Map<Fn, Map<string, { readonly value: AbstractValue; readonly self?: AbstractValue }>>;
  /** True if a function may contain a weakness. It is then also analysed on its own, not only where it is called. */
  isReached(fn: Fn): boolean;
  report(weakness: Weakness): void;
  /** Records that other files disprove a finding, because they pass a harmless value or a setting's value to the call. */
  settle?(rule: string, line: number): void;
}
