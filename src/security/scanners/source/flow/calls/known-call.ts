import { bitOf } from '../../harm.ts';
import { evaluatePublicDigest } from '../public-digests.ts';
import type { EvaluatedArgument, EvaluatedCall } from '../report.ts';
import type { AnalysisRun } from '../run.ts';
import { concatenateValues, foldInteger, foldMethod } from '../values/fold.ts';
import { valueAtPath } from '../values/paths.ts';
import {
  type AbstractValue,
  GUESSABLE_TIME_NOTE,
  isOfConstants,
  MAX_TRACKED_ELEMENTS,
  taintOf,
  UNKNOWN_VALUE,
  withoutHarms,
} from '../values/value.ts';
import { parentFolderOf } from './include.ts';
import { evaluateSchemaParse } from './schemas.ts';
import { evaluateRegexCall } from './slow-expression.ts';

const LISTS = /(?:^|\.)(?:ArrayList|LinkedList|Vector|Stack|ArrayDeque|List|Array|list)$/;
const MAPS = /(?:^|\.)(?:(?:Linked)?HashMap|TreeMap|ConcurrentHashMap|Hashtable|Dictionary|Map|dict)$/;

const GIVES_NUMBER =
  /^(?:len|length|size|count|index|rindex|find|rfind|indexOf|lastIndexOf|IndexOf|search|test|startswith|endswith|startsWith|endsWith|StartsWith|EndsWith|isdigit|isalnum|isalpha|isnumeric|isEmpty|contains|Contains|ContainsKey|includes|has|equals|Equals|equalsIgnoreCase|compareTo|hashCode|matches|exists|isinstance|hasattr|strlen|ord|charCodeAt|codePointAt|empty\?|nil\?|include\?|is_\w+|isset|empty|in_array|every|some|typeof)$/;

const COUNTED =
  /^(?:len|length|size|count|indexOf|lastIndexOf|IndexOf|hashCode|compareTo|ord|charCodeAt|codePointAt)$/;

const LIST_OF = /(?:^|\.)(?:Arrays\.asList|(?:Immutable)?(?:List|Set)\.of|Stream\.of)$/;
const MERGE_OF = /^(?:Object\.assign|(?:lodash|_)\.(?:assign|extend|merge))$/;
const PAIRS_OF = /^(?:Map|Immutable\.Map)$/;
const MAP_OF = /(?:^|\.)(?:Immutable)?Map\.of$/;

function collected(path: string, args: readonly EvaluatedArgument[]): AbstractValue | undefined {
  const [first] = args;
  if (LIST_OF.test(path) && args.length <= MAX_TRACKED_ELEMENTS)
    return args.length === 1 && first?.value.items
      ? { items: first.value.items }
      : { items: args.map((arg) => arg.value) };
  if (MERGE_OF.test(path) && args.every(({ value }) => value.fields && !value.taint))
    return { fields: new Map(args.flatMap(({ value }) => [...(value.fields ?? [])])) };
  const pairs = PAIRS_OF.test(path) && args.length === 1 ? first?.value.items : undefined;
  if (pairs?.every(({ items }) => items?.length === 2 && items[0]?.constant !== undefined))
    return {
      fields: new Map(pairs.map(({ items }) => [String(items?.[0]?.constant), items?.[1] ?? UNKNOWN_VALUE])),
    };
  if (!MAP_OF.test(path) || args.length % 2 !== 0) return undefined;
  const fields = new Map<string, AbstractValue>();
  for (let at = 0; at < args.length; at += 2) {
    const key = args[at]?.value.constant;
    if (key === undefined) return undefined;
    fields.set(String(key), args[at + 1]?.value ?? UNKNOWN_VALUE);
  }
  return { fields };
}

