import type { Expr } from '../ir.ts';
import { evaluateElementFunction } from './calls/evaluate-closure.ts';
import type { EvaluatedArgument, EvaluatedCall } from './report.ts';
import type { AnalysisRun } from './run.ts';
import {
  type AbstractValue,
  type FlowStep,
  findPredictableRandomness,
  GUESSABLE_TIME_TEXT_NOTE,
  isFromClock,
  mergeTaints,
  UNKNOWN_VALUE,
} from './values/value.ts';

const GIVES_TEXT =
  /^(?:str|String|toString|ToString|valueOf|hex|format|b64encode|encode|Encode|ToBase64String|ToHexString|toHexString|GetString|Sprint|sprintf|Itoa|FormatInt|toOctalString|toBinaryString|dechex|md5|sha1|join|substr|Substring|slice$|chr$|char$|charAt$|charCodeAt$|fromChar|bin2hex|base_convert|pad|Pad|hexdigest|to_s$|to_base|[Hh]ash$|HashData$)/;
const GIVES_NUMBER = /^(?:floor|ceil|round|abs|trunc|int|Int|Integer|intval|parseInt|toFixed|rune|byte)$/;
const MAKES_EACH = /^(?:map|collect|Select|array_map|times|from|new|generate|Array|mapToObj|flatMap)$/;
const ALPHABET = /char|alph|letter|digit|symbol|possible|pool|hex|base\d|^.{1,2}$|^str|ascii/i;

export function findResultRandomness(
  run: AnalysisRun,
  { name, receiver, args, line }: EvaluatedCall,
): FlowStep | undefined {
  const own = receiver && findPredictableRandomness(receiver);
  const isText = GIVES_TEXT.test(name);
  const given =
    isText || GIVES_NUMBER.test(name) ? mergeTaints(args.map(({ value }) => value)).random : undefined;
  const random = own ?? given ?? (MAKES_EACH.test(name) ? eachOf(run, args, line) : undefined);
  return random && isText && isFromClock(random) ? { ...random, note: GUESSABLE_TIME_TEXT_NOTE } : random;
}

function eachOf(run: AnalysisRun, args: readonly EvaluatedArgument[], line: number): FlowStep | undefined {
  for (const { value } of args) {
    const made = value.fn && evaluateElementFunction(run, value.fn, UNKNOWN_VALUE, line);
    const random = made && findPredictableRandomness(made);
    if (random) return random;
  }
  return undefined;
}

export function findElementRandomness(
  object: AbstractValue,
  at: AbstractValue,
  written: Expr,
): FlowStep | undefined {
  if (!at.random) return undefined;
  const isText = typeof object.constant === 'string' || object.items?.every(isCharacter);
  const name = written.op === 'name' || written.op === 'member' ? written.name : '';
  return isText || (!object.items && ALPHABET.test(name)) ? at.random : undefined;
}

const isCharacter = ({ constant }: AbstractValue): boolean =>
  typeof constant === 'number' || (typeof constant === 'string' && constant.length === 1);
