import type { LinearRegex } from '../../../lib/expressions/linear-expression.ts';
import type { Severity } from '../../../lib/severity.ts';
import type { RawFinding } from '../../findings/finding.ts';
import type { HarmKind } from './harm.ts';
import type { Constant } from './ir.ts';
import type { CommentSyntax } from './words.ts';

export interface SourceRule extends Pick<RawFinding, 'id' | 'title' | 'severity' | 'description' | 'fix'> {
  readonly cwe: readonly string[];
}

/** Pattern for a dotted path: `fs.readFile`. `*` in `*.run` is any object. `a()` in `a().b` is a call's result. */
export type CodePathPattern = string;

/** Condition on an argument: one or several constants, an empty list (`[]`), a pattern or a `ValueTrait`. */
export type ValueCondition = Constant | readonly Constant[] | LinearRegex | ValueTrait;

export interface ValueTrait {
  readonly has?: readonly Constant[];
  readonly lacks?: readonly Constant[];
  /** The value must be a function that gives this constant: `() => true` or `done => done(null, true)`. */
  readonly gives?: Constant;
  readonly calls?: LinearRegex;
  /** The value must be a function whose code contains no name that matches this pattern, such as `origin`. */
  readonly ignores?: LinearRegex;
  readonly below?: number;
  readonly fixed?: true;
  /** The value must be a number in which one of these bits is set, for example a file's permissions. */
  readonly bits?: number;
}

export interface CallCondition {
  readonly arg?: number;
  readonly name?: string;
  /** Key in an object argument. A dotted key is nested: `cookie.secure`. */
  readonly key?: string;
  readonly is?: ValueCondition;
  readonly absent?: true;
  /** Pattern for the argument's path. The path names the variable or call that the value comes from. */
  readonly path?: LinearRegex;
  readonly begins?: LinearRegex;
  readonly fixed?: true;
  readonly mark?: string;
  readonly unmarked?: string;
  /** Field of the object whose method is called. If set, the field is tested instead of an argument. */
  readonly field?: string;
}

export interface TextCondition {
  readonly is: RegExp;
  /** Test of the whole file before parsing. It must match every file in which `is` can match. */
  readonly written: RegExp;
}

interface RuleEntry {
  readonly rule: string;
  readonly imports?: LinearRegex;
  readonly severity?: Severity;
}

/** A sink: a call that is dangerous if untrusted input reaches one of its arguments. */
export interface CallSink extends RuleEntry {
  readonly harm: HarmKind;
  readonly call: readonly CodePathPattern[];
  /** Arguments that must not be untrusted: positions from 0, names, all, or the called object (`receiver`). */
  readonly args: readonly (number | string)[] | 'all' | 'receiver';
  readonly when?: readonly CallCondition[];
  readonly on?: LinearRegex;
  /** Condition on the argument's constant text. `*.query`, for example, is a sink only if the text is SQL. */
  readonly text?: TextCondition;
  /** Keys to test in an object argument. Only the value of the first key that exists is tested. */
  readonly keys?: readonly string[];
  /** If true, only a whole object such as `req.query` is dangerous, because the sender chooses its keys. */
  readonly wholeRequest?: true;
  /** If true, only single fields such as `req.query.id` are dangerous, and not the whole object `req.query`. */
  readonly singleField?: true;
  /** If true, only the fields of a spread argument are dangerous, as in `User(**fields)`. */
  readonly spread?: true;
  /** If true, the call is dangerous only with a regular expression that can take exponential time. */
  readonly slow?: true;
  readonly withNew?: true;
  /** If true, the argument is a list: a program and its arguments, for example `['sh', '-c', text]`. */
  readonly argv?: true;
  /** If true, only an object that a framework fills from a request is dangerous (mass assignment). */
  readonly model?: true;
  /** Severity for a text joined from constants and variables, whatever the origin of the variables. */
  readonly built?: Severity;
  /** Severity for data of unknown origin. If undefined, such data is not reported. */
  readonly unknown?: Severity;
  /** Severity if the argument is a parameter of a function whose callers are unknown. Default: no finding. */
  readonly parameter?: Severity;
  /** Severity for any argument that is not a constant. Set for calls that run a text as code. */
  readonly unfixed?: Severity;
}

/** A sink: a member to which untrusted input must not be assigned, for example `element.innerHTML`. */
export interface MemberSink extends RuleEntry, Pick<CallSink, 'harm' | 'on' | 'built' | 'parameter'> {
  readonly member: readonly CodePathPattern[];
  readonly key?: true;
}

export interface CallCheck extends RuleEntry {
  readonly call: readonly CodePathPattern[];
  /** Pattern of variable names. An argument must contain such a variable, for example `password` in a log. */
  readonly shows?: LinearRegex;
  readonly when?: readonly CallCondition[];
  readonly on?: LinearRegex;
}

