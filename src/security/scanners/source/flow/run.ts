import type { Severity } from '../../../../lib/severity.ts';
import type { IndexedRules } from '../compiled.ts';
import type { Expr, FunctionNode, Stmt } from '../ir.ts';
import type {
  AbstractValue,
  AnalysedFile,
  ClassInfo,
  Closure,
  FlowStep,
  LinkedImport,
  VariableScope,
} from './values/value.ts';

export interface Weakness {
  readonly rule: string;
  readonly line: number;
  readonly severity?: Severity;
  readonly flow?: FlowStep;
  readonly secret?: string;
}

/** The two main functions of the analysis. Other modules call them through this object to avoid cyclic imports. */
export interface TaintFlowEngine {
  evaluate(run: AnalysisRun, expr: Expr, scope: VariableScope): AbstractValue;
  execute(run: AnalysisRun, body: readonly Stmt[], scope: VariableScope): void;
}

export interface SettingsFileEntry {
  readonly path: string;
  readonly line: number;
  readonly value: string;
}

/** Access to other files during the analysis of a file. Functions return undefined for undeclared names. */
export interface CrossFileLinker {
  imported(from: AnalysisRun, module: string, name: string): LinkedImport | undefined;
  named(from: AnalysisRun, name: string): AbstractValue | undefined;
  /** Finds a method in other files, either in parts of a partial class or in classes that implement `of`. */
  methodOf(of: ClassInfo, name: string): Closure | undefined;
  setting(key: string, file: string | undefined, from: AnalysisRun): SettingsFileEntry | undefined;
  /** Name of the class if the last call of `methodOf` found too many candidates to try all of them. */
  passedOver?: string | undefined;
  /** Records that untrusted input reaches a class with too many implementations to analyse. */
  cut(name: string): void;
  report(path: string, weakness: Weakness): void;
  include(from: AnalysisRun, file: string, scope: VariableScope): boolean;
  filesIn(from: AnalysisRun, folder: string): readonly string[];
  render(name: string, from: AnalysisRun, data: ReadonlyMap<string, AbstractValue>): void;
  /** Returns the start of a data flow if an OpenAPI document names the function, so that requests can call it. */
  operation(path: string, name: string): FlowStep | undefined;
  readonly unescaped: boolean;
}

export interface AnalysisRun extends AnalysedFile {
  readonly engine: TaintFlowEngine;
  readonly rules: IndexedRules;
  readonly deep: boolean;
  readonly template?: boolean;
  imports: string;
  readonly linker?: CrossFileLinker;
  readonly budget: { left: number };
  readonly frames: {
    readonly fn: FunctionNode;
    readonly returns: AbstractValue[];
    readonly decorators: readonly string[];
  }[];
  /** Values that the last call assigned to `out` and `ref` arguments (C#), by argument position. */
  puts?: ReadonlyMap<number, AbstractValue> | undefined;
  /** Loops around the current statement. `exits` contains the variables at each `break`. */
  readonly loops: { readonly base: VariableScope; readonly exits: VariableScope[] }[];
  readonly pending: Closure[];
  readonly seen: Set<FunctionNode>;
  handed?: Map<
    FunctionNode,
    { readonly path: string; readonly args: readonly { readonly value: AbstractValue }[] }
  >;
  /** True if a condition has checked a call's result. Later equal calls then count as checked. */
  checksCalls?: true;
  /** Names for anonymous functions: the name of the variable to which the function is assigned. */
  named?: Map<FunctionNode, string>;
  options?: number | undefined;
  /** Number of enclosing branches (`if`) that run only on a developer's machine. */
  development?: number | undefined;
  readonly results: Map<
    FunctionNode,
    Map<string, { readonly value: AbstractValue; readonly self?: AbstractValue }>
  >;
  isReached(fn: FunctionNode): boolean;
  report(weakness: Weakness): void;
  /** Withdraws a finding about a single file, because other files pass only harmless values. */
  settle?(rule: string, line: number): void;
}
