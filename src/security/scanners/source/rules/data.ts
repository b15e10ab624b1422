import type { Expression } from '../../../../lib/expressions/linear-expression.ts';
import type {
  Check,
  Cleaner,
  Fill,
  Guessed,
  KeyCheck,
  LanguageRules,
  Marker,
  MemberCheck,
  MemberSink,
  ParamSource,
  Render,
  ReturnSink,
  Sink,
  Source,
  Trait,
} from '../rule.ts';

/** A regular expression as it is kept in JSON. */
export interface KeptExpression {
  readonly re: string;
  readonly flags: string;
}

/** A thing of a rule with its expressions as JSON keeps them, and a text by its name. */
type Kept<Of> = Of extends Expression
  ? KeptExpression
  : Of extends readonly (infer One)[]
    ? readonly Kept<One>[]
    : Of extends object
      ? { readonly [Key in keyof Of]: Key extends 'text' ? string | undefined : Kept<Of[Key]> }
      : Of;

export type KeptSink = Kept<Sink>;
export type KeptMemberSink = Kept<MemberSink>;
export type KeptReturnSink = Kept<ReturnSink>;
export type KeptCheck = Kept<Check>;
export type KeptMemberCheck = Kept<MemberCheck>;
export type KeptKeyCheck = Kept<KeyCheck>;
export type KeptSource = Kept<Source>;
export type KeptParamSource = Kept<ParamSource>;
export type KeptCleaner = Kept<Cleaner>;
export type KeptGuessed = Kept<Guessed>;
export type KeptFill = Kept<Fill>;
export type KeptTrait = Kept<Trait>;
export type KeptRender = Kept<Render>;
export type KeptMarker = Kept<Marker>;

/** All rules of one language as `rules.json` keeps them. */
export type KeptRules = Kept<Omit<LanguageRules, 'own'>>;