/** An assignment that is a weakness even without untrusted input: `NODE_TLS_REJECT_UNAUTHORIZED = '0'`. */
export interface AssignmentCheck extends RuleEntry {
  readonly member: readonly CodePathPattern[];
  readonly is: ValueCondition;
  /** If true, `is` tests only the assigned value, and not a name such as `CipherMode.ECB`. */
  readonly constant?: true;
}

export interface ObjectKeyCheck extends RuleEntry {
  readonly key: RegExp;
  readonly is: ValueCondition;
  /** Condition on another key of the same object. With `absent`, the object must not have the key. */
  readonly beside?: { readonly key: string; readonly is: ValueCondition; readonly absent?: true };
}

export interface TaintSource {
  readonly path: readonly CodePathPattern[];
  /** Origin of the data. `stored` (from a database) is reported only if a page shows it, with low severity. */
  readonly origin: 'request' | 'stored' | 'input' | 'param';
  readonly note: string;
  /** Kinds of harm that the data cannot do. A part of a URL, for example, cannot contain NoSQL operators. */
  readonly harmless?: readonly HarmKind[];
  readonly imports?: LinearRegex;
  readonly on?: LinearRegex;
}

export interface ParamSource {
  readonly name?: LinearRegex;
  readonly type?: LinearRegex;
  readonly mark?: LinearRegex;
  readonly decorator?: LinearRegex;
  readonly beside?: LinearRegex;
  /** Pattern of annotations. Parameters with such an annotation contain no request data. */
  readonly without?: LinearRegex;
  /** Pattern for a call that has the function as an argument, for example `socket.on` for a message handler. */
  readonly givenTo?: LinearRegex;
  /** Pattern for the function's name, or for the variable or member to which the function is assigned. */
  readonly function?: LinearRegex;
  readonly path?: string;
  /** If true, the parameter itself is untrusted input, and not only its members that `sources` lists. */
  readonly taints?: true;
  readonly imports?: LinearRegex;
}

/** A call that changes a setting: `parser.setFeature(..)`. `mark` is then added to the called object. */
export interface ObjectMarker {
  readonly call: readonly CodePathPattern[];
  readonly mark: string;
  readonly when?: readonly CallCondition[];
  /** If true, `mark` is added to the result of the call, and not to the called object. */
  readonly result?: true;
}

/** A sink: the return value of a function with `decorator`. A framework sends the value to clients. */
export interface ReturnSink extends Pick<CallSink, 'rule' | 'harm' | 'imports' | 'text' | 'keys'> {
  readonly decorator: LinearRegex;
  readonly unless?: LinearRegex;
}

export interface LanguageFlowRules {
  readonly comments: CommentSyntax;
  /** Pattern for import statements, with flag `g`. If undefined, the whole text is searched for module names. */
  readonly importing?: RegExp;
  /** Names of modules. A pattern that begins with a module's name applies only to files that import the module. */
  readonly modules?: readonly string[];
  /** Patterns, with flag `g`, of other spellings of a name: `require_once` for the name `include`. */
  readonly writtenAs?: Readonly<Record<string, RegExp>>;
  readonly sources: readonly TaintSource[];
  readonly params: readonly ParamSource[];
  /** Members of a request that are safe, because the sender cannot choose their value. */
  readonly harmless: readonly CodePathPattern[];
  readonly sinks: readonly CallSink[];
  readonly memberSinks: readonly MemberSink[];
  readonly returns: readonly ReturnSink[];
  readonly checks: readonly CallCheck[];
  readonly memberChecks: readonly AssignmentCheck[];
  readonly keyChecks: readonly ObjectKeyCheck[];
  readonly cleaners: readonly {
    readonly call: readonly CodePathPattern[];
    readonly harms: readonly HarmKind[] | 'all';
    readonly resolves?: true;
    /** If true, the call escapes quotes. The result is safe in SQL only between quotes. */
    readonly quoted?: true;
  }[];
  readonly markers: readonly ObjectMarker[];
  readonly random: readonly CodePathPattern[];
  readonly clocks: readonly CodePathPattern[];
  /** Calls that compute digests, such as `md5`. The digest of public data can be computed by anyone. */
  readonly guessed: readonly { readonly call: readonly CodePathPattern[]; readonly of: LinearRegex }[];
  readonly renders: readonly {
    readonly call: readonly CodePathPattern[];
    readonly name: number;
    /** Position of the argument with the template's variables. `names`: each named argument is a variable. */
    readonly data: number | 'names';
  }[];
  readonly fills: readonly {
    readonly call: readonly CodePathPattern[];
    readonly into: number;
    /** If true, the call copies its other arguments, not request data, into the argument `into`. */
    readonly fromArgs?: true;
  }[];
  /** Calls whose result is as dangerous as the first argument, for example `make_response(body)`. */
  readonly wholes: readonly CodePathPattern[];
  readonly own?: ReadonlyMap<string, SourceRule>;
}
