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

export interface KeptExpression {
  readonly re: string;
  readonly flags: string;
}

/** JSON form of a rule entry: regular expressions become objects, and `text` becomes the name of a text condition. */
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

/** All rules of one language as stored in `rules.json`. */
export type KeptRules = Kept<Omit<LanguageRules, 'own'>>;
