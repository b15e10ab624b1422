import { ALL_HARMS, bitsOf, RESOLVED } from '../harm.ts';
import type { Expr } from '../ir.ts';
import { checkName } from './assign.ts';
import { collect, remade } from './collections.ts';
import { evaluate, mixed, named } from './evaluate.ts';
import { foldMethod, format } from './fold.ts';
import { invoke } from './invoke.ts';
import { type Given, holds, judge, reaching } from './report.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { further, randomOf, stronger, type Taint, taintOf, UNKNOWN, type Value } from './value.ts';

type Call = Extract<Expr, { op: 'call' }>;

/** Calls whose result is something of its own, whatever they were asked with. */
const OF_ITS_OWN =
  /^(?:find|query|exec|fetch|load|select|insert|update|delete|destroy|save|create|look_?up|count|exists?|filter|authenticate|log|print|warn|error|info|debug|emit|on|send|write|publish|compare|verify|check|is|has|set|add|remove|get|open|run|call|search|match|test|redirect|render|url_for|sign|hash|digest|connect|bind|register|import|require|abort|assert)(?=$|[A-Z_?!])/i;
/** Methods of a text or a collection that give a number, or yes or no. */
const NUMBERS =
  /^(?:len|length|size|count|index|rindex|find|rfind|indexOf|lastIndexOf|IndexOf|search|test|startswith|endswith|startsWith|endsWith|StartsWith|EndsWith|isdigit|isalnum|isalpha|isnumeric|isEmpty|contains|Contains|ContainsKey|includes|has|equals|Equals|equalsIgnoreCase|compareTo|hashCode|matches|exists|isinstance|hasattr|strlen|ord|charCodeAt|codePointAt|empty\?|nil\?|include\?|is_\w+|isset|empty|in_array|every|some|typeof)$/;
/** What the name of a function says it makes harmless. */
const BY_NAME: readonly (readonly [RegExp, number])[] = [
  [/(?:sanitiz|sanitis|purif|whitelist|allowlist|safe_?(?:value|string|text|path|name|url))/i, ALL_HARMS],
  [
    /(?:^|_|\b)(?:esc|h|e)(?:ape)?_?(?:html|xml|attr)|(?:html|xml).*(?:escape|encode)|escape.*(?:html|xml)/i,
    bitsOf(['xss', 'xxe', 'xpath']),
  ],
  [/(?:escape|quote).*(?:shell|cmd|arg)|(?:shell|cmd).*(?:escape|quote)/i, bitsOf(['command'])],
  [
    /(?:escape|quote).*(?:sql|ident|literal|like|string)|sql.*(?:escape|quote)|mysqli?_real_escape/i,
    bitsOf(['sql']),
  ],
  [/(?:escape|encode).*(?:ldap|dn|filter)|ldap.*(?:escape|encode)/i, bitsOf(['ldap'])],
  [/(?:escape|quote).*xpath|xpath.*(?:escape|quote)/i, bitsOf(['xpath'])],
  [/(?:secure|clean|safe)_?file_?name|base_?name|GetFileName$/i, bitsOf(['path'])],
  [
    /encodeURIComponent|url_?encode|quote_plus|QueryEscape|PathEscape|EscapeDataString|UrlEncode/i,
    bitsOf(['xss', 'redirect', 'ssrf', 'path', 'header']),
  ],
  [/^(?:escape|e|h)$/, bitsOf(['xss'])],
];

/** Collections that are made empty. */
const LISTS = /(?:^|\.)(?:ArrayList|LinkedList|Vector|Stack|ArrayDeque|List|Array|list)$/;
const MAPS = /(?:^|\.)(?:(?:Linked)?HashMap|TreeMap|ConcurrentHashMap|Hashtable|Dictionary|Map|dict)$/;
const UNDOES = /un(?:quote|escape|safe)|decode|deserial/i;

/** What a call gives; faults of the call itself are said. */
export function call(run: Run, expr: Call, scope: Scope): Value {
  const { callee } = expr;
  const receiver = callee.op === 'member' ? evaluate(run, callee.object, scope) : undefined;
  const name = callee.op === 'member' || callee.op === 'name' ? callee.name : '';
  const target = calleeValue(run, callee, receiver, scope);
  const args = expr.args.map((arg) => ({ ...arg, value: evaluate(run, arg.value, scope) }));
  const path = target.path ?? '?';
  const isSink = path !== '?' && faults(run, path, args, receiver, expr.line);
  checkArguments(run, expr, args, path);
  if (target.fn) {
    const value = invoke(run, target.fn, args, receiver, expr.line);
    if (value) return byName(name, path, value);
  }
  // A class of the file: what it makes has its methods.
  if (target.fields && callee.op === 'name' && run.deep) return { path: `${path}()`, fields: target.fields };
  callbacks(run, args, receiver, expr.line);
  mark(run, path, args, receiver, callee, scope);
  const held = collect(run, callee, name, receiver, args, scope, expr.line);
  if (held) return held;
  return result(run, { expr, name, path, receiver, args, isSink });
}

