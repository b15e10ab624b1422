import type { Expression } from '../../../lib/expressions/linear-expression.ts';
import type { Severity } from '../../../lib/severity.ts';
import type { Harm } from './harm.ts';
import type { Constant } from './ir.ts';
import type { Comments } from './words.ts';

/** A weakness by its name and texts; each language's rules say where it shows. */
export interface SourceRule {
  /** `source/sql-injection`. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: readonly string[];
  readonly description: string;
  readonly fix: string;
}

/**
 * A dotted path, matched from its end: `subprocess.run` is that function however it was imported, `*.execute` that
 * method of anything, `()` a call's result.
 */
export type Pattern = string;

/** What an argument has to be: a constant, one of several (of none: an empty list), or what a pattern of its text says. */
export type Test = Constant | readonly Constant[] | Expression | Trait;

/** What a list or a function has to be; all that is said holds. */
export interface Trait {
  /** It is one of these, or a list of which one part is. */
  readonly has?: readonly Constant[];
  /** It is a list that is written out, and none of its parts is one of these. */
  readonly lacks?: readonly Constant[];
  /** It is a function that gives this whatever it is asked, itself or to the function that it is handed. */
  readonly gives?: Constant;
  /** It is a function that does nothing but call a method whose name matches, or that method. */
  readonly calls?: Expression;
}

/** A condition on the other arguments: by name, or by place from 0. */
export interface When {
  readonly arg?: number;
  readonly name?: string;
  /** The key of an object that is this argument, or keys within each other: `cookie.secure`. */
  readonly key?: string;
  readonly is?: Test;
  /** True where the argument is left out (or the key). */
  readonly absent?: true;
  /** The argument's own name matches: what it was made by. */
  readonly path?: Expression;
  /** It is one of several constants, of which it is not known which. */
  readonly fixed?: true;
  /** The object that the method is called on has this mark. */
  readonly mark?: string;
  /** It has not. */
  readonly unmarked?: string;
  /** A member of the object that the method is called on, in place of an argument. */
  readonly field?: string;
}

/** What a text has to be, by its constant parts. */
export interface Visible {
  readonly is: RegExp;
  /** Holds of every file in which such a text is written. */
  readonly written: RegExp;
}

/** A call that harms when data from outside gets to one of its arguments. */
export interface Sink {
  readonly rule: string;
  readonly harm: Harm;
  readonly call: readonly Pattern[];
  /** Places from 0, or names; `all` for every one, `receiver` for the object itself, `rest` from the second on. */
  readonly args: readonly (number | string)[] | 'all' | 'receiver';
  readonly when?: readonly When[];
  /** Any of the file's imports has this in its name. */
  readonly imports?: Expression;
  /** What the object is called matches. */
  readonly on?: Expression;
  /** Whatever it is called on: only text that visibly is what this says, by its constant parts. */
  readonly text?: Visible;
  /** Of an object that is written out only what the first of these keys holds is taken in. */
  readonly keys?: readonly string[];
  /** Only a request's fields as a whole harm, and what they were put together with. */
  readonly whole?: true;
  /** What is sent as a whole, an object, does no harm. */
  readonly single?: true;
  /** Only what is taken apart into arguments by name: `User(**fields)`. */
  readonly spread?: true;
  /** Only where an expression that takes exponential time is searched for: its text harms, and no other argument. */
  readonly slow?: true;
  /** Only a call with `new`. */
  readonly made?: true;
  /** The list of a program and its arguments: harm only where a shell or the program itself is chosen. */
  readonly argv?: true;
  /** Only an object that a request fills as a whole. */
  readonly model?: true;
  /** Text built from parameters is reported too, whatever the caller, with this severity. */
  readonly built?: Severity;
  /** What nothing is known of is reported too, with this severity. */
  readonly unknown?: Severity;
}

/** Assigning data from outside to a member: `element.innerHTML`. */
export interface MemberSink {
  readonly rule: string;
  readonly harm: Harm;
  readonly member: readonly Pattern[];
  /** The key is what harms, too. */
  readonly key?: true;
  readonly imports?: Expression;
  /** The place matches. */
  readonly on?: Expression;
}

/** A call that is wrong by itself. */
export interface Check {
  readonly rule: string;
  readonly call: readonly Pattern[];
  readonly when?: readonly When[];
  readonly imports?: Expression;
  readonly on?: Expression;
  readonly severity?: Severity;
}

/** An assignment that is wrong by itself: `NODE_TLS_REJECT_UNAUTHORIZED = '0'`. */
export interface MemberCheck {
  readonly rule: string;
  readonly member: readonly Pattern[];
  readonly is: Test;
  /** A name that a text is known by does not count. */
  readonly constant?: true;
  readonly imports?: Expression;
  readonly severity?: Severity;
}

/** A key of any object written out that is wrong by itself: `rejectUnauthorized: false`. */
export interface KeyCheck {
  readonly rule: string;
  readonly key: RegExp;
  readonly is: Test;
  /** Another key of the same object, and what it has to be. */
  readonly beside?: { readonly key: string; readonly is: Test };
  readonly severity?: Severity;
}

/** Where data comes in, by its path. */
export interface Source {
  readonly path: readonly Pattern[];
  /** What is stored does harm in a page alone, and is low there. */
  readonly origin: 'request' | 'stored' | 'input';
  readonly note: string;
  /** Any of the file's imports has this in its name. */
  readonly imports?: Expression;
  /** The path matches. */
  readonly on?: Expression;
}

/** Where data comes in by a parameter of a function. */
export interface ParamSource {
  readonly name?: Expression;
  readonly type?: Expression;
  /** An annotation on the parameter. */
  readonly mark?: Expression;
  /** The function's decorator, by its path. */
  readonly decorator?: Expression;
  /** Another parameter that has to be there. */
  readonly beside?: Expression;
  /** An annotation that it must not have: one that gives it something else. */
  readonly without?: Expression;
  /** The function is handed to a call of that path, or as its option `handler`; of its first parameter. */
  readonly given?: Expression;
  /** What the parameter is called from then on. */
  readonly path?: string;
  /** It is data from outside as a whole; else only what sources say of `path`. */
  readonly taints?: true;
  readonly imports?: Expression;
}

/** A call whose result can no longer do these harms. */
export interface Cleaner {
  readonly call: readonly Pattern[];
  readonly harms: readonly Harm[] | 'all';
  readonly resolves?: true;
}

/** A call that leaves a mark on its object: `parser.setFeature(external_ges, True)`. */
export interface Marker {
  readonly call: readonly Pattern[];
  readonly mark: string;
  readonly when?: readonly When[];
  /** The result carries it, not the object. */
  readonly result?: true;
}

/** A call that fills a template. */
export interface Render {
  readonly call: readonly Pattern[];
  /** The argument that names it. */
  readonly name: number;
  /** The argument with what is put in, by its keys; or all that are given by name. */
  readonly data: number | 'names';
}

/** A call that puts data into one of its arguments: `json.Unmarshal(body, &user)`. */
export interface Fill {
  readonly call: readonly Pattern[];
  readonly into: number;
  /** With the data that it is given; else it reads the request. */
  readonly given?: true;
}

/** A digest that can be computed again by all who know what it was made of. */
export interface Guessed {
  readonly call: readonly Pattern[];
  /** The argument is called so. */
  readonly of: Expression;
}

/** Returning data from such a function is showing it. */
export interface ReturnSink {
  readonly rule: string;
  readonly harm: Harm;
  readonly decorator: Expression;
  readonly imports?: Expression;
  /** Where it has this one too, it shows something else. */
  readonly unless?: Expression;
  /** Only text that visibly is this. */
  readonly text?: Visible;
}

/** All that is known of one language and its libraries. */
export interface LanguageRules {
  /** How its comments begin. */
  readonly comments: Comments;
  /** What a text imports by; global. Left out where the whole text is asked for names of modules. */
  readonly importing?: RegExp;
  /** Roots of patterns that are modules and no variables: their rules count where they are imported. */
  readonly modules?: readonly string[];
  /** Other spellings of a call's name, global: `include` is a `require_once` too. */
  readonly writtenAs?: Readonly<Record<string, RegExp>>;
  readonly sources: readonly Source[];
  readonly params: readonly ParamSource[];
  /** Paths below a source that hold nothing of the sender's. */
  readonly harmless: readonly Pattern[];
  readonly sinks: readonly Sink[];
  readonly memberSinks: readonly MemberSink[];
  readonly returns: readonly ReturnSink[];
  readonly checks: readonly Check[];
  readonly memberChecks: readonly MemberCheck[];
  readonly keyChecks: readonly KeyCheck[];
  readonly cleaners: readonly Cleaner[];
  readonly markers: readonly Marker[];
  /** Generators whose output can be predicted. */
  readonly random: readonly Pattern[];
  /** What gives the time, which anyone knows about as well. */
  readonly clocks: readonly Pattern[];
  /** Digests of what others know, which are as good as known: calls, and what their argument is called. */
  readonly guessed: readonly Guessed[];
  readonly renders: readonly Render[];
  /** Calls that fill one of their arguments. */
  readonly fills: readonly Fill[];
  /** Calls that return their first argument, or its first element where it is a list: a response made of a body. */
  readonly wholes: readonly Pattern[];
  /** Texts of the rules that a user brought, by id; all others are in the catalogue. */
  readonly own?: ReadonlyMap<string, SourceRule>;
}
