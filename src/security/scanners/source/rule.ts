import type { LinearExpression } from '../../../lib/expressions/linear-expression.ts';
import type { Severity } from '../../../lib/severity.ts';
import type { Harm } from './harm.ts';
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

/** A dotted path that is compared from its end. `*.execute` matches this method of any object; `()` means a call's result. */
export type PathPattern = string;

/** Condition on an argument: a constant, one of several constants, an empty list (`[]`), a regular expression or a trait. */
export type ValueCondition = Constant | readonly Constant[] | LinearExpression | ValueTrait;

/** Condition on a list or a function. All fields that are set must be met. */
export interface ValueTrait {
  readonly has?: readonly Constant[];
  /** Constants that must be missing in the list. The condition is met only for a list that consists of constants. */
  readonly lacks?: readonly Constant[];
  /** The function must always return this constant or pass it to its callback. */
  readonly gives?: Constant;
  readonly calls?: LinearExpression;
}

/** Condition on an argument of the call. `arg` is the argument's position, from 0. */
export interface CallCondition {
  readonly arg?: number;
  readonly name?: string;
  /** Key in an object argument, also a path of nested keys: `cookie.secure`. */
  readonly key?: string;
  readonly is?: ValueCondition;
  /** True if the condition is met when the argument or the key is absent. */
  readonly absent?: true;
  /** Pattern for the argument's path, which names the variable or the call that the value comes from. */
  readonly path?: LinearExpression;
  readonly fixed?: true;
  readonly mark?: string;
  readonly unmarked?: string;
  /** A field of the object whose method is called. The field is tested instead of an argument. */
  readonly field?: string;
}

export interface TextCondition {
  readonly is: RegExp;
  /** Matches every file with such a text. Tested before the file is parsed. */
  readonly written: RegExp;
}

/** A call that is harmful when data from outside reaches one of its arguments. */
export interface Sink {
  readonly rule: string;
  readonly harm: Harm;
  readonly call: readonly PathPattern[];
  /** Arguments that must not contain outside data: positions from 0, names, all, the object itself, or all from position 1. */
  readonly args: readonly (number | string)[] | 'all' | 'receiver';
  readonly when?: readonly CallCondition[];
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
  /** Condition on the constant parts of the argument. If set, it does not matter whose method is called. */
  readonly text?: TextCondition;
  /** Keys of an object argument. The value of the first key that is present is tested. */
  readonly keys?: readonly string[];
  /** If true, only an object with all fields of a request is harmful, since the sender then chooses the fields. */
  readonly whole?: true;
  /** If true, an object with all fields of a request is harmless; single values are harmful. */
  readonly single?: true;
  /** If true, only spread arguments are harmful: `User(**fields)`. */
  readonly spread?: true;
  /** If true, the call searches a text by a regular expression that can take exponential time. The text is harmful. */
  readonly slow?: true;
  readonly made?: true;
  /** If true, the argument is a list of a program and its arguments. Only the program or a shell's command is harmful. */
  readonly argv?: true;
  /** True if only an object that a framework fills completely from a request is harmful. */
  readonly model?: true;
  /** Severity of a text built from parameters. If set, such a text is reported for any caller of the function. */
  readonly built?: Severity;
  /** Severity for data of unknown origin. If absent, such data is not reported. */
  readonly unknown?: Severity;
}

/** A member to which outside data must not be assigned: `element.innerHTML`. */
export interface MemberSink {
  readonly rule: string;
  readonly harm: Harm;
  readonly member: readonly PathPattern[];
  readonly key?: true;
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
}

export interface CallCheck {
  readonly rule: string;
  readonly call: readonly PathPattern[];
  readonly when?: readonly CallCondition[];
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
  readonly severity?: Severity;
}

/** An assignment that is a weakness without any outside data: `NODE_TLS_REJECT_UNAUTHORIZED = '0'`. */
export interface AssignmentCheck {
  readonly rule: string;
  readonly member: readonly PathPattern[];
  readonly is: ValueCondition;
  /** If true, only constant values are tested. Otherwise the name of an assigned constant is tested too. */
  readonly constant?: true;
  readonly imports?: LinearExpression;
  readonly severity?: Severity;
}

