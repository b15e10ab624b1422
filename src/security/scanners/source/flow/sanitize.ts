import { ALL_HARM_BITS, bitsOf, ESCAPED_QUOTES_BIT, type HarmKind, RESOLVED_PATH_BIT } from '../harm.ts';
import { SANITIZING_REGEX_NAME } from '../ir.ts';
import type { EvaluatedArgument, EvaluatedCall } from './report.ts';
import type { AnalysisRun } from './run.ts';
import names from './sanitizer-names.json' with { type: 'json' };
import { type AbstractValue, withoutHarms } from './values/value.ts';

const BY_NAME = names.map(
  ({ pattern, flags, harms }) =>
    [new RegExp(pattern, flags), bitsOf(harms as readonly HarmKind[] | 'all')] as const,
);

const MAX_NAME_CHARACTERS = 100;

const UNDOES = /un(?:quote|escape|safe)|decode|deserial/i;

const REPLACES =
  /^(?:replace|replaceAll|Replace|gsub|str_i?replace|preg_replace|ReplaceAll|ReplaceAllString)$/;

const LEADING_DOTS = /^\^.{0,10}\\\.\\\..{0,40}[+*]$/;

const BREAKS = /\\[nrsvWDpR]|\[\^/;

const HARMLESS_TEXT = /^(?!undefined$)[\w -]*$/;

export function sanitizeByReplacement(
  name: string,
  args: readonly EvaluatedArgument[],
  value: AbstractValue,
): AbstractValue {
  if (!value.taint || !REPLACES.test(name)) return value;
  if (args[0]?.value.path === SANITIZING_REGEX_NAME && HARMLESS_TEXT.test(String(args[1]?.value.constant))) {
    return withoutHarms(value, ALL_HARM_BITS);
  }
  const regex = args[0]?.value.regex?.source ?? '';
  if (BREAKS.test(regex)) return withoutHarms(value, bitsOf(['header', 'log']));
  // In a normalised path, `..` can only be at the start, so removing it at the start is sufficient.
  const isRooted = (value.taint.clean & RESOLVED_PATH_BIT) !== 0 && LEADING_DOTS.test(regex);
  if (isRooted && args[1]?.value.constant === '') return withoutHarms(value, bitsOf(['path']));
  const what = args.find((arg) => typeof arg.value.constant === 'string')?.value.constant;
  if (typeof what !== 'string') return value;
  let bits = 0;
  if (/[\r\n]/.test(what)) bits |= bitsOf(['header', 'log']);
  if (/['"]/.test(what)) bits |= bitsOf(['sql', 'xpath']);
  if (/^[/\\]$/.test(what)) bits |= bitsOf(['path']);
  // Removing each `<` prevents cross-site scripting. Removing only a tag such as `<script>` does not.
  if (what.includes('<') && !/[a-z]/i.test(what)) bits |= bitsOf(['xss']);
  if (what.includes('[^')) bits |= ALL_HARM_BITS;
  return withoutHarms(value, bits);
}

const ONLY_NUMBERS = /^FILTER_(?:VALIDATE_(?:INT|FLOAT|BOOL(?:EAN)?|IP|MAC)|SANITIZE_NUMBER_(?:INT|FLOAT))$/;
const ESCAPES_HTML = /^FILTER_SANITIZE_(?:FULL_)?SPECIAL_CHARS$/;

export function preventedByFilter(filter: string | undefined): number {
  if (filter === undefined) return 0;
  return ONLY_NUMBERS.test(filter) ? ALL_HARM_BITS : ESCAPES_HTML.test(filter) ? bitsOf(['xss']) : 0;
}

export function preventedByOptions(name: string, args: readonly EvaluatedArgument[]): number {
  // In Rails, `params.merge(only_path: true)` gives a URL without a host.
  if (args.some((arg) => arg.name === 'only_path' && arg.value.constant === true))
    return bitsOf(['redirect', 'ssrf']);
  // In Flask, `request.args.get('n', type=int)` returns a number.
  if (args.some((arg) => arg.name === 'type' && NUMERIC_TYPE.test(arg.value.path ?? '')))
    return ALL_HARM_BITS;
  const place = name === 'filter_var' ? 1 : 2;
  return /^filter_(?:var|input)$/.test(name) ? preventedByFilter(args[place]?.value.path) : 0;
}

const NUMERIC_TYPE =
  /^(?:int|float|bool|complex|(?:uuid\.)?UUID|(?:decimal\.)?Decimal|(?:datetime\.)?(?:date|datetime))$/;

const TO_NUMBER =
  /^(?:intval|floatval|boolval|absint|parse(?:Int|Float)|Itoa|Format(?:U?int|Float|Bool)|Parse(?:U?int|Float|Bool)|to_[if]|ToInt(?:16|32|64)|integer|boolean|get(?:Int|Boolean|Digits|Alnum|Alpha)|nameof)$/i;

export function isNumberAsText({ name, receiver, args }: EvaluatedCall): boolean {
  if (TO_NUMBER.test(name) || preventedByOptions(name, args) === ALL_HARM_BITS) return true;
  const whole = args.length === 0 ? receiver : args.length === 1 && !receiver ? args[0]?.value : undefined;
  return whole?.fixed === true && /^(?:to_?string|to_s|str|strval)$/i.test(name);
}

const FINDS = /^(?:match|exec|FindString(?:Submatch)?|Match|scan)$/;
const PLAIN_CLASS = /\[(?!\^)(?:\\[wd.-]|[\w .,:@-]){1,60}\]/g;
const PLAIN_EXPRESSION = /^(?:\\[wdbBAzZ.-]|[\w ,:@^$()?*+{}|-]){0,300}$/;

/** True for a search that can find only letters, digits and signs such as `-`: `id.match(/^\d+$/)`. */
export function findsPlainText({ name, receiver, args }: EvaluatedCall): boolean {
  const regex =
    FINDS.test(name) && [receiver, ...args.map(({ value }) => value)].find((one) => one?.regex)?.regex;
  return regex ? PLAIN_EXPRESSION.test(regex.source.slice(0, 1000).replace(PLAIN_CLASS, '')) : false;
}

export function sanitizeByName(name: string, path: string, value: AbstractValue): AbstractValue {
  if (!value.taint || name.length > MAX_NAME_CHARACTERS || UNDOES.test(name)) return value;
  let bits = 0;
  for (const [pattern, clean] of BY_NAME) if (pattern.test(name)) bits |= clean;
  if (name === 'escape' && /html|markup/i.test(path)) bits |= bitsOf(['xpath', 'xxe']);
  return withoutHarms(value, bits);
}

/** Matches Rails' route helpers, such as `users_path`. They return an address of the application itself. */
const ROUTE_HELPER =
  /^(?:(?:Rails[\w.()]{0,60}\.)?(?:url_helpers|helpers|main_app|app)(?:\(\))?\.)?[a-z]\w{0,80}_(?:path|url)(?:\(\))?$/;
const RUBY_FILE = /\.(?:rb|erb|haml|slim|rake)$/;

export function sanitizeByRule(run: AnalysisRun, path: string, value: AbstractValue): AbstractValue {
  if (!value.taint) return value;
  const isRoute = RUBY_FILE.test(run.path) && ROUTE_HELPER.test(path);
  let bits = isRoute ? bitsOf(['redirect', 'ssrf', 'xss']) : 0;
  for (const one of run.rules.cleaners.matching(path))
    bits |=
      bitsOf(one.harms) | (one.resolves ? RESOLVED_PATH_BIT : 0) | (one.quoted ? ESCAPED_QUOTES_BIT : 0);
  return withoutHarms(value, bits);
}
