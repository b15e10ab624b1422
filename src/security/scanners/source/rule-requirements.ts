import type { LinearRegex } from '../../../lib/expressions/linear-expression.ts';
import type { CallCondition, CodePathPattern, LanguageFlowRules, ParamSource } from './rule.ts';
import { wordsOf } from './words.ts';

export interface RuleRequirement {
  /** Kind of rule. `sink` needs untrusted input in the file. `shows` needs untrusted input or stored data. */
  readonly kind: 'check' | 'built' | 'sink' | 'shows' | 'random' | 'source' | 'stored';
  readonly words: readonly string[];
  readonly last: string | undefined;
  readonly imports: RegExp | undefined;
  readonly module: RegExp | undefined;
  /** Pattern that the file's text must match. It is tested last, because testing the whole text is slow. */
  readonly shown: RegExp | undefined;
  readonly written: RegExp | undefined;
  /** Parameter with which the pattern begins: `req` in `req.query`. `by` tests whether a file has it. */
  readonly given: { readonly name: readonly string[]; readonly by: readonly ParameterTest[] } | undefined;
}

export interface ParameterTest {
  readonly tests: readonly RegExp[];
  readonly imports: RegExp | undefined;
}

const BEGIN = /(?<![[\\])\^/g;
const END = /(?<!\\)\$(?=$|[|)])/g;

function wordTest(pattern: LinearRegex | undefined): RegExp | undefined {
  // There is no test for users' patterns, nor for `^(?!`, which matches nearly any text.
  if (!(pattern instanceof RegExp) || pattern.source.startsWith('^(?!')) return undefined;
  return new RegExp(`(?:${pattern.source.replace(BEGIN, '(?<![\\w$])').replace(END, '(?!\\w)')})`);
}

export function buildImportTest(pattern: LinearRegex | undefined): RegExp | undefined {
  if (!(pattern instanceof RegExp) || pattern.source.startsWith('^(?!')) return undefined;
  return new RegExp(pattern.source.replace(/\^ \?/g, '').replace(BEGIN, ''), 'i');
}

function besideTest(a: RegExp, b: RegExp): RegExp {
  const [first, second] = [a, b].map((one) => `${one.source}\\s{0,20}[,)?:=]`);
  return new RegExp(`${first}[^]{0,300}?${second}|${second}[^]{0,300}?${first}`);
}

function typedTest(name: RegExp, type: RegExp): RegExp {
  const [first, second] = [name.source, type.source];
  return new RegExp(`${first}[^\\n,();=]{0,80}?${second}|${second}[^\\n,();=]{0,80}?${first}`);
}

function givenBy(param: ParamSource): ParameterTest {
  const name = wordTest(param.name);
  const beside = wordTest(param.beside);
  const type = wordTest(param.type);
  const mark = wordTest(param.mark);
  const named = wordTest(param.function);
  // A decorator such as `app.route` is not searched for, because a file may import it under another name.
  const plain = param.decorator instanceof RegExp && !param.decorator.source.includes('\\.');
  const decorator = plain ? wordTest(param.decorator) : undefined;
  const handedTo = param.givenTo instanceof RegExp ? /^\^(\w+)/.exec(param.givenTo.source)?.[1] : undefined;
  const tests = [
    handedTo === undefined ? undefined : new RegExp(`(?<!\\w)${handedTo}(?!\\w)`),
    name && beside ? besideTest(name, beside) : beside,
    name && type ? typedTest(name, type) : type,
    name && !beside && !type ? name : undefined,
    decorator,
    named,
    mark && new RegExp(`[@[][^\\n\\]]{0,100}?${mark.source}`),
  ];
  return { tests: tests.filter((one) => one !== undefined), imports: buildImportTest(param.imports) };
}

function moduleTest(pattern: CodePathPattern, modules: readonly string[]): RegExp | undefined {
  const root = /^[@\w]+(?:[-/][-\w/]*)?/.exec(pattern)?.[0] ?? '';
  if (!/[-/]/.test(root) && !modules.includes(root)) return undefined;
  return new RegExp(`['"\`](?:node:)?${root}['"\`/]`);
}

export const buildParameterTests = (rules: LanguageFlowRules): ParameterTest[] => rules.params.map(givenBy);

export const buildTaintedParameterTests = (rules: LanguageFlowRules): ParameterTest[] =>
  rules.params.filter((param) => param.taints).map(givenBy);

function beginTest(when: readonly CallCondition[] | undefined): RegExp | undefined {
  const begins = when?.find((one) => one.begins)?.begins;
  return begins instanceof RegExp ? new RegExp(begins.source.replace(BEGIN, ''), begins.flags) : undefined;
}

const REPEATED = /\)(?:[+*]|\{\d{0,5},)/;
const SPREAD = /\*\*[ \t]{0,9}(?=[\w(])/g;
const MADE = /\bnew[ \t]{1,9}(?=[A-Z])/g;

const MATCHES = /=~/g;

export function collectRequirements(rules: LanguageFlowRules): RuleRequirement[] {
  const params = new Map<string, ParameterTest[]>();
  for (const param of rules.params) {
    if (param.path === undefined) continue;
    params.set(param.path, [...(params.get(param.path) ?? []), givenBy(param)]);
  }
  const need = (
    kind: RuleRequirement['kind'],
    patterns: readonly CodePathPattern[],
    imports?: LinearRegex,
    { shown, written }: Partial<Pick<RuleRequirement, 'shown' | 'written'>> = {},
  ): RuleRequirement[] =>
    patterns.map((pattern) => {
      const path = [...params.keys()].find((one) => pattern === one || pattern.startsWith(`${one}.`));
      const by = path === undefined ? undefined : params.get(path);
      const words = wordsOf(pattern.slice(path?.length ?? 0).replace(/^jsx\./, ''));
      return {
        kind,
        words,
        last: words.at(-1),
        imports: buildImportTest(imports),
        module: path === undefined ? moduleTest(pattern, rules.modules ?? []) : undefined,
        shown,
        written,
        given: path === undefined || !by ? undefined : { name: wordsOf(path), by },
      };
    });
  return [
    ...rules.checks.flatMap((one) => need('check', one.call, one.imports, { shown: beginTest(one.when) })),
    ...rules.memberChecks.flatMap((one) => need('check', one.member, one.imports)),
    ...rules.sinks.flatMap((one) =>
      need(
        one.built || one.parameter || one.unfixed ? 'built' : one.harm === 'xss' ? 'shows' : 'sink',
        one.call,
        one.imports,
        {
          shown: one.slow ? REPEATED : one.text?.written,
          written: one.spread ? SPREAD : one.withNew ? MADE : one.slow ? MATCHES : undefined,
        },
      ),
    ),
    ...rules.memberSinks.flatMap((one) =>
      need(
        one.parameter || one.built ? 'built' : one.harm === 'xss' ? 'shows' : 'sink',
        one.member,
        one.imports,
      ),
    ),
    ...need('random', rules.random),
    ...need('random', rules.clocks),
    ...rules.guessed.flatMap((one) => need('random', one.call)),
    ...rules.sources
      .filter((one) => one.origin !== 'input')
      .flatMap((one) => need(one.origin === 'stored' ? 'stored' : 'source', one.path, one.imports)),
  ];
}
