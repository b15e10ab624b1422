export type Constant = string | number | boolean | null;

/** Expression in the form common to all languages. Lines count from 1. Unknown syntax becomes a `some` node. */
export type Expr =
  | { readonly op: 'constant'; readonly value: Constant; readonly line: number }
  | { readonly op: 'name'; readonly name: string; readonly line: number }
  | {
      readonly op: 'regex';
      readonly source: string;
      readonly flags: string;
      readonly name: string;
      readonly line: number;
    }
  | { readonly op: 'member'; readonly object: Expr; readonly name: string; readonly line: number }
  /** `object[index]`. `index` is undefined for a slice (`a[1:3]`) and for several indexes (`a[i, j]`). */
  | { readonly op: 'index'; readonly object: Expr; readonly index?: Expr; readonly line: number }
  | {
      readonly op: 'call';
      readonly callee: Expr;
      readonly args: readonly CallArgument[];
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
  /** Text joined from several values. `template` is set for C#'s `$"{name}"` and Python's `f"{name}"`. */
  | {
      readonly op: 'format';
      readonly parts: readonly Expr[];
      readonly template?: true;
      readonly line: number;
    }
  | { readonly op: 'list'; readonly items: readonly Expr[]; readonly line: number }
  | { readonly op: 'dict'; readonly entries: readonly DictEntry[]; readonly line: number }
  | {
      readonly op: 'choice';
      readonly test: Expr;
      readonly yes: Expr;
      readonly no: Expr;
      readonly line: number;
    }
  | { readonly op: 'function'; readonly fn: FunctionNode; readonly line: number }
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

export type ExprOf<Op extends Expr['op']> = Extract<Expr, { op: Op }>;

export interface CallArgument {
  readonly value: Expr;
  readonly name?: string;
  readonly spread?: true;
  /** For an argument with `out` or `ref` in C#: the caller's variable, which the called function can assign. */
  readonly puts?: Expr;
  /** True for an argument with `out` in C#: the called function always assigns the variable. */
  readonly fills?: true;
}

export interface DictEntry {
  readonly key?: Expr;
  readonly value: Expr;
}

export interface Param {
  readonly name: string;
  readonly type?: string;
  readonly marks?: readonly string[];
  readonly byDefault?: Expr;
  readonly pattern?: Expr;
}

export interface FunctionNode {
  readonly name: string;
  readonly params: readonly Param[];
  readonly marks: readonly Expr[];
  readonly body: readonly Stmt[];
  readonly line: number;
  /** Start and end offset in the source text. If set, the body is converted only when it is first needed. */
  readonly span?: readonly [start: number, end: number];
  /** True for an arrow function without braces: `x => x + 1`. `body` is then a single return statement. */
  readonly lambda?: true;
  /** Name by which a method refers to its own object: `s` in Go's `func (s *Server) run()`. */
  readonly self?: string;
  readonly word?: true;
  readonly isPrivate?: true | undefined;
}

export interface SwitchCase {
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
      readonly falls: boolean;
      readonly line: number;
    }
  | {
      readonly op: 'loop';
      readonly target?: Expr;
      readonly over?: Expr;
      readonly test?: Expr;
      readonly body: readonly Stmt[];
      readonly once?: true | undefined;
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
  | { readonly op: 'function'; readonly fn: FunctionNode; readonly line: number }
  | {
      readonly op: 'class';
      readonly name: string;
      readonly bases: readonly string[];
      /** Interfaces that the class implements. Undefined if `bases` also lists the interfaces, as for C#. */
      readonly faces?: readonly string[];
      readonly marks: readonly Expr[];
      readonly body: readonly Stmt[];
      /** True if code in the class may name its methods and fields without `this`. */
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
  /** An import. In Go's `import r "math/rand"`, `name` is `r`, `path` is `rand`, and `module` is `math/rand`. */
  | {
      readonly op: 'import';
      readonly name: string;
      readonly path: string;
      readonly module: string;
      /** Module and name as written in the import. Default: `module`, and the part of `path` after the module. */
      readonly from?: { readonly module: string; readonly name: string };
      readonly line: number;
    }
  | { readonly op: 'block'; readonly body: readonly Stmt[]; readonly line: number };

export type StmtOf<Op extends Stmt['op']> = Extract<Stmt, { op: Op }>;

export interface LoweredProgram {
  readonly body: readonly Stmt[];
  readonly cut: boolean;
}

/** Name of regular expressions such as `/[^a-z0-9]/g`, which match all unsafe characters. */
export const SANITIZING_REGEX_NAME = '/others/';

const NUMBER =
  '(?:s?byte|u?(?:int|long|short)|u?int(?:8|16|32|64)|float(?:32|64)?|double|decimal|number|bigint|bool(?:ean)?|char|Guid|(?:uuid\\.)?UUID|(?:datetime\\.)?date(?:time)?|DateTime(?:Offset)?|Date(?:Only)?|TimeSpan|Local(?:Date|Time|DateTime)|Instant|Integer|Long|Double|Short|Float|Boolean|Decimal|(?:Positive|NonNegative)(?:Int|Float)|\'[\\w -]{0,60}\'|"[\\w -]{0,60}")';
const NUMBER_TYPE = new RegExp(
  `^(?:(?:typing\\.)?Literal\\[|(?:(?:typing\\.)?(?:Optional|Annotated|[Ll]ist|[Ss]et)\\[)?${NUMBER}(?:\\s?\\|\\s?(?:None|null|undefined|${NUMBER})){0,4}(?:[\\],?]|$))`,
);

export const isNumberType = (type: string): boolean => NUMBER_TYPE.test(type);
