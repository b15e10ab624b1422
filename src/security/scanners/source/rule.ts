import type { LinearRegex } from '../../../lib/expressions/linear-expression.ts';
import type { Severity } from '../../../lib/severity.ts';
import type { HarmKind } from './harm.ts';
import type { Constant } from './ir.ts';
import type { CommentSyntax } from './words.ts';

export interface SourceRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: readonly string[];
  readonly description: string;
  readonly fix: string;
}

/** Pattern for a dotted path, such as `fs.readFile`. `*.run` matches any object, `a().b` a call's result. */
export type CodePathPattern = string;

/** Condition on an argument: a constant, alternative constants, an empty list (`[]`), a regular expression or a trait. */
export type ValueCondition = Constant | readonly Constant[] | LinearRegex | ValueTrait;

export interface ValueTrait {
  readonly has?: readonly Constant[];
  readonly lacks?: readonly Constant[];
  /** The value must be a function that returns or passes on this constant. For `null`, it does nothing. */
  readonly gives?: Constant;
  readonly calls?: LinearRegex;
  /** The value must be a function of the file that mentions no such name, as one that never checks `event.origin`. */
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
  /** Matches each file that may contain a text for `is`. Tested before the file is parsed. */
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
  /** Arguments that must not be untrusted input: positions from 0, names, all, or the called object. */
  readonly args: readonly (number | string)[] | 'all' | 'receiver';
  readonly when?: readonly CallCondition[];
  readonly on?: LinearRegex;
  /** Condition on the constant parts of the argument. If set, the method may belong to any object. */
  readonly text?: TextCondition;
  /** Keys to test if an argument is an object. Only the value of the first key that exists is tested. */
  readonly keys?: readonly string[];
  /** If true, only an object with all fields of a request is dangerous: the sender then chooses the keys. */
  readonly wholeRequest?: true;
  /** If true, only single fields of a request are dangerous, and not an object with all fields. */
  readonly singleField?: true;
  /** If true, only the fields of a spread argument are dangerous, as in `User(**fields)`. */
  readonly spread?: true;
  /** If true, the call is dangerous only with a regular expression that can take exponential time. */
  readonly slow?: true;
  readonly withNew?: true;
  /** If true, the argument lists a program and its arguments. Only program and shell command are checked. */
  readonly argv?: true;
  /** If true, only an object that a framework fills from a request is dangerous (mass assignment). */
  readonly model?: true;
  /** Severity for text built from parameters. If set, the text is reported whatever the callers pass. */
  readonly built?: Severity;
  /** Severity for data of unknown origin. If undefined, such data is not reported. */
  readonly unknown?: Severity;
  /** Severity for a parameter of a function that no known code calls. By default, it is not reported. */
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
  /** Pattern of names. An argument must contain the value of such a name, for example `password` in a log. */
  readonly shows?: LinearRegex;
  readonly when?: readonly CallCondition[];
  readonly on?: LinearRegex;
}

/** An assignment that is a weakness without any input: `NODE_TLS_REJECT_UNAUTHORIZED = '0'`. */
export interface AssignmentCheck extends RuleEntry {
  readonly member: readonly CodePathPattern[];
  readonly is: ValueCondition;
  /** If true, the name of an assigned constant does not count for `is`, but only the value. */
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
  /** Origin of the data. `stored` data is reported only where a page shows it, and with low severity. */
  readonly origin: 'request' | 'stored' | 'input' | 'param';
  readonly note: string;
  /** Kinds of harm that the data cannot do. For example, a part of a URL is never a query with operators. */
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
  /** Pattern of annotations. A parameter with such an annotation does not get data from a request. */
  readonly without?: LinearRegex;
  /** Pattern of the call that gets the function as a callback. Default for `name`: the first parameter. */
  readonly givenTo?: LinearRegex;
  /** Pattern for the name of the function, or of the variable or member that it is assigned to. */
  readonly function?: LinearRegex;
  readonly path?: string;
  /** If true, the parameter itself is untrusted input. Otherwise only its members in `sources` are. */
  readonly taints?: true;
  readonly imports?: LinearRegex;
}

export interface Sanitizer {
  readonly call: readonly CodePathPattern[];
  readonly harms: readonly HarmKind[] | 'all';
  readonly resolves?: true;
  /** If true, the call escapes quotes, so that the result is safe in SQL, but only between quotes. */
  readonly quoted?: true;
}

/** A call that changes a setting of its object, such as `parser.setFeature(..)`. The object gets a mark. */
export interface ObjectMarker {
  readonly call: readonly CodePathPattern[];
  readonly mark: string;
  readonly when?: readonly CallCondition[];
  /** If true, the mark goes to the result of the call, and not to the called object. */
  readonly result?: true;
}

export interface RenderCall {
  readonly call: readonly CodePathPattern[];
  readonly name: number;
  /** Position of the argument with the template's variables. `names`: each named argument is a variable. */
  readonly data: number | 'names';
}

export interface FillCall {
  readonly call: readonly CodePathPattern[];
  readonly into: number;
  /** If true, the call copies its other arguments into the object. Otherwise the call copies request data. */
  readonly fromArgs?: true;
}

export interface DigestCall {
  readonly call: readonly CodePathPattern[];
  readonly of: LinearRegex;
}

/** A sink: return values of functions whose decorator makes a framework send the values to clients. */
export interface ReturnSink extends Pick<CallSink, 'rule' | 'harm' | 'imports' | 'text' | 'keys'> {
  readonly decorator: LinearRegex;
  readonly unless?: LinearRegex;
}

export interface LanguageFlowRules {
  readonly comments: CommentSyntax;
  /** Global pattern for import statements. If undefined, module names are searched for in the whole text. */
  readonly importing?: RegExp;
  /** Names of modules. A pattern that begins with a module's name applies only to files that import the module. */
  readonly modules?: readonly string[];
  /** Global patterns of other spellings of a name, for example `require_once` for the name `include`. */
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
  readonly cleaners: readonly Sanitizer[];
  readonly markers: readonly ObjectMarker[];
  readonly random: readonly CodePathPattern[];
  readonly clocks: readonly CodePathPattern[];
  /** Calls that compute a digest. Anyone can compute a digest of public arguments. */
  readonly guessed: readonly DigestCall[];
  readonly renders: readonly RenderCall[];
  readonly fills: readonly FillCall[];
  /** Calls whose result is treated like the first argument, for example a response made from a body. */
  readonly wholes: readonly CodePathPattern[];
  readonly own?: ReadonlyMap<string, SourceRule>;
}
