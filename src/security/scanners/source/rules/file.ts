import { z } from 'zod';
import { SEVERITIES } from '../../../../lib/severity.ts';
import { HARMS } from '../harm.ts';
import type { StoredRegex } from './data.ts';

export const RULE_LANGUAGES = ['javascript', 'python', 'java', 'go', 'php', 'ruby', 'csharp'] as const;
export type RuleLanguage = (typeof RULE_LANGUAGES)[number];

/** Names of the text conditions that a sink can use; see `text-conditions.ts`. */
export const TEXT_CONDITION_NAMES = ['sql', 'html', 'redirect', 'view', 'origin'] as const;

const EXPRESSION = /^\/(.+)\/([a-z]*)$/s;

const words = z.string().min(1).max(2000);
const pattern = z.string().min(1).max(300).regex(/^\S+$/);
const patterns = z.union([pattern, z.array(pattern).min(1).max(200)]);
const constant = z.union([z.string().max(500), z.number(), z.boolean(), z.null()]);
const constants = z.union([constant, z.array(constant).max(100)]);
const listed = z.union([constant.transform((one) => [one]), z.array(constant).min(1).max(100)]);
const name = z.string().regex(/^[\w$-]{1,100}$/);
const kebabName = z
  .string()
  .max(80)
  .regex(/^[a-z]+(?:-[a-z0-9]+)*$/);
const yes = z.literal(true);
const severity = z.enum(SEVERITIES);
const language = z.enum(RULE_LANGUAGES);
const place = z.int().min(0).max(20);

function expressionBy(compile: (re: string, flags: string) => unknown) {
  return z
    .string()
    .max(2000)
    .transform((text, ctx): StoredRegex => {
      const [, re, flags = ''] = EXPRESSION.exec(text) ?? [];
      let why = '';
      try {
        if (re !== undefined) {
          compile(re, flags);
          return { re, flags };
        }
      } catch (thrown) {
        why = (thrown as Error).message;
      }
      ctx.addIssue({ code: 'custom', message: why, input: text });
      return z.NEVER;
    });
}

function whenBy(expression: ReturnType<typeof expressionBy>) {
  return z
    .array(
      z.strictObject({
        arg: place.optional(),
        name: words.optional(),
        key: words.optional(),
        is: constants.optional(),
        matches: expression.optional(),
        has: listed.optional(),
        gives: constant.optional(),
        below: z.number().optional(),
        bits: z.int().optional(),
        calls: expression.optional(),
        ignores: expression.optional(),
        absent: yes.optional(),
        path: expression.optional(),
        begins: expression.optional(),
        fixed: yes.optional(),
        mark: words.optional(),
        unmarked: words.optional(),
        field: words.optional(),
      }),
    )
    .max(20);
}

function partsBy(expression: ReturnType<typeof expressionBy>) {
  const when = whenBy(expression);
  const sink = z.strictObject({
    pattern: patterns.optional(),
    assign: patterns.optional(),
    'returned-by': expression.optional(),
    unless: expression.optional(),
    args: z
      .union([
        z
          .array(z.union([place, words]))
          .min(1)
          .max(20),
        z.enum(['all', 'receiver']),
      ])
      .optional(),
    key: yes.optional(),
    when: when.optional(),
    imports: expression.optional(),
    on: expression.optional(),
    text: z.enum(TEXT_CONDITION_NAMES).optional(),
    keys: z.array(words).min(1).max(50).optional(),
    harm: z.enum(HARMS).optional(),
    argv: yes.optional(),
    model: yes.optional(),
    whole: yes.optional(),
    single: yes.optional(),
    spread: yes.optional(),
    made: yes.optional(),
    slow: yes.optional(),
    severity: severity.optional(),
    built: severity.optional(),
    unknown: severity.optional(),
    parameter: severity.optional(),
    unfixed: severity.optional(),
  });
  const check = z.strictObject({
    pattern: patterns.optional(),
    assign: patterns.optional(),
    key: z.union([name, z.array(name).min(1).max(100)]).optional(),
    is: constants.optional(),
    matches: expression.optional(),
    has: listed.optional(),
    lacks: listed.optional(),
    gives: constant.optional(),
    below: z.number().optional(),
    fixed: yes.optional(),
    beside: z
      .strictObject({ key: words, is: constants.optional(), has: listed.optional(), absent: yes.optional() })
      .optional(),
    constant: yes.optional(),
    shows: expression.optional(),
    when: when.optional(),
    imports: expression.optional(),
    on: expression.optional(),
    severity: severity.optional(),
  });
  const parameter = z.strictObject({
    name: expression.optional(),
    type: expression.optional(),
    annotation: expression.optional(),
    decorator: expression.optional(),
    beside: expression.optional(),
    without: expression.optional(),
    'given-to': expression.optional(),
    function: expression.optional(),
    imports: expression.optional(),
    as: pattern.optional(),
    tainted: yes.optional(),
  });
  return { when, sink, check, parameter, expression };
}

