import type { LinearRegex } from '../../../../lib/expressions/linear-expression.ts';
import type { LanguageFlowRules, ValueTrait } from '../rule.ts';

export interface StoredRegex {
  readonly re: string;
  readonly flags: string;
}

/** A rule entry as stored in JSON. Regular expressions become objects, and text conditions become names. */
type StoredRule<Of> = Of extends LinearRegex
  ? StoredRegex
  : Of extends readonly (infer One)[]
    ? readonly StoredRule<One>[]
    : Of extends object
      ? { readonly [Key in keyof Of]: Key extends 'text' ? string | undefined : StoredRule<Of[Key]> }
      : Of;

export type StoredTrait = StoredRule<ValueTrait>;
export type StoredRules = StoredRule<Omit<LanguageFlowRules, 'own'>>;
