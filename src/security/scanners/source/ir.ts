/**
 * The common form of every language, which the rules are applied to. Lines count from 1. What an adapter does
 * not know becomes `some` of its parts, so that data still flows through it.
 */
export type Constant = string | number | boolean | null;

export type Expr =
  | { readonly op: 'constant'; readonly value: Constant; readonly line: number }
  | { readonly op: 'name'; readonly name: string; readonly line: number }
  /** A regular expression as it is written, `name` as `regexName` says. */
  | {
      readonly op: 'regex';
      readonly source: string;
      readonly flags: string;
      readonly name: string;
      readonly line: number;
    }
  | { readonly op: 'member'; readonly object: Expr; readonly name: string; readonly line: number }
  /** Without `index`: a slice, or an index of more than one part. */
  | { readonly op: 'index'; readonly object: Expr; readonly index?: Expr; readonly line: number }
  | {
      readonly op: 'call';
      readonly callee: Expr;
      readonly args: readonly Arg[];
      /** Written with `new`: what a function is called on is made by it. */
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
  /** Text put together: concatenation, template, interpolation. */
  | { readonly op: 'format'; readonly parts: readonly Expr[]; readonly line: number }
  | { readonly op: 'list'; readonly items: readonly Expr[]; readonly line: number }
  | { readonly op: 'dict'; readonly entries: readonly Entry[]; readonly line: number }
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
      /** The class that the target is declared as. */
      readonly type?: string;
      /** It is declared as a number or a truth value. */
      readonly number?: true;
      readonly line: number;
    }
  | { readonly op: 'some'; readonly parts: readonly Expr[]; readonly line: number };

export interface Arg {
  readonly value: Expr;
  /** Of an argument given by name. */
  readonly name?: string;
  readonly spread?: true;
  /** A variable of the caller, into which the function may put something: C#'s `out` and `ref`. */
  readonly puts?: Expr;
  /** It certainly puts something there, though the function is not known. */
  readonly fills?: true;
}

export interface Entry {
  /** Left out where another collection is spread in. */
  readonly key?: Expr;
  readonly value: Expr;
}

export interface Param {
  readonly name: string;
  /** As written: `HttpServletRequest`, `*http.Request`. */
  readonly type?: string;
  /** Names of annotations on it: `RequestParam`. */
  readonly marks?: readonly string[];
  readonly byDefault?: Expr;
  /** What it is taken apart into: `{ query }`. */
  readonly pattern?: Expr;
}

export type Span = readonly [start: number, end: number];

export interface Fn {
  readonly name: string;
  readonly params: readonly Param[];
  /** What decorates or annotates it. */
  readonly marks: readonly Expr[];
  readonly body: readonly Stmt[];
  readonly line: number;
  /** Its place in the text, as offsets; its body is then read on first use. */
  readonly span?: Span;
  /** The one value of a function that is an expression: the body then holds its return alone. */
  readonly lambda?: true;
  /** What it calls the object that it is a method of. */
  readonly self?: string;
  /** A name alone calls it, without parentheses. */
  readonly word?: true;
}

export interface Case {
  /** Empty for the default. */
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
      readonly cases: readonly Case[];
      /** Cases run on into the next one unless they break. */
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
      /** Interfaces, where they are written apart. */
      readonly faces?: readonly string[];
      readonly marks: readonly Expr[];
      readonly body: readonly Stmt[];
      /** Its methods and fields are called by their names alone. */
      readonly bare?: true;
      readonly line: number;
    }
  /** A variable or a field with a type and no value. */
  | {
      readonly op: 'declare';
      readonly name: string;
      readonly type?: string;
      readonly number?: true;
      readonly line: number;
    }
  /** `name` now stands for the dotted `path`, out of `module`. */
  | {
      readonly op: 'import';
      readonly name: string;
      readonly path: string;
      readonly module: string;
      /** Where `path` does not say it: the module as it is written, and what of it is meant. */
      readonly from?: { readonly module: string; readonly name: string };
      readonly line: number;
    }
  | { readonly op: 'block'; readonly body: readonly Stmt[]; readonly line: number };

/** A whole file. */
export interface Program {
  readonly body: readonly Stmt[];
  /** Something was too deep or too long and is not in `body`. */
  readonly cut: boolean;
}

/** What a regular expression is called that finds each character which could break out of anything. */
export const ALL_OTHERS_NAME = '/others/';
