import type { LinearExpression } from '../../../../lib/expressions/linear-expression.ts';
import type {
  AssignmentCheck,
  CallCheck,
  DigestCall,
  FillCall,
  LanguageRules,
  MemberSink,
  ObjectKeyCheck,
  ObjectMarker,
  ParamSource,
  RenderCall,
  ReturnSink,
  Sanitizer,
  Sink,
  TaintSource,
  ValueTrait,
} from '../rule.ts';

export interface StoredExpression {
  readonly re: string;
  readonly flags: string;
}

/** A rule entry as stored in JSON. Regular expressions become objects, and text conditions become names. */
type Kept<Of> = Of extends LinearExpression
  ? StoredExpression
  : Of extends readonly (infer One)[]
    ? readonly Kept<One>[]
    : Of extends object
      ? { readonly [Key in keyof Of]: Key extends 'text' ? string | undefined : Kept<Of[Key]> }
      : Of;

export type StoredSink = Kept<Sink>;
export type StoredAssignmentSink = Kept<MemberSink>;
export type StoredReturnSink = Kept<ReturnSink>;
export type StoredCallCheck = Kept<CallCheck>;
export type StoredAssignmentCheck = Kept<AssignmentCheck>;
export type StoredObjectKeyCheck = Kept<ObjectKeyCheck>;
export type StoredTaintSource = Kept<TaintSource>;
export type StoredParameterSource = Kept<ParamSource>;
export type StoredSanitizer = Kept<Sanitizer>;
export type StoredDigestCall = Kept<DigestCall>;
export type StoredFillCall = Kept<FillCall>;
export type StoredTrait = Kept<ValueTrait>;
export type StoredRenderCall = Kept<RenderCall>;
export type StoredMarker = Kept<ObjectMarker>;

export type StoredRules = Kept<Omit<LanguageRules, 'own'>>;
