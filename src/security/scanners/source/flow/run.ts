import type { Severity } from '../../../../lib/severity.ts';
import type { CompiledRules } from '../compiled.ts';
import type { Fn } from '../ir.ts';
import type { Scope } from './scope.ts';
import type { Closure, Value, Way } from './value.ts';

/** A fault as the flow finds it. */
export interface Hit {
  readonly rule: string;
  readonly line: number;
  readonly severity?: Severity;
  readonly way?: Way;
  /** A secret of the line, which no answer may hold. */
  readonly secret?: string;
}

/** What a call of a function leaves behind. */
export interface Frame {
  readonly fn: Fn;
  readonly returns: Value[];
  /** Returning data from it is showing it: the rule. */
  readonly decorators: readonly string[];
}

/** One file's analysis: what is shared by all of its parts. */
export interface Run {
  readonly rules: CompiledRules;
  /** Functions are followed into. */
  readonly deep: boolean;
  /** What the file imports, in one text. */
  imports: string;
  /** Evaluations left: the analysis of a file ends in bounded time, however it is written. */
  left: number;
  readonly frames: Frame[];
  /** Loops around the statement in hand; each holds what was left by `break`. */
  readonly loops: { readonly base: Scope; readonly exits: Scope[] }[];
  /** Functions to look at by themselves when the scope around them is done. */
  readonly pending: Closure[];
  readonly seen: Set<Fn>;
  readonly known: Map<Fn, Map<string, Value>>;
  /** Whether a fault may be in a function: it is looked at by itself, and not only where others call it. */
  wants(fn: Fn): boolean;
  hit(hit: Hit): void;
}
