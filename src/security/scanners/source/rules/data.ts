import type { LinearRegex } from '../../../../lib/expressions/linear-expression.ts';
import type {
  AssignmentCheck,
  CallCheck,
  CallSink,
  DigestCall,
  FillCall,
  LanguageFlowRules,
  MemberSink,
  ObjectKeyCheck,
  ObjectMarker,
  ParamSource,
  RenderCall,
  ReturnSink,
  Sanitizer,
  TaintSource,
  ValueTrait,
} from '../rule.ts';

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

export type StoredSink = StoredRule<CallSink>;
export type StoredMemberSink = StoredRule<MemberSink>;
export type StoredReturnSink = StoredRule<ReturnSink>;
export type StoredCallCheck = StoredRule<CallCheck>;
export type StoredAssignmentCheck = StoredRule<AssignmentCheck>;
export type StoredObjectKeyCheck = StoredRule<ObjectKeyCheck>;
export type StoredTaintSource = StoredRule<TaintSource>;
export type StoredParameterSource = StoredRule<ParamSource>;
export type StoredSanitizer = StoredRule<Sanitizer>;
export type StoredDigestCall = StoredRule<DigestCall>;
export type StoredFillCall = StoredRule<FillCall>;
export type StoredTrait = StoredRule<ValueTrait>;
export type StoredRenderCall = StoredRule<RenderCall>;
export type StoredMarker = StoredRule<ObjectMarker>;

export type StoredRules = StoredRule<Omit<LanguageFlowRules, 'own'>>;
