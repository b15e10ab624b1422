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

/** A dotted path that is compared from its end. `*.execute` matches this method of any object. `()` is the result of a call. */
export type PathPattern = string;

/** Condition on an argument: a constant, alternative constants, an empty list (`[]`), a regular expression or a trait. */
export type ValueCondition = Constant | readonly Constant[] | LinearExpression | ValueTrait;

export interface ValueTrait {
  readonly has?: readonly Constant[];
  /** Constants that the list must not contain. All elements of the list must be constants. */
  readonly lacks?: readonly Constant[];
  /** Constant that the function must always return or pass to its callback. Null for a function that does nothing. */
  readonly gives?: Constant;
  readonly calls?: LinearExpression;
  /** The value must be a function of the file that mentions no such name, as one that never checks `event.origin`. */
  readonly ignores?: LinearExpression;
  /** The value must be a smaller number, such as the size of a key. */
  readonly below?: number;
  readonly fixed?: true;
  /** The value must be a number with one of these bits, such as the permissions of a file. */
  readonly bits?: number;
}

export interface CallCondition {
  readonly arg?: number;
  readonly name?: string;
  /** Key in an object argument. A dotted key is nested: `cookie.secure`. */
  readonly key?: string;
  readonly is?: ValueCondition;
  /** If true, an absent argument or key meets the condition. */
  readonly absent?: true;
  /** Pattern for the argument's path: the name of the variable or call that the value comes from. */
  readonly path?: LinearExpression;
  readonly begins?: LinearExpression;
  readonly fixed?: true;
  readonly mark?: string;
  readonly unmarked?: string;
  /** Field of the object whose method is called. If set, the field is tested instead of an argument. */
  readonly field?: string;
}

export interface TextCondition {
  readonly is: RegExp;
  /** Matches every source file that contains such a text. Tested before a file is parsed. */
  readonly written: RegExp;
}

/** A call that does harm when outside data reaches one of its arguments. */
export interface Sink {
  readonly rule: string;
  readonly harm: Harm;
  readonly call: readonly PathPattern[];
  /** Arguments that must not be outside data: positions (from 0) or names, all, or the object of the call. */
  readonly args: readonly (number | string)[] | 'all' | 'receiver';
  readonly when?: readonly CallCondition[];
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
  /** Condition on the constant parts of the argument. If set, the method may belong to any object. */
  readonly text?: TextCondition;
  /** Keys of an object argument. The value of the first key that is present is tested. */
  readonly keys?: readonly string[];
  /** If true, only an object with all fields of a request is harmful: the sender then chooses the fields. */
  readonly whole?: true;
  /** If true, only single values are harmful. An object with all fields of a request is harmless. */
  readonly single?: true;
  /** If true, only arguments of a spread are harmful: `User(**fields)`. */
  readonly spread?: true;
  /** If true, the call applies a regular expression that can take exponential time. Outside data as its input is harmful. */
  readonly slow?: true;
  readonly made?: true;
  /** If true, the argument is a list: a program and its arguments. Only the program and a command for a shell are harmful. */
  readonly argv?: true;
  /** If true, only an object that a framework fills completely from a request is harmful (mass assignment). */
  readonly model?: true;
  /** Severity of data from a request, if it is not that of the rule. */
  readonly severity?: Severity;
  /** Severity of a text built from parameters. If set, such a text is reported even if no caller passes outside data. */
  readonly built?: Severity;
  /** Severity for data of unknown origin. If undefined, such data is not reported. */
  readonly unknown?: Severity;
  /** Severity for a parameter of a function without known calls. Set for calls that no data should reach. */
  readonly parameter?: Severity;
  /** Severity for any argument that is not a constant, for calls that run a text as code. */
  readonly unfixed?: Severity;
}

/** A member to which outside data must not be assigned: `element.innerHTML`. */
export interface MemberSink {
  readonly rule: string;
  readonly harm: Harm;
  readonly member: readonly PathPattern[];
  readonly key?: true;
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
  readonly built?: Severity;
  readonly parameter?: Severity;
  readonly severity?: Severity;
}

export interface CallCheck {
  readonly rule: string;
  readonly call: readonly PathPattern[];
  /** Pattern for a variable or member whose value must be in an argument, such as a password in a log. */
  readonly shows?: LinearExpression;
  readonly when?: readonly CallCondition[];
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
  readonly severity?: Severity;
}

