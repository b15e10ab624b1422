import type { HarmKind } from '../harm.ts';
import type { SourceRule } from '../rule.ts';
import type { StoredRegex, StoredRules, StoredTrait } from './data.ts';
import type {
  CheckEntry,
  ConditionEntry,
  LanguageRuleFile,
  RuleFile,
  RuleLanguage,
  RuleSection,
  SharedRuleFile,
  SinkEntry,
} from './file.ts';

export interface CompiledRuleFiles {
  readonly catalogue: readonly SourceRule[];
  readonly languages: Readonly<Partial<Record<RuleLanguage, StoredRules>>>;
}

/** A mistake in a rule file. `path` leads to the wrong value, as a list of keys and indexes. */
export class RuleFileError extends Error {
  readonly rule: string;
  readonly path: readonly (string | number)[];
  constructor(rule: string, path: readonly (string | number)[], message: string) {
    super(message);
    this.rule = rule;
    this.path = path;
  }
}

export class RuleMistakes extends Error {
  readonly all: readonly RuleFileError[];
  constructor(all: readonly RuleFileError[]) {
    super(all.map(({ message }) => message).join('; '));
    this.all = all;
  }
}

type Mutable<Of> = { -readonly [Key in keyof Of]: Of[Key] extends readonly (infer One)[] ? One[] : Of[Key] };
type MutableRules = Mutable<StoredRules>;

/** The rules of each language that a file names. A file that is not a `LanguageRuleFile` adds to what is built in. */
export function compileRuleFiles(
  languageFiles: readonly (LanguageRuleFile | SharedRuleFile)[],
  ruleFiles: readonly RuleFile[],
  prefix = 'source/',
): CompiledRuleFiles {
  const languages: Partial<Record<RuleLanguage, MutableRules>> = {};
  const rulesOf = (language: RuleLanguage): MutableRules => (languages[language] ??= emptyRules());
  for (const file of languageFiles) {
    const rules = rulesOf(file.language);
    if ('comments' in file) {
      const { comments, importing, modules, 'written-as': writtenAs } = file;
      Object.assign(rules, { comments, importing, modules, writtenAs });
    }
    addShared(rules, file);
  }
  addRules(rulesOf, ruleFiles, prefix);
  return { catalogue: ruleFiles.map((rule) => textsOf(rule, prefix)), languages };
}

const emptyRules = (): MutableRules => ({
  comments: '//',
  sources: [],
  params: [],
  harmless: [],
  sinks: [],
  memberSinks: [],
  returns: [],
  checks: [],
  memberChecks: [],
  keyChecks: [],
  cleaners: [],
  markers: [],
  random: [],
  clocks: [],
  guessed: [],
  renders: [],
  fills: [],
  wholes: [],
});

function addRules(
  rulesOf: (language: RuleLanguage) => MutableRules,
  files: readonly RuleFile[],
  prefix: string,
): void {
  const mistakes: RuleFileError[] = [];
  for (const rule of files)
    for (const [language, section] of Object.entries(rule.languages) as [RuleLanguage, RuleSection][]) {
      const collect: MistakeCollector = (add, ...path) => {
        const place = ['languages', language, ...path];
        try {
          add((why, ...more) => {
            throw new RuleFileError(rule.id, [...place, ...more], why);
          });
        } catch (thrown) {
          if (thrown instanceof RangeError) mistakes.push(new RuleFileError(rule.id, place, thrown.message));
          else if (thrown instanceof RuleFileError) mistakes.push(thrown);
          else throw thrown;
        }
      };
      addSection(rulesOf(language), prefix + rule.id, rule.harm, section, collect);
    }
  if (mistakes.length > 0) throw new RuleMistakes(mistakes);
}

type ReportMistake = (why: string, ...path: (string | number)[]) => never;
/** Runs `add` for one entry of a rule. Stores mistakes instead of throwing, so that all are reported. */
type MistakeCollector = (add: (fail: ReportMistake) => void, ...path: (string | number)[]) => void;