export function evaluateKnownCall(run: AnalysisRun, call: EvaluatedCall): AbstractValue | undefined {
  const { name, path, args, line } = call;
  const folded = foldedResult(call);
  if (folded) return folded;
  const result = `${path}()`;
  if (args.length === 0 && LISTS.test(path)) return { path: result, items: [] };
  if (args.length === 0 && MAPS.test(path)) return { path: result, fields: new Map() };
  const made = collected(path, args);
  if (made) return { path: result, ...made };
  const isFixed =
    COUNTED.test(name) || (call.receiver !== undefined && PICKS.test(name) && isOfConstants(call.receiver));
  if (GIVES_NUMBER.test(name)) return isFixed ? { path: result, fixed: true } : { path: result };
  const random = drawnBy(run, call);
  if (random) return { path: result, random: { path: run.path, line, note: random, length: 1 } };
  const guessed =
    settingOf(run, call) ??
    settingsFileOf(call) ??
    evaluateSchemaParse(call) ??
    evaluatePublicDigest(run, call) ??
    evaluateRegexCall(call) ??
    optionPairsOf(call) ??
    bodyRead(run, call);
  if (guessed) return guessed;
  const module = args[0]?.value.constant;
  if (path === 'require' && typeof module === 'string') {
    run.imports += ` ${module.toLowerCase()}`;
    const value = valueAtPath(run, module.replace(/^node:/, ''), UNKNOWN_VALUE, line);
    const link = run.linker?.imported(run, module, '');
    return link ? { ...value, link } : value;
  }
  return run.rules.wholes.matching(path).length > 0 ? wrapped(args) : undefined;
}

function wrapped(args: readonly EvaluatedArgument[]): AbstractValue | undefined {
  const whole = args[0]?.value;
  const sent = whole?.items?.[0] ?? whole;
  return sent && args.some(isPlainType) ? withoutHarms(sent, bitOf('xss')) : sent;
}

const isPlainType = ({ name, value: { constant } }: EvaluatedArgument): boolean =>
  /^(?:mimetype|content_type|media_type)$/.test(name ?? '') &&
  /^(?!.*(?:html|xml|svg)).+$/.test(String(constant ?? ''));

function drawnBy({ rules }: AnalysisRun, { name, path, args }: EvaluatedCall): string | undefined {
  const isSecure = args.some((arg) => arg.name === 'random');
  if (!isSecure && rules.random.matching(path).length > 0) return `the output of ${name}() can be predicted`;
  return rules.clocks.matching(path).length > 0 ? GUESSABLE_TIME_NOTE : undefined;
}

function bodyRead(run: AnalysisRun, { args, line }: EvaluatedCall): AbstractValue | undefined {
  if (args[0]?.value.constant !== 'php://input') return undefined;
  return valueAtPath(run, '$HTTP_RAW_POST_DATA', UNKNOWN_VALUE, line);
}

/** Evaluates Python's `getopt`, which returns pairs of option and value. Only the value is the user's input. */
function optionPairsOf({ path, args }: EvaluatedCall): AbstractValue | undefined {
  const taint = /^getopt\.(?:gnu_)?getopt$/.test(path) && args[0] && taintOf(args[0].value);
  if (!taint) return undefined;
  const pair = { items: [{ fixed: true as const }, { taint }] };
  return { path: `${path}()`, items: [{ items: [pair] }, { taint }] };
}

const ASKS = /^(?:getProperty|getRequiredProperty|getString)$/;
const SETTINGS_FILE = /^[^\0]{1,200}\.properties$/;
const PLACEHOLDER = /^\$\{([\w.-]{1,120})(?::([^{}]{0,300}))?\}$/;

function settingOf(run: AnalysisRun, { name, path, receiver, args }: EvaluatedCall) {
  const first = String(args[0]?.value.constant ?? '');
  const [, placed, byDefault] = (path === '@Value' && PLACEHOLDER.exec(first)) || [];
  const file = SETTINGS_FILE.test(receiver?.text ?? '') ? receiver?.text : undefined;
  const asks = receiver && ASKS.test(name) && path !== 'System.getProperty' && (file ?? name) !== 'getString';
  const key = placed ?? (asks ? first : '');
  if (key === '') return undefined;
  const setting = run.linker?.setting(key, file, run);
  if (!setting && placed !== undefined) return byDefault === undefined ? undefined : { constant: byDefault };
  if (!setting) return receiver && taintOf(receiver) ? undefined : args[1]?.value;
  const set = { path: setting.path, line: setting.line, note: `${key} is set here`, length: 1 };
  return { constant: setting.value, set };
}