/** An assignment that is a weakness by itself, without outside data: `NODE_TLS_REJECT_UNAUTHORIZED = '0'`. */
export interface AssignmentCheck {
  readonly rule: string;
  readonly member: readonly PathPattern[];
  readonly is: ValueCondition;
  /** If true, only the value can meet the condition, not the name of an assigned constant. */
  readonly constant?: true;
  readonly imports?: LinearExpression;
  readonly severity?: Severity;
}

export interface ObjectKeyCheck {
  readonly rule: string;
  readonly key: RegExp;
  readonly is: ValueCondition;
  /** Another key of the object and its value. `absent`: the object must not have the key. */
  readonly beside?: { readonly key: string; readonly is: ValueCondition; readonly absent?: true };
  readonly imports?: LinearExpression;
  readonly severity?: Severity;
}

export interface TaintSource {
  readonly path: readonly PathPattern[];
  /** Origin of the data. `stored` data is reported only where a page shows it, and with low severity. */
  readonly origin: 'request' | 'stored' | 'input' | 'param';
  readonly note: string;
  /** Harms that this data cannot do. A part of a path, for example, is never an object with operators. */
  readonly harmless?: readonly Harm[];
  readonly imports?: LinearExpression;
  readonly on?: LinearExpression;
}

export interface ParamSource {
  readonly name?: LinearExpression;
  readonly type?: LinearExpression;
  readonly mark?: LinearExpression;
  readonly decorator?: LinearExpression;
  readonly beside?: LinearExpression;
  /** Pattern for annotations of parameters that are not a source, because their data does not come from a request. */
  readonly without?: LinearExpression;
  /** Pattern for the call that receives the function. Without `name`, it applies to the first parameter only. */
  readonly given?: LinearExpression;
  /** Pattern for the name of the function, or of the variable or member that it is assigned to. */
  readonly function?: LinearExpression;
  readonly path?: string;
  /** If true, the parameter itself is outside data. Otherwise only its members that sources name are. */
  readonly taints?: true;
  readonly imports?: LinearExpression;
}

export interface Sanitizer {
  readonly call: readonly PathPattern[];
  readonly harms: readonly Harm[] | 'all';
  readonly resolves?: true;
  /** If true, the call escapes quotes: the result is harmless in SQL only within quotes. */
  readonly quoted?: true;
}

/** A call that changes a setting of its object and thereby marks the object: `parser.setFeature(external_ges, True)`. */
export interface ObjectMarker {
  readonly call: readonly PathPattern[];
  readonly mark: string;
  readonly when?: readonly CallCondition[];
  /** If true, the call's result is marked instead of its object. */
  readonly result?: true;
}

export interface RenderCall {
  readonly call: readonly PathPattern[];
  readonly name: number;
  /** Position of the argument with the template's data. `names`: each named argument is a value of the template. */
  readonly data: number | 'names';
}

export interface FillCall {
  readonly call: readonly PathPattern[];
  readonly into: number;
  /** If true, the call copies its other arguments into the object. Otherwise the call copies data of the request. */
  readonly given?: true;
}

export interface DigestCall {
  readonly call: readonly PathPattern[];
  readonly of: LinearExpression;
}

/** Rule for functions whose decorator makes a framework send their return value to the client. */
export interface ReturnSink {
  readonly rule: string;
  readonly harm: Harm;
  readonly decorator: LinearExpression;
  readonly imports?: LinearExpression;
  /** Pattern for a decorator that excludes a function from the rule. */
  readonly unless?: LinearExpression;
  readonly text?: TextCondition;
  readonly keys?: readonly string[];
}

export interface LanguageRules {
  readonly comments: CommentSyntax;
  /** Global pattern for import statements. If undefined, the whole text is searched for module names. */
  readonly importing?: RegExp;
  /** Names of modules. A pattern that begins with a module's name applies only to files that import the module. */
  readonly modules?: readonly string[];
  /** Global patterns for other spellings of a call's name: for `include`, the pattern matches `require_once`. */
  readonly writtenAs?: Readonly<Record<string, RegExp>>;
  readonly sources: readonly TaintSource[];
  readonly params: readonly ParamSource[];
  /** Members of a request whose value the sender cannot choose. */
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
  /** Calls that compute a digest, with their public arguments. Anyone can compute a digest of public data. */
  readonly guessed: readonly DigestCall[];
  readonly renders: readonly RenderCall[];
  readonly fills: readonly FillCall[];
  /** Calls whose result counts as their first argument or its first element. Example: a response made from a body. */
  readonly wholes: readonly PathPattern[];
  readonly own?: ReadonlyMap<string, SourceRule>;
}