/** The function, by what its object holds, by its variable, or by its path. */
function calleeValue(run: Run, callee: Expr, receiver: Value | undefined, scope: Scope): Value {
  if (callee.op === 'member' && receiver) {
    const field = receiver.fields?.get(callee.name);
    if (field?.fn) return field;
    return { path: `${receiver.path ?? '?'}.${callee.name}`.slice(0, 160) };
  }
  return evaluate(run, callee, scope);
}

function faults(
  run: Run,
  path: string,
  args: readonly Given[],
  receiver: Value | undefined,
  line: number,
): boolean {
  for (const check of run.rules.checks.find(path)) {
    if (check.imports && !check.imports.test(run.imports)) continue;
    if (check.on && !check.on.test(path)) continue;
    if (!holds(check.when, args, receiver)) continue;
    run.hit({ rule: check.rule, line, severity: check.severity });
  }
  const sinks = run.rules.sinks.find(path);
  let any = false;
  for (const sink of sinks) {
    if (sink.imports && !sink.imports.test(run.imports)) continue;
    if (sink.on && !sink.on.test(path)) continue;
    const values = reaching(sink, args, receiver);
    if (sink.text && values.length === 0) continue;
    any = true;
    if (!holds(sink.when, args, receiver)) continue;
    for (const value of values) judge(run, sink, value, line);
  }
  return any;
}

/** Secrets handed over by name: `connect(password='...')`, `set_cookie('session', random())`. */
function checkArguments(run: Run, expr: Call, args: readonly Given[], path: string): void {
  expr.args.forEach((arg, at) => {
    const value = args[at]?.value;
    if (arg.name !== undefined && value) {
      checkName(run, arg.name, value, { value: arg.value, adds: false, line: arg.value.line });
    }
  });
  const called = expr.callee.op === 'member' || expr.callee.op === 'name' ? expr.callee.name : '';
  if (
    !/cookie|token|session|secret|password/i.test(called) &&
    !/session(?:\(\))?\.(?:set|put)\w*$/i.test(path)
  ) {
    return;
  }
  for (const arg of args) {
    const random = randomOf(arg.value);
    if (random) run.hit({ rule: 'source/weak-random', line: random.line, way: random });
  }
}

/** Functions handed to a method of data from outside see that data. */
function callbacks(run: Run, args: readonly Given[], receiver: Value | undefined, line: number): void {
  if (!run.deep) return;
  const taint = receiver && taintOf(receiver);
  if (!taint || taint.origin === 'param') return;
  for (const arg of args) {
    if (arg.value.fn) invoke(run, arg.value.fn, [{ value: { taint } }], undefined, line);
  }
}

function mark(
  run: Run,
  path: string,
  args: readonly Given[],
  receiver: Value | undefined,
  callee: Expr,
  scope: Scope,
): void {
  if (!receiver || callee.op !== 'member' || callee.object.op !== 'name') return;
  for (const marker of run.rules.markers.find(path)) {
    if (marker.result || !holds(marker.when, args, receiver)) continue;
    scope.values.set(callee.object.name, { ...receiver, marks: [...(receiver.marks ?? []), marker.mark] });
  }
}

interface Done {
  readonly expr: Call;
  readonly name: string;
  readonly path: string;
  readonly receiver: Value | undefined;
  readonly args: readonly Given[];
  readonly isSink: boolean;
}

