/** The intermediate representation of all languages. Lines start at 1. Unknown syntax becomes a `some` node. */
export type Constant = string | number | boolean | null;

export type Expr =
  | { readonly op: 'constant'; readonly value: Constant; readonly line: number }
  | { readonly op: 'name'; readonly name: string; readonly line: number }
  /** A regular expression literal. `source` is its text in the code, and `regexName` computes `name`. */
  | {
      readonly op: 'regex';
      readonly source: string;
      readonly flags: string;
      readonly name: string;
      readonly line: number;
    }
  | { readonly op: 'member'; readonly object: Expr; readonly name: string; readonly line: number }
  /** `index` is absent for a slice and for an index with several parts. */
  | { readonly op: 'index'; readonly object: Expr; readonly index?: Expr; readonly line: number }
  | {
      readonly op: 'call';
      readonly callee: Expr;
      readonly args: readonly Arg[];
      /** True for a call with `new`, which creates an object and calls its constructor. */
      readonly makes?: true;
      readonly line: number;
    }
  | {
      readonly op: 'binary';
      readonly operator: string;
      readonly left: Expr;
      readonly right: Expr;
      readonly line: number;
    }
  | { readonly op: 'not'; readonly operand: Expr; readonly line: number }
  /** A text made of several values: a concatenation, a template or an interpolation. */
  | { readonly op: 'format'; readonly parts: readonly Expr[]; readonly line: number }
  | { readonly op: 'list'; readonly items: readonly Expr[]; readonly line: number }
  | { readonly op: 'dict'; readonly entries: readonly DictEntry[]; readonly line: number }
  | {
      readonly op: 'choice';
      readonly test: Expr;
      readonly yes: Expr;
      readonly no: Expr;
      readonly line: number;
    }
  | { readonly op: 'function'; readonly fn: Fn; readonly line: number }
  | {
      readonly op: 'assign';
      readonly target: Expr;
      readonly value: Expr;
      readonly adds: boolean;
      readonly type?: string;
      readonly number?: true;
      readonly line: number;
    }
  | { readonly op: 'some'; readonly parts: readonly Expr[]; readonly line: number };

export interface Arg {
  readonly value: Expr;
  readonly name?: string;
  readonly spread?: true;
  /** The caller's variable to which the called function may assign a value: C#'s `out` and `ref`. */
  readonly puts?: Expr;
  /** True if the call certainly assigns the variable, even if the called function is unknown. */
  readonly fills?: true;
}

export interface DictEntry {
  /** Key of the entry; absent if the entry spreads another collection. */
  readonly key?: Expr;
  readonly value: Expr;
}

export interface Param {
  readonly name: string;
  /** Type of the parameter as in the code: `HttpServletRequest`, `*http.Request`. */
  readonly type?: string;
  readonly marks?: readonly string[];
  readonly byDefault?: Expr;
  /** The pattern that destructures the parameter: `{ query }`. */
  readonly pattern?: Expr;
}

export type Span = readonly [start: number, end: number];

export interface Fn {
  readonly name: string;
  readonly params: readonly Param[];
  readonly marks: readonly Expr[];
  readonly body: readonly Stmt[];
  readonly line: number;
  /** Start and end offset of the function in the text. If set, the body is converted to this form at the first use. */
  readonly span?: Span;
  /** True for an arrow function whose body is one expression; `body` then contains only the return of that expression. */
  readonly lambda?: true;
  /** The name by which a method refers to its own object: `s` in Go's `func (s *Server) run()`. */
  readonly self?: string;
  /** True for a function that a program calls by its name without parentheses, as a Ruby method or a C# property. */
  readonly word?: true;
}

export interface SwitchCase {
  /** Values that the case matches. The default case has none. */
  readonly tests: readonly Expr[];
  readonly body: readonly Stmt[];
}

export type Stmt =
  | { readonly op: 'expr'; readonly value: Expr; readonly line: number }
  | {
      readonly op: 'if';
      readonly test: Expr;
      readonly yes: readonly Stmt[];
      readonly no: readonly Stmt[];
      readonly line: number;
    }
  | {
      readonly op: 'switch';
      readonly subject: Expr;
      readonly cases: readonly SwitchCase[];
      /** True if a case continues into the next one unless it ends in `break`. */
      readonly falls: boolean;
      readonly line: number;
    }
  | {
      readonly op: 'loop';
      readonly target?: Expr;
      readonly over?: Expr;
      readonly test?: Expr;
      readonly body: readonly Stmt[];
      readonly line: number;
    }
  | {
      readonly op: 'try';
      readonly body: readonly Stmt[];
      readonly handlers: readonly (readonly Stmt[])[];
      readonly after: readonly Stmt[];
      readonly line: number;
    }
  | { readonly op: 'return'; readonly value?: Expr; readonly line: number }
  | { readonly op: 'throw'; readonly value?: Expr; readonly line: number }
  | { readonly op: 'leave'; readonly line: number }
  | { readonly op: 'function'; readonly fn: Fn; readonly line: number }
  | {
      readonly op: 'class';
      readonly name: string;
      readonly bases: readonly string[];
      /** Interfaces that the class implements, in languages that list them apart from base classes. */
      readonly faces?: readonly string[];
      readonly marks: readonly Expr[];
      readonly body: readonly Stmt[];
      /** True if code in the class may use its methods and fields by name alone, without `this`. */
      readonly bare?: true;
      readonly line: number;
    }
  | {
      readonly op: 'declare';
      readonly name: string;
      readonly type?: string;
      readonly number?: true;
      readonly line: number;
    }
  /** An import, after which `name` refers to the dotted `path` in the module `module`. */
  | {
      readonly op: 'import';
      readonly name: string;
      readonly path: string;
      readonly module: string;
      /** The module as written and the imported name; absent if `path` already shows both. */
      readonly from?: { readonly module: string; readonly name: string };
      readonly line: number;
    }
  | { readonly op: 'block'; readonly body: readonly Stmt[]; readonly line: number };

export interface Program {
  readonly body: readonly Stmt[];
  /** True if `body` is incomplete because some code was nested too deeply or was too long. */
  readonly cut: boolean;
}

/** `name` of a regular expression that matches every character that could break out of any context. */
export const SANITIZING_REGEX_NAME = '/others/';