type RuleParts = ReturnType<typeof partsBy>;

const code = z.array(z.string().min(1).max(20_000)).max(50);
const samples = z.strictObject({
  within: z.literal('handler').optional(),
  'must-match': code,
  'must-not-match': code,
});

function sectionBy<Samples extends z.ZodType>({ sink, check }: RuleParts, taken: Samples) {
  return z.strictObject({
    sources: z.array(pattern).max(200).default([]),
    sinks: z.array(sink).max(200).default([]),
    patterns: z.array(check).max(200).default([]),
    sanitizers: z.array(pattern).max(500).default([]),
    samples: taken,
  });
}

function ruleBy<Harm extends z.ZodType, Section extends z.ZodType>(harm: Harm, section: Section) {
  return z.strictObject({
    id: kebabName,
    title: words,
    severity,
    cwe: z
      .array(z.string().regex(/^CWE-\d{1,5}$/))
      .min(1)
      .max(10),
    description: words,
    fix: words,
    harm,
    languages: z.partialRecord(language, section),
  });
}

const listOf = <Shape extends z.ZodRawShape>(most: number, shape: Shape) =>
  z.array(z.strictObject(shape)).max(most).default([]);

function sharedBy<Harm extends z.ZodType>({ when, parameter, expression }: RuleParts, harm: Harm) {
  return z.strictObject({
    language,
    sources: listOf(200, {
      pattern: patterns,
      origin: z.enum(['request', 'stored', 'input', 'param']),
      note: words,
      harmless: z.array(harm).max(50).optional(),
      imports: expression.optional(),
      on: expression.optional(),
    }),
    parameters: z.array(parameter).max(200).default([]),
    'not-sources': z.array(pattern).max(500).default([]),
    sanitizers: listOf(200, {
      pattern: patterns,
      harms: z.union([z.literal('all'), z.array(harm).max(50)]),
      resolves: yes.optional(),
      quoted: yes.optional(),
    }),
    marks: listOf(200, { pattern: patterns, mark: words, result: yes.optional(), when: when.optional() }),
    predictable: z.array(pattern).max(500).default([]),
    clocks: z.array(pattern).max(100).default([]),
    guessable: listOf(100, { pattern: patterns, of: expression }),
    renders: listOf(100, { pattern: patterns, name: place, data: z.union([place, z.literal('names')]) }),
    fills: listOf(100, { pattern: patterns, into: place, given: yes.optional() }),
    wrappers: z.array(pattern).max(500).default([]),
  });
}

const harm = z.enum(HARMS);
const expression = expressionBy((re, flags) => RegExp(re, flags));
const parts = partsBy(expression);

export const ruleFileSchema = ruleBy(
  harm.optional(),
  sectionBy(parts, z.union([samples, z.array(samples)]).optional()),
);

export const languageFileSchema = sharedBy(parts, harm).extend({
  about: words.optional(),
  comments: z.enum(['//', '#']),
  importing: expression.optional(),
  modules: z.array(words).default([]),
  'written-as': z.record(z.string(), expression).optional(),
  handler: z
    .string()
    .regex(/^ *\{code\}$/m)
    .optional(),
});

export type RuleFile = z.output<typeof ruleFileSchema>;
export type LanguageRuleFile = z.output<typeof languageFileSchema>;
export type SharedRuleFile = z.output<ReturnType<typeof sharedBy<typeof harm>>>;
export type RuleSection = NonNullable<RuleFile['languages'][RuleLanguage]>;
export type SinkEntry = RuleSection['sinks'][number];
export type CheckEntry = RuleSection['patterns'][number];
export type ConditionEntry = z.output<RuleParts['when']>[number];
export type RuleSamples = z.output<typeof samples>;

export function userRuleSchemas(compile: (re: string, flags: string) => unknown) {
  const own = partsBy(expressionBy(compile));
  return {
    rule: ruleBy(kebabName.optional(), sectionBy(own, samples.omit({ within: true }).optional())),
    shared: sharedBy(own, kebabName),
  };
}
