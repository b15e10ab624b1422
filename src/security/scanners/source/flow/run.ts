import type { Severity } from '../../../../lib/severity.ts';
import type { CompiledRules } from '../compiled.ts';
import type { Expr, Fn, Stmt } from '../ir.ts';
import type { ClassOf, Closure, FlowStep, Home, Linked, Scope, Value } from './values/value.ts';

/** A weakness as the analysis reports it. */
export interface Weakness {
  readonly rule: string;
  readonly line: number;
  readonly severity?: Severity;
  readonly flow?: FlowStep;
  /** A secret in the line, which no answer may hold. */
  readonly secret?: string;
}

/** A call of a function that is being followed. */
export interface Frame {
  readonly fn: Fn;
  readonly returns: Value[];
  /** Paths of what decorates it: a rule may say that what it returns is shown. */
  readonly decorators: readonly string[];
}

/**
 * The two functions that all parts of the analysis call and that call all parts: each part reaches them through the
 * run, so that no file imports one that imports it.
 */
export interface Engine {
  evaluate(run: Run, expr: Expr, scope: Scope): Value;
  execute(run: Run, body: readonly Stmt[], scope: Scope): void;
}

/** What a file of settings says by a name. */
export interface Setting {
  readonly path: string;
  readonly line: number;
  readonly value: string;
}

/** Other files of the program, as one of them knows them; what is not found in them is undefined. */
export interface Linker {
  /** By what an import says. */
  imported(from: Run, module: string, name: string): Linked | undefined;
  /** A class or a function by its name, where the language needs no import for it. */
  named(from: Run, name: string): Value | undefined;
  /** A method that another part of a class has, or a class that is written for an interface. */
  methodOf(of: ClassOf, name: string): Closure | undefined;
  /** What the program's files of settings say by a name. */
  setting(key: string): Setting | undefined;
  /** A class of which `methodOf` has just left something out, since too many files or classes have it. */
  passedOver?: string | undefined;
  /** Data from outside goes to a class of which something was left out. */
  cut(name: string): void;
  /** Runs a file that is written into the present one; false where it is not found. */
  include(from: Run, file: string, scope: Scope): boolean;
  /** Runs a template with what its program puts in. */
  render(name: string, from: Run, data: ReadonlyMap<string, Value>): void;
  /** What says that requests call a function of a file by its name. */
  operation(path: string, name: string): FlowStep | undefined;
  /** Templates of the program escape nothing by themselves. */
  readonly unescaped: boolean;
}

/** One file's analysis: what all of its parts share. */
export interface Run extends Home {
  readonly engine: Engine;
  readonly rules: CompiledRules;
  /** Calls are followed into the file's functions. */
  readonly deep: boolean;
  /** A template: nothing is known of names that it does not declare. */
  readonly template?: boolean;
  /** What the file imports, in one text. */
  imports: string;
  /** Other files of the program, where flow crosses files. */
  readonly linker?: Linker;
  /** Expressions that may still be evaluated: an analysis ends in bounded time, however its files are written. */
  readonly budget: { left: number };
  readonly frames: Frame[];
  /** What the last function that was followed left in its caller's variables, by the place of the argument. */
  puts?: ReadonlyMap<number, Value> | undefined;
  /** Loops around the present statement; each holds the scopes that `break` left. */
  readonly loops: { readonly base: Scope; readonly exits: Scope[] }[];
  /** Functions to analyse by themselves when the scope around them is done. */
  readonly pending: Closure[];
  readonly seen: Set<Fn>;
  /** Calls that functions are handed to, by their paths. */
  handed?: Map<Fn, string>;
  /** Functions that are called by the variable that holds them. */
  named?: Map<Fn, string>;
  /** Branches around the present statement that an option of the user's chooses. */
  options?: number | undefined;
  /** What functions returned, by the signature of their arguments. */
  readonly results: Map<Fn, Map<string, { readonly value: Value; readonly self?: Value }>>;
  /** Whether a weakness may be in a function: it is then analysed by itself, and not only where others call it. */
  isReached(fn: Fn): boolean;
  report(weakness: Weakness): void;
  /** Other files decide what is given to a call: nothing harmful, or a setting. */
  settle?(rule: string, line: number): void;
}
