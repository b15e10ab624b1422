import type { Expression } from '../../../lib/expressions/linear-expression.ts';
import type { LanguageRules, ParamSource, Pattern } from './rule.ts';
import { wordsOf } from './words.ts';

/** What has to be in a text before a rule's pattern can match anything. */
export interface Need {
  /** `check` is wrong by itself, `built` with any text put together, `sink` with a request's data, `shows` with stored data too, `random` with a name of a secret. */
  readonly kind: 'check' | 'built' | 'sink' | 'shows' | 'random' | 'source' | 'stored';
  /** All of these words. */
  readonly words: readonly string[];
  /** The last of them, at which the call itself is written. Undefined where the pattern has no word. */
  readonly last: string | undefined;
  readonly imports: RegExp | undefined;
  /** A module that has to be asked for by its name, in quotes. */
  readonly module: RegExp | undefined;
  /** What the code shows where a matching text is written; tested last, since it reads the whole text. */
  readonly shown: RegExp | undefined;
  /** Where a call is written that a pattern without words means; global. */
  readonly written: RegExp | undefined;
  /** The pattern begins with a name that a parameter is given: one of these is there, or the name is written out. */
  readonly given: { readonly name: readonly string[]; readonly by: readonly Given[] } | undefined;
}

/** What has to stand in a text for a parameter to be a source; `imports` in what is imported. */
export interface Given {
  readonly tests: readonly RegExp[];
  readonly imports: RegExp | undefined;
}

const BEGIN = /(?<![[\\])\^/g;
const END = /(?<!\\)\$(?=$|[|)])/g;

/** A pattern of a whole name as one of a text that holds it. */
function wordTest(pattern: Expression | undefined): RegExp | undefined {
  // A pattern of all names except some does not limit anything; of one that a user brought no other is made.
  if (!(pattern instanceof RegExp) || pattern.source.startsWith('^(?!')) return undefined;
  return new RegExp(`(?:${pattern.source.replace(BEGIN, '(?<![\\w$])').replace(END, '(?!\\w)')})`);
}

/** As it is asked of a whole text in place of the names of its modules. */
export function importTest(pattern: Expression | undefined): RegExp | undefined {
  if (!(pattern instanceof RegExp) || pattern.source.startsWith('^(?!')) return undefined;
  return new RegExp(pattern.source.replace(/\^ \?/g, '').replace(BEGIN, ''), 'i');
}

/** Two parameters of one function, in any order: what follows them is the next one, the list's end, a type, a default. */
function besideTest(a: RegExp, b: RegExp): RegExp {
  const [first, second] = [a, b].map((one) => `${one.source}\\s{0,20}[,)?:=]`);
  return new RegExp(`${first}[^]{0,300}?${second}|${second}[^]{0,300}?${first}`);
}

/** A parameter and its type, in any order. */
function typedTest(name: RegExp, type: RegExp): RegExp {
  const [first, second] = [name.source, type.source];
  return new RegExp(`${first}[^\\n,();=]{0,80}?${second}|${second}[^\\n,();=]{0,80}?${first}`);
}

function givenBy(param: ParamSource): Given {
  const name = wordTest(param.name);
  const beside = wordTest(param.beside);
  const type = wordTest(param.type);
  const mark = wordTest(param.mark);
  // Dotted ones are called by other names in the text.
  const plain = param.decorator instanceof RegExp && !param.decorator.source.includes('\\.');
  const decorator = plain ? wordTest(param.decorator) : undefined;
  // `fastify().get`: the word that its paths begin with.
  const handedTo = param.given instanceof RegExp ? /^\^(\w+)/.exec(param.given.source)?.[1] : undefined;
  const tests = [
    handedTo === undefined ? undefined : new RegExp(`(?<!\\w)${handedTo}(?!\\w)`),
    name && beside ? besideTest(name, beside) : beside,
    name && type ? typedTest(name, type) : type,
    name && !beside && !type ? name : undefined,
    decorator,
    // `@Body()`, `[FromBody]`
    mark && new RegExp(`[@[][^\\n\\]]{0,100}?${mark.source}`),
  ];
  return { tests: tests.filter((one) => one !== undefined), imports: importTest(param.imports) };
}

/** Names with `-` or `/` cannot be variables; others count as modules where the language lists them. */
function moduleTest(pattern: Pattern, modules: readonly string[]): RegExp | undefined {
  const root = /^[@\w]+(?:[-/][-\w/]*)?/.exec(pattern)?.[0] ?? '';
  if (!/[-/]/.test(root) && !modules.includes(root)) return undefined;
  return new RegExp(`['"\`](?:node:)?${root}['"\`/]`);
}

/** All parameters by which data comes in. */
export function givenIn(rules: LanguageRules): Given[] {
  return rules.params.map(givenBy);
}

/** Parameters that are sources by themselves. */
export function takenIn(rules: LanguageRules): Given[] {
  return rules.params.filter((param) => param.taints).map(givenBy);
}

/** A repeated group in an expression. */
const REPEATED = /\)(?:[+*]|\{\d{0,5},)/;
/** `User(**fields)` */
const SPREAD = /\*\*[ \t]{0,9}(?=[\w(])/g;
/** `new User(fields)` */
const MADE = /\bnew[ \t]{1,9}(?=[A-Z])/g;

/** `text =~ expression` */
const MATCHES = /=~/g;

/** The needs of all patterns of a language. */
export function needsOf(rules: LanguageRules): Need[] {
  const params = new Map<string, Given[]>();
  for (const param of rules.params) {
    if (param.path === undefined) continue;
    params.set(param.path, [...(params.get(param.path) ?? []), givenBy(param)]);
  }
  const need = (
    kind: Need['kind'],
    patterns: readonly Pattern[],
    imports?: Expression,
    { shown, written }: Partial<Pick<Need, 'shown' | 'written'>> = {},
  ): Need[] =>
    patterns.map((pattern) => {
      const path = [...params.keys()].find((one) => pattern === one || pattern.startsWith(`${one}.`));
      const by = path === undefined ? undefined : params.get(path);
      const words = wordsOf(pattern.slice(path?.length ?? 0).replace(/^jsx\./, ''));
      return {
        kind,
        words,
        last: words.at(-1),
        imports: importTest(imports),
        module: path === undefined ? moduleTest(pattern, rules.modules ?? []) : undefined,
        shown,
        written,
        given: path === undefined || !by ? undefined : { name: wordsOf(path), by },
      };
    });
  return [
    ...rules.checks.flatMap((one) => need('check', one.call, one.imports)),
    ...rules.memberChecks.flatMap((one) => need('check', one.member, one.imports)),
    ...rules.sinks.flatMap((one) =>
      need(one.built ? 'built' : one.harm === 'xss' ? 'shows' : 'sink', one.call, one.imports, {
        shown: one.slow ? REPEATED : one.text?.written,
        written: one.spread ? SPREAD : one.made ? MADE : one.slow ? MATCHES : undefined,
      }),
    ),
    ...rules.memberSinks.flatMap((one) =>
      need(one.harm === 'xss' ? 'shows' : 'sink', one.member, one.imports),
    ),
    ...need('random', rules.random),
    ...need('random', rules.clocks),
    ...rules.guessed.flatMap((one) => need('random', one.call)),
    ...rules.sources
      .filter((one) => one.origin !== 'input')
      .flatMap((one) => need(one.origin === 'stored' ? 'stored' : 'source', one.path, one.imports)),
  ];
}
