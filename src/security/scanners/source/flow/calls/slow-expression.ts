import { hasExponentialBacktracking } from '../../../../../lib/expressions/expression-ambiguity.ts';
import type { EvaluatedCall } from '../report.ts';
import type { AbstractValue } from '../values/value.ts';

const verdicts = new Map<string, boolean>();
const MAX_VERDICTS = 2000;

export function findSlowlySearchedTexts({ path, receiver, args }: EvaluatedCall): AbstractValue[] {
  const all = [...(receiver ? [receiver] : []), ...args.map(({ value }) => value)];
  const expression =
    all.find((one) => one.regex !== undefined) ?? args[patternPlace(path, args.length)]?.value;
  const regex = expression && (expression.regex ?? patternOf(path, expression));
  return regex && judged(regex.source, regex.flags) ? all.filter((one) => one !== expression) : [];
}

const TAKES_PATTERN = /^(?:re\.\w+|preg_\w+|Pattern\.matches)$|\.(?:matches|replaceFirst)$/;
const TAKES_PATTERN_SECOND = /^Regex\.\w+$/;
/** C# calls with this number of arguments have a timeout: `Regex.IsMatch(text, pattern, options, timeout)`. */
const TIMED_ARGUMENTS = { function: 4, constructor: 3 };

function patternPlace(path: string, count: number): number {
  if (TAKES_PATTERN_SECOND.test(path)) return count < TIMED_ARGUMENTS.function ? 1 : -1;
  return TAKES_PATTERN.test(path) ? 0 : -1;
}

const DELIMITED = /^([/#~!@|%])(.{1,2000})\1([a-zA-Z]{0,9})$/s;

function patternOf(path: string, { constant }: AbstractValue): AbstractValue['regex'] {
  if (typeof constant !== 'string') return undefined;
  if (!path.startsWith('preg_')) return { source: constant, flags: '' };
  const [, , source, flags = ''] = DELIMITED.exec(constant) ?? [];
  return source === undefined ? undefined : { source, flags };
}

export function evaluateRegexCall({ path, args }: EvaluatedCall): AbstractValue | undefined {
  const text = args[0]?.value.constant;
  if (typeof text !== 'string' || !/^(?:re\.compile|RegExp|Regexp\.new|Pattern\.compile|Regex)$/.test(path))
    return undefined;
  if (
    path === 'Regex' &&
    (args.length >= TIMED_ARGUMENTS.constructor || /NonBacktracking/.test(args[1]?.value.path ?? ''))
  )
    return undefined;
  return { path: `${path}()`, regex: { source: text, flags: '' } };
}

function judged(source: string, flags: string): boolean {
  const key = `/${source}/${flags}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
  const found = hasExponentialBacktracking(source, flags.includes('i') ? 'i' : '');
  verdicts.set(key, found);
  return found;
}