function addSection(
  rules: MutableRules,
  id: string,
  harm: HarmKind | undefined,
  { sources, sinks, sanitizers, patterns }: RuleSection,
  collect: MistakeCollector,
): void {
  const needed = (fail: ReportMistake) => harm ?? fail('it needs the harm of its rule');
  collect(() => {
    if (sources.length > 0)
      rules.sources.push({ path: expandBraces(sources), origin: 'request', note: 'data from outside' });
  }, 'sources');
  for (const [at, entry] of sinks.entries())
    collect((fail) => addSink(rules, id, needed(fail), entry, fail), 'sinks', at);
  collect((fail) => {
    if (sanitizers.length > 0) rules.cleaners.push({ call: expandBraces(sanitizers), harms: [needed(fail)] });
  }, 'sanitizers');
  for (const [at, entry] of patterns.entries())
    collect((fail) => addCheck(rules, id, entry, fail), 'patterns', at);
}

function textsOf({ id, title, severity, cwe, description, fix }: RuleFile, prefix: string): SourceRule {
  return { id: prefix + id, title, severity, cwe, description, fix };
}

function addShared(rules: MutableRules, file: SharedRuleFile): void {
  for (const { pattern, ...rest } of file.sources)
    rules.sources.push({ path: expandBraces(pattern), ...rest });
  for (const { annotation, as, tainted, 'given-to': givenTo, ...rest } of file.parameters)
    rules.params.push({ ...rest, mark: annotation, givenTo, path: as, taints: tainted });
  rules.harmless.push(...expandBraces(file['not-sources']));
  for (const { pattern, ...rest } of file.sanitizers)
    rules.cleaners.push({ call: expandBraces(pattern), ...rest });
  for (const { pattern, when, ...rest } of file.marks)
    rules.markers.push({ call: expandBraces(pattern), ...rest, when: whenOf(when) });
  rules.random.push(...expandBraces(file.predictable));
  rules.clocks.push(...expandBraces(file.clocks));
  for (const { pattern, of } of file.guessable) rules.guessed.push({ call: expandBraces(pattern), of });
  for (const { pattern, ...rest } of file.renders)
    rules.renders.push({ call: expandBraces(pattern), ...rest });
  for (const { pattern, into, given } of file.fills)
    rules.fills.push({ call: expandBraces(pattern), into, fromArgs: given });
  rules.wholes.push(...expandBraces(file.wrappers));
}

function oneOf(entry: object, keys: readonly string[], fail: ReportMistake): void {
  const given = keys.filter((key) => (entry as Record<string, unknown>)[key] !== undefined);
  if (given.length !== 1)
    fail(`it takes one of ${keys.join(', ')}, and has ${given.join(' and ') || 'none'}`);
}

function addSink(rules: MutableRules, rule: string, harm: HarmKind, entry: SinkEntry, fail: ReportMistake) {
  oneOf(entry, ['pattern', 'assign', 'returned-by'], fail);
  const { pattern, assign, 'returned-by': decorator, unless, args, key, when, imports, ...rest } = entry;
  if (unless && decorator === undefined) fail('unless is taken beside returned-by alone');
  const odd = (taken: readonly string[]) => {
    const others = Object.keys(entry).filter((one) => !taken.includes(one));
    if (others.length > 0) fail(`${others.join(', ')} is not taken beside ${taken[0]}`);
  };
  if (pattern !== undefined) {
    if (key) fail('key is not taken beside pattern');
    const { whole, single, made, ...others } = rest;
    rules.sinks.push({
      rule,
      harm,
      call: expandBraces(pattern),
      args: args ?? 'all',
      when: whenOf(when),
      imports,
      ...others,
      wholeRequest: whole,
      singleField: single,
      withNew: made,
    });
  } else if (assign !== undefined) {
    odd(['assign', 'key', 'imports', 'on', 'built', 'parameter', 'severity']);
    const { on, built, parameter, severity } = rest;
    const member = expandBraces(assign);
    rules.memberSinks.push({ rule, harm, member, key, imports, on, built, parameter, severity });
  } else if (decorator !== undefined) {
    odd(['returned-by', 'imports', 'text', 'unless', 'keys']);
    rules.returns.push({ rule, harm, decorator, imports, unless, text: rest.text, keys: rest.keys });
  }
}