const OPENS = /^(?:getResource(?:AsStream)?|FileInputStream|FileReader|getBundle)$/;

function settingsFileOf({ name, path, args }: EvaluatedCall): AbstractValue | undefined {
  const given = args[0]?.value.constant;
  if (typeof given !== 'string' || !OPENS.test(name)) return undefined;
  const text =
    name === 'getBundle' ? `${given.replaceAll('.', '/')}.properties` : given.replace(/^[./]+/, '');
  return SETTINGS_FILE.test(text) ? { path: `${path}()`, text } : undefined;
}

function foldedResult({ name, path, receiver, args }: EvaluatedCall): AbstractValue | undefined {
  const first = args[0]?.value;
  if (receiver && typeof receiver.constant === 'string') {
    const given = args.map(({ value }) => value.constant);
    const folded = foldMethod(name, receiver.constant, given);
    if (folded !== undefined) return { constant: folded };
    const at = first?.constant;
    if (name === 'charAt' && typeof at === 'number') return { constant: receiver.constant.charAt(at) };
    if (name === 'format' || name === 'concat')
      return concatenateValues([receiver, ...args.map((arg) => arg.value)]);
    if (name === 'join')
      return concatenateValues([receiver, ...(first?.items ?? args.map((arg) => arg.value))]);
  }
  const number = args.length === 1 ? foldInteger(path, first?.constant) : undefined;
  if (number !== undefined) return { constant: number };
  if (path === 'dirname' && typeof first?.constant === 'string')
    return { constant: parentFolderOf(first.constant) };
  if (path === 'len' && typeof first?.constant === 'string') return { constant: first.constant.length };
  return undefined;
}

const REPEATS = /^(?:str_repeat|Repeat|repeat|array_fill|fill)$/;
const PICKS =
  /^(?:find|filter|first|last|at|detect|select|First|Last|Single|FirstOrDefault|LastOrDefault|SingleOrDefault|Where|pop|shift|slice|next|sample|findFirst|orElse|get)$/;
const OF_TEXT_IN_PHP =
  /^(?:implode|join|[lr]?trim|substr|str_pad|strto(?:upp|low)er|array_(?:merge|values|keys))$/;

const BUILDER = /^(?:String|StringBuilder|StringBuffer|StringWriter|StringJoiner)$/;
const OF_TEXT =
  /^(?:format|Format|formatted|valueOf|toString|String|subSequence|substr(?:ing)?|Substring|split|Split|replace\w{0,10}|Replace|trim\w{0,5}|Trim\w{0,5}|strip\w{0,8}|getBytes|GetBytes|GetString|toCharArray|ToCharArray|toUpperCase|toLowerCase|ToUpper\w{0,9}|ToLower\w{0,9}|repeat|concat|Concat|intern|join|Join|(?:en|de)code\w{0,20}|(?:To|From)Base64String|append|insert|reverse|nextElement|next|nextToken)$/;

export function hasFixedResult({ name, path, receiver, args }: EvaluatedCall): boolean {
  const isKnown = (value: AbstractValue) =>
    value.fixed === true || value.constant !== undefined || isOfConstants(value);
  if (receiver && PICKS.test(name) && isOfConstants(receiver)) return true;
  const repeated = [receiver, ...args.map(({ value }) => value)];
  if (REPEATS.test(name) && repeated.some((value) => typeof value?.constant === 'string')) return true;
  if (!args.every(({ value }) => isKnown(value))) return false;
  if (!receiver && args.length > 0 && OF_TEXT_IN_PHP.test(path)) return true;
  if (BUILDER.test(path)) return true;
  if (!OF_TEXT.test(name) || !receiver) return false;
  if (isKnown(receiver)) return true;
  return (
    args.length > 0 &&
    /^(?:(?!\w{0,40}Random)[A-Z]|string$)/.test(receiver.path ?? '') &&
    !taintOf(receiver) &&
    !receiver.type
  );
}