function result(run: Run, done: Done): Value {
  const { name, path, receiver, args, expr } = done;
  const line = expr.line;
  if (receiver && typeof receiver.constant === 'string') {
    if (args.length === 0) {
      const folded = foldMethod(name, receiver.constant);
      if (folded !== undefined) return { constant: folded };
    }
    const at = args[0]?.value.constant;
    if (name === 'charAt' && typeof at === 'number') return { constant: receiver.constant.charAt(at) };
    if (name === 'format' || name === 'concat') return format([receiver, ...args.map((arg) => arg.value)]);
    if (name === 'join') return format([receiver, ...(args[0]?.value.items ?? args.map((arg) => arg.value))]);
  }
  if (path === 'len' && typeof args[0]?.value.constant === 'string') {
    return { constant: args[0].value.constant.length };
  }
  const made = `${path}()`;
  if (args.length === 0 && LISTS.test(path)) return { path: made, items: [] };
  if (args.length === 0 && MAPS.test(path)) return { path: made, fields: new Map() };
  if (NUMBERS.test(name)) return { path: made };
  if (run.rules.random.find(path).length > 0) {
    return { path: made, random: { line, note: `${name}() can be foretold`, length: 1 } };
  }
  const asked = args[0]?.value.constant;
  if (path === 'require' && typeof asked === 'string') {
    run.imports += ` ${asked.toLowerCase()}`;
    return named(run, asked.replace(/^node:/, ''), UNKNOWN, line);
  }
  const whole = run.rules.wholes.find(path)[0] === undefined ? undefined : args[0]?.value;
  if (whole) return whole.items?.[0] ?? whole;
  const each = remade(run, name, receiver, args, line);
  const own = each ?? receiver;
  let taint = own && taintOf(own);
  if (!done.isSink && !each) for (const arg of args) taint = stronger(taint, carried(arg.value, name));
  const random =
    receiver?.random ??
    (/^(?:str|String|toString|ToString|valueOf|hex|format|b64encode)/.test(name)
      ? mixed(args.map((arg) => arg.value)).random
      : undefined);
  const value = named(
    run,
    made,
    taint ? { taint: further(taint, line, `through ${name || 'a call'}()`) } : UNKNOWN,
    line,
  );
  const marks = run.rules.markers
    .find(path)
    .filter((marker) => marker.result && holds(marker.when, args, receiver))
    .map((marker) => marker.mark);
  // A builder's text is what was put into it.
  const built =
    receiver?.built &&
    /^(?:toString|ToString|getvalue|String|to_s|decode|encode|strip|trim|format)$/.test(name);
  const text = textOf(name, receiver, args);
  return cleaned(
    run,
    path,
    byName(
      name,
      path,
      replaced(name, args, {
        ...value,
        ...(random && { random }),
        ...(built && { built: true }),
        ...(text !== undefined && { text }),
        ...(marks.length > 0 && { marks }),
      }),
    ),
  );
}

const KEEPS =
  /^(?:to_?string|getvalue|string|to_s|str|strval|decode|encode|trim\w*|l?r?strip|squish|dedent|cleandoc|replace\w*|gsub|stripIndent|stripMargin)$/i;
const FORMATS = /^(?:v?sprintf|format|formatted|concat|StringBuilder|StringBuffer)$/i;

/** What is seen of the text that a call gives. */
function textOf(name: string, receiver: Value | undefined, args: readonly Given[]): string | undefined {
  const put = typeof receiver?.constant === 'string' ? receiver.constant : receiver?.text;
  if (KEEPS.test(name)) return put ?? args[0]?.value.text;
  if (!FORMATS.test(name)) return undefined;
  const own = receiver && put !== undefined ? [receiver] : [];
  const { constant, text } = format([...own, ...args.map((arg) => arg.value)]);
  return typeof constant === 'string' ? constant : text;
}

/** What an argument hands on to the result of a call that is not known. */
function carried(value: Value, name: string): Taint | undefined {
  const taint = taintOf(value);
  if (!taint) return undefined;
  // The request as a whole: whatever is asked of it is the sender's.
  if (taint.origin === 'request' && taint.way.length === 1 && /(?:^|\.)req(?:uest)?$/i.test(value.path ?? ''))
    return taint;
  return OF_ITS_OWN.test(name) ? undefined : taint;
}

/** `text.replace("'", '')` takes away what would break out of quotes. */
function replaced(name: string, args: readonly Given[], value: Value): Value {
  if (!value.taint || !/^(?:replace|replaceAll|Replace|gsub|str_replace|ReplaceAll)$/.test(name))
    return value;
  const what = args.find((arg) => typeof arg.value.constant === 'string')?.value.constant;
  if (typeof what !== 'string') return value;
  let bits = 0;
  if (/['"]/.test(what)) bits |= bitsOf(['sql', 'xpath']);
  if (what.includes('<')) bits |= bitsOf(['xss']);
  if (/[^\w\s]\^|\[\^/.test(what)) bits |= ALL_HARMS;
  return bits === 0 ? value : { ...value, taint: { ...value.taint, clean: value.taint.clean | bits } };
}

function byName(name: string, path: string, value: Value): Value {
  if (!value.taint || UNDOES.test(name)) return value;
  let bits = 0;
  for (const [pattern, clean] of BY_NAME) if (pattern.test(name)) bits |= clean;
  if (name === 'escape' && /html|markup/i.test(path)) bits |= bitsOf(['xss', 'xpath', 'xxe']);
  return bits === 0 ? value : { ...value, taint: { ...value.taint, clean: value.taint.clean | bits } };
}

/** The value after a call of that path: what it can no longer do is said. */
export function cleaned(run: Run, path: string, value: Value): Value {
  if (!value.taint) return value;
  let bits = 0;
  for (const one of run.rules.cleaners.find(path)) bits |= bitsOf(one.harms) | (one.resolves ? RESOLVED : 0);
  return bits === 0 ? value : { ...value, taint: { ...value.taint, clean: value.taint.clean | bits } };
}