function addCheck(rules: MutableRules, rule: string, entry: CheckEntry, fail: ReportMistake): void {
  oneOf(entry, ['pattern', 'assign', 'key'], fail);
  const { pattern, assign, key, beside, constant: literal, shows, when, imports, on, severity } = entry;
  const { has, lacks, gives, below, fixed } = entry;
  const is = entry.matches ?? traitOf({ has, lacks, gives, below, fixed }) ?? entry.is;
  const odd = (...names: (keyof CheckEntry)[]) => {
    const others = names.filter((name) => entry[name] !== undefined);
    if (others.length > 0) fail(`${others.join(', ')} is not taken here`);
  };
  if (pattern !== undefined) {
    odd('is', 'matches', 'has', 'lacks', 'gives', 'below', 'fixed', 'beside', 'constant');
    const call = expandBraces(pattern);
    rules.checks.push({ rule, call, shows, when: whenOf(when), imports, on, severity });
    return;
  }
  odd('when', 'on', 'shows');
  if (is === undefined) fail('it takes is, matches, has, lacks or gives');
  if (assign !== undefined) {
    odd('beside');
    const member = expandBraces(assign);
    rules.memberChecks.push({ rule, member, is, constant: literal, imports, severity });
  } else if (key !== undefined) {
    const { key: name, has: listed, is: held, absent } = beside ?? {};
    const other =
      name === undefined ? undefined : { key: name, is: traitOf({ has: listed }) ?? held ?? true, absent };
    rules.keyChecks.push({ rule, key: namesOf(key), is, beside: other, imports, severity });
  }
}

function namesOf(names: string | readonly string[]): StoredRegex {
  const all = (typeof names === 'string' ? [names] : names).map((one) => one.replaceAll('$', '\\$'));
  return { re: `^(?:${all.join('|')})$`, flags: '' };
}

const whenOf = (when: readonly ConditionEntry[] | undefined): StoredRules['sinks'][number]['when'] =>
  when?.map(({ matches, has, gives, calls, ignores, below, bits, is, ...rest }) => ({
    ...rest,
    is: matches ?? traitOf({ has, gives, calls, ignores, below, bits }) ?? is,
  }));

function traitOf(trait: StoredTrait): StoredTrait | undefined {
  const said = Object.entries(trait).filter(([, value]) => value !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

const MAX_PATTERNS = 2000;

/** Expands braces in patterns: `fs.{read,write}` to `fs.read` and `fs.write`. Throws RangeError above `MAX_PATTERNS`. */
export function expandBraces(patterns: string | readonly string[]): string[] {
  const open = [...(typeof patterns === 'string' ? [patterns] : patterns)].reverse();
  const done: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts = partsOf(next);
    if (!parts) done.push(next);
    else for (const name of parts.names.reverse()) open.push(parts.before + name + parts.after);
    if (done.length + open.length > MAX_PATTERNS) throw new RangeError(`over ${MAX_PATTERNS} patterns`);
  }
  return done;
}

function partsOf(pattern: string): { before: string; names: string[]; after: string } | undefined {
  for (let start = pattern.indexOf('{'); start >= 0; start = pattern.indexOf('{', start + 1)) {
    const end = pattern.indexOf('}', start);
    if (end < 0) return undefined;
    const names = pattern.slice(start + 1, end).split(',');
    // Empty braces belong to a Go literal, `http.Cookie{}`, and are not expanded.
    if (end > start + 1) return { before: pattern.slice(0, start), names, after: pattern.slice(end + 1) };
  }
  return undefined;
}