export interface ObjectKeyCheck {
  readonly rule: string;
  readonly key: RegExp;
  readonly is: ValueCondition;
  readonly beside?: { readonly key: string; readonly is: ValueCondition };
  readonly severity?: Severity;
}

export interface TaintSource {
  readonly path: readonly PathPattern[];
  /** Origin of the data. Data of origin `stored` is reported only where a page shows it, with low severity. */
  readonly origin: 'request' | 'stored' | 'input';
  readonly note: string;
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
}

export interface ParamSource {
  readonly name?: LinearExpression;
  readonly type?: LinearExpression;
  readonly mark?: LinearExpression;
  readonly decorator?: LinearExpression;
  readonly beside?: LinearExpression;
  /** Pattern for an annotation. A parameter with this annotation is not a source, since it contains other data. */
  readonly without?: LinearExpression;
  /** Pattern for the call to which the function is passed, directly or as the option `handler`. For the first parameter only. */
  readonly given?: LinearExpression;
  readonly path?: string;
  /** True if the whole parameter is outside data. Otherwise only the members of `path` that a source names are. */
  readonly taints?: true;
  readonly imports?: LinearExpression;
}

export interface Sanitizer {
  readonly call: readonly PathPattern[];
  readonly harms: readonly Harm[] | 'all';
  readonly resolves?: true;
}

/** A call that changes a setting of its object, such as `parser.setFeature(external_ges, True)`. It marks the object. */
export interface ObjectMarker {
  readonly call: readonly PathPattern[];
  readonly mark: string;
  readonly when?: readonly CallCondition[];
  /** If true, the result of the call is marked in place of its object. */
  readonly result?: true;
}

export interface RenderCall {
  readonly call: readonly PathPattern[];
  readonly name: number;
  /** Position of the argument that is an object with the template's data; `names` if each named argument is a value. */
  readonly data: number | 'names';
}

export interface FillCall {
  readonly call: readonly PathPattern[];
  readonly into: number;
  /** If true, the call writes its other arguments into the object. Otherwise it writes data of the request. */
  readonly given?: true;
}

export interface DigestCall {
  readonly call: readonly PathPattern[];
  readonly of: LinearExpression;
}

/** A rule for functions whose return value a framework sends to the client because of their decorator. */
export interface ReturnSink {
  readonly rule: string;
  readonly harm: Harm;
  readonly decorator: LinearExpression;
  readonly imports?: LinearExpression;
  /** Pattern for a second decorator. The rule does not apply to functions with this decorator. */
  readonly unless?: LinearExpression;
  readonly text?: TextCondition;
}

export interface LanguageRules {
  readonly comments: CommentSyntax;
  /** Global pattern for import statements. If absent, module names are searched for in the whole text. */
  readonly importing?: RegExp;
  /** Names of modules. A pattern that begins with such a name applies only to files that import the module. */
  readonly modules?: readonly string[];
  /** Global patterns for other spellings of a call's name: `include` also means `require_once`. */
  readonly writtenAs?: Readonly<Record<string, RegExp>>;
  readonly sources: readonly TaintSource[];
  readonly params: readonly ParamSource[];
  /** Members of request data that the sender cannot choose. */
  readonly harmless: readonly PathPattern[];
  readonly sinks: readonly Sink[];
  readonly memberSinks: readonly MemberSink[];
  readonly returns: readonly ReturnSink[];
  readonly checks: readonly CallCheck[];
  readonly memberChecks: readonly AssignmentCheck[];
  readonly keyChecks: readonly ObjectKeyCheck[];
  readonly cleaners: readonly Sanitizer[];
  readonly markers: readonly ObjectMarker[];
  readonly random: readonly PathPattern[];
  readonly clocks: readonly PathPattern[];
  /** Digests of public data: their calls, and names of the digested arguments. Others can compute these digests. */
  readonly guessed: readonly DigestCall[];
  readonly renders: readonly RenderCall[];
  readonly fills: readonly FillCall[];
  /** Calls that return their first argument or its first element, such as a response created from its body. */
  readonly wholes: readonly PathPattern[];
  readonly own?: ReadonlyMap<string, SourceRule>;
}
