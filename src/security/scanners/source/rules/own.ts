import { createHash } from 'node:crypto';
import { compileLinearRegex } from '../../../../lib/expressions/linear-expression.ts';
import { HARMS, type HarmKind, USER_RULE_HARMS } from '../harm.ts';
import { type CompiledRuleFiles, compileRuleFiles, RuleMistakes } from './compile.ts';
import { type RuleFile, type SharedRuleFile, userRuleSchemas } from './file.ts';
import { type ParsedRuleFile, parseRuleFile, type RuleFileMistake } from './parse.ts';
import { type RuleSample, samplesOf } from './samples.ts';

export interface UserRules extends CompiledRuleFiles {
  /** Hash of all rule files of the user. Cached findings are used only for the same hash. */
  readonly hash: string;
}

export interface UserRuleFile {
  readonly name: string;
  readonly text: string;
}

export interface UserRuleMistake extends RuleFileMistake {
  readonly file: string;
}

export interface UserRuleSample extends RuleSample {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

export type OwnRulesResult =
  | { readonly rules: UserRules; readonly samples: readonly UserRuleSample[] }
  | { readonly mistakes: readonly UserRuleMistake[] };

export const OWN_RULE_PREFIX = 'own/';

const SCHEMAS = userRuleSchemas(compileLinearRegex);
type OwnRule = Omit<RuleFile, 'harm'> & { readonly harm?: string };
type OwnShared = Omit<SharedRuleFile, 'sanitizers'> & {
  readonly sanitizers: readonly (Omit<SharedRuleFile['sanitizers'][number], 'harms'> & {
    readonly harms: 'all' | readonly string[];
  })[];
};

interface NamedRuleFile<Of> extends ParsedRuleFile<Of> {
  readonly file: string;
}

/** Reads a user's rule files and returns rules or all mistakes. Runs in a worker, because a hostile file can take seconds. */
export function readUserRules(files: readonly UserRuleFile[]): OwnRulesResult {
  const mistakes: UserRuleMistake[] = [];
  const rules: NamedRuleFile<OwnRule>[] = [];
  const shared: NamedRuleFile<OwnShared>[] = [];
  for (const { name: file, text } of files) {
    const isShared = /^language\s*:/m.test(text);
    const parsed = isShared ? parseRuleFile(text, SCHEMAS.shared) : parseRuleFile(text, SCHEMAS.rule);
    if ('mistakes' in parsed) mistakes.push(...parsed.mistakes.map((one) => ({ ...one, file })));
    else if (isShared) shared.push({ ...(parsed as ParsedRuleFile<OwnShared>), file });
    else rules.push({ ...(parsed as ParsedRuleFile<OwnRule>), file });
  }
  mistakes.push(...twice(rules));
  const found = compiled(rules, shared);
  if ('mistakes' in found || mistakes.length > 0)
    return { mistakes: [...mistakes, ...('mistakes' in found ? found.mistakes : [])].sort(byPlace) };
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('base64url');
  return { rules: { ...found, hash }, samples: rules.flatMap(placedSamples) };
}

const byPlace = (a: UserRuleMistake, b: UserRuleMistake): number =>
  a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;

function placedSamples({ value, file, lineOf }: NamedRuleFile<OwnRule>): UserRuleSample[] {
  return samplesOf(value as RuleFile, []).map((sample) => ({
    ...sample,
    file,
    line: lineOf(sample.place),
    rule: value.id,
  }));
}

function twice(rules: readonly NamedRuleFile<OwnRule>[]): UserRuleMistake[] {
  const seen = new Map<string, string>();
  return rules.flatMap(({ value: { id }, file, lineOf }) => {
    const before = seen.get(id);
    seen.set(id, file);
    return before === undefined
      ? []
      : [{ file, line: lineOf(['id']), rule: id, what: `the id is also that of ${before}` }];
  });
}

function compiled(rules: readonly NamedRuleFile<OwnRule>[], shared: readonly NamedRuleFile<OwnShared>[]) {
  const places = createPlaces();
  let at: NamedRuleFile<OwnRule | OwnShared> | undefined;
  try {
    const placed = shared.map((file): SharedRuleFile => {
      at = file;
      const sanitizers = file.value.sanitizers.map(({ harms, ...rest }) => ({
        ...rest,
        harms: harms === 'all' ? harms : (harms.map(places) as SharedRuleFile['sanitizers'][number]['harms']),
      }));
      return { ...file.value, sanitizers } as SharedRuleFile;
    });
    const own = rules.map((file): RuleFile => {
      at = file;
      const { harm, id } = file.value;
      return { ...file.value, harm: needsHarm(file.value) ? places(harm ?? id) : undefined } as RuleFile;
    });
    return compileRuleFiles(placed, own, OWN_RULE_PREFIX);
  } catch (thrown) {
    if (thrown instanceof RangeError)
      return { mistakes: [{ file: at?.file ?? '', line: 1, rule: undefined, what: thrown.message }] };
    if (!(thrown instanceof RuleMistakes)) throw thrown;
    const mistakes = thrown.all.map(({ rule, path, message: what }) => {
      const file = rules.find(({ value }) => value.id === rule) ?? at;
      return { file: file?.file ?? '', line: file?.lineOf(path) ?? 1, rule, what };
    });
    return { mistakes };
  }
}

const needsHarm = ({ languages }: OwnRule): boolean =>
  Object.values(languages).some((one) => one && one.sinks.length + one.sanitizers.length > 0);

function createPlaces(): (name: string) => HarmKind {
  const known = new Map<string, HarmKind>(HARMS.map((harm) => [harm, harm]));
  return (name) => {
    const before = known.get(name);
    if (before) return before;
    const free = USER_RULE_HARMS[known.size - HARMS.length];
    if (!free)
      throw new RangeError(
        `the rules have over ${USER_RULE_HARMS.length} harms of their own (${[...known.keys()].slice(HARMS.length).join(', ')}, ${name}): ` +
          `give some the same harm, or one of ${HARMS.join(', ')}`,
      );
    known.set(name, free);
    return free;
  };
}
