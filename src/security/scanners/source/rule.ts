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

/** A dotted path matched from its end. `*.execute` matches any object's method; `()` stands for the result of a call. */
export type PathPattern = string;

/** Condition on an argument: a constant, one of several constants, an empty list (`[]`), a regular expression or a trait. */
export type ValueCondition = Constant | readonly Constant[] | LinearExpression | ValueTrait;

/** Condition on a list or a function. All fields that are set must be met. */
export interface ValueTrait {
  readonly has?: readonly Constant[];
  /** Constants that the list must not contain. The list must consist of constants. */
  readonly lacks?: readonly Constant[];
  /** Constant that the function must always return or pass to its callback. */
  readonly gives?: Constant;
  readonly calls?: LinearExpression;
}

/** Condition on an argument of the call. The argument is given by its name or by its position, from 0. */
export interface CallCondition {
  readonly arg?: number;
  readonly name?: string;
  /** A key of the object that is the argument, or a path of nested keys such as `cookie.secure`. */
  readonly key?: string;
  readonly is?: ValueCondition;
  /** True if the condition is met when the argument or the key is absent. */
  readonly absent?: true;
  /** Pattern for the path of the argument's value, which shows what created the value. */
  readonly path?: LinearExpression;
  readonly fixed?: true;
  readonly mark?: string;
  readonly unmarked?: string;
  /** A field of the object whose method is called. The field is tested instead of an argument. */
  readonly field?: string;
}

/** Condition on the constant parts of a text. */
export interface TextCondition {
  readonly is: RegExp;
  /** Matches every file that contains a text with this condition. It is tested before the file is parsed. */
  readonly written: RegExp;
}

/** A call that is harmful when data from outside reaches one of its arguments. */
export interface Sink {
  readonly rule: string;
  readonly harm: Harm;
  readonly call: readonly PathPattern[];
  /** Harmful arguments: positions from 0, names, `all`, the `receiver` object, or the `rest` from position 1 on. */
  readonly args: readonly (number | string)[] | 'all' | 'receiver';
  readonly when?: readonly CallCondition[];
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
  /** Limits the sink to texts whose constant parts match, regardless of the object whose method is called. */
  readonly text?: TextCondition;
  /** Keys of an object literal. Only the value of the first of these keys that the object has is tested. */
  readonly keys?: readonly string[];
  /** True if only an object with all fields of a request, alone or merged with other fields, is harmful. */
  readonly whole?: true;
  /** True if an object with all fields of a request is harmless here. */
  readonly single?: true;
  /** True if only arguments that are spread by name are harmful: `User(**fields)`. */
  readonly spread?: true;
  /** True for a search by a regular expression that can take exponential time. Only the searched text is harmful. */
  readonly slow?: true;
  readonly made?: true;
  /** True for a list of a program and its arguments, which is harmful if outside data chooses the program or shell command. */
  readonly argv?: true;
  /** True if only an object that a framework fills completely from a request is harmful. */
  readonly model?: true;
  /** Severity of a text built from parameters. If set, such a text is reported for any caller of the function. */
  readonly built?: Severity;
  /** Severity for values of unknown origin. Without a severity, these values are not reported. */
  readonly unknown?: Severity;
}

/** A member to which the assignment of outside data is harmful: `element.innerHTML`. */
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

/** An assignment that is a weakness by itself: `NODE_TLS_REJECT_UNAUTHORIZED = '0'`. */
export interface AssignmentCheck {
  readonly rule: string;
  readonly member: readonly PathPattern[];
  readonly is: ValueCondition;
  /** True if only a constant is tested. Otherwise the name of a constant is tested too. */
  readonly constant?: true;
  readonly imports?: LinearExpression;
  readonly severity?: Severity;
}

export interface ObjectKeyCheck {
  readonly rule: string;
  readonly key: RegExp;
  readonly is: ValueCondition;
  /** Another key of the same object, and the condition that its value must meet. */
  readonly beside?: { readonly key: string; readonly is: ValueCondition };
  readonly severity?: Severity;
}

export interface TaintSource {
  readonly path: readonly PathPattern[];
  /** Origin of the data. `stored` data is harmful only when a page shows it, and is reported there with low severity. */
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
  /** Pattern for an annotation that the parameter must not have, since the framework then fills it with other data. */
  readonly without?: LinearExpression;
  /** Pattern for the call that receives the function as an argument or as its option `handler`. Only for the first parameter. */
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

/** A call that leaves a mark on its object: `parser.setFeature(external_ges, True)`. */
export interface ObjectMarker {
  readonly call: readonly PathPattern[];
  readonly mark: string;
  readonly when?: readonly CallCondition[];
  /** True if the mark is added to the call's result instead of the object. */
  readonly result?: true;
}

export interface RenderCall {
  readonly call: readonly PathPattern[];
  readonly name: number;
  /** Position of the argument that holds the template's data by key, or `names` if all named arguments are its data. */
  readonly data: number | 'names';
}

export interface FillCall {
  readonly call: readonly PathPattern[];
  readonly into: number;
  /** True if the written data comes from the other arguments. Otherwise the data comes from the request. */
  readonly given?: true;
}

/** A digest that anyone can recompute who knows its input. */
export interface DigestCall {
  readonly call: readonly PathPattern[];
  readonly of: LinearExpression;
}

/** A rule for functions with a decorator by which a framework sends their return value to the client. */
export interface ReturnSink {
  readonly rule: string;
  readonly harm: Harm;
  readonly decorator: LinearExpression;
  readonly imports?: LinearExpression;
  /** Pattern for a second decorator, which excludes the function from the rule. */
  readonly unless?: LinearExpression;
  readonly text?: TextCondition;
}

/** All rules of one language and its libraries. */
export interface LanguageRules {
  readonly comments: CommentSyntax;
  /** Global pattern for import statements. If absent, module names are searched for in the whole text. */
  readonly importing?: RegExp;
  /** Modules with which patterns can begin. These patterns apply only to files that import the module. */
  readonly modules?: readonly string[];
  /** Global patterns for other spellings of a call's name: `include` also means `require_once`. */
  readonly writtenAs?: Readonly<Record<string, RegExp>>;
  readonly sources: readonly TaintSource[];
  readonly params: readonly ParamSource[];
  /** Paths below a source whose data the sender cannot control. */
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
  /** Calls that return the time, which can be guessed too. */
  readonly clocks: readonly PathPattern[];
  /** Digests of public data: their calls and the names of the digested arguments. They are as predictable as the data. */
  readonly guessed: readonly DigestCall[];
  readonly renders: readonly RenderCall[];
  readonly fills: readonly FillCall[];
  /** Calls that return their first argument or its first element, such as a response created from its body. */
  readonly wholes: readonly PathPattern[];
  /** Rules that the user added, by id. All other rules are in the catalogue. */
  readonly own?: ReadonlyMap<string, SourceRule>;
}
