import { z } from 'zod';
import { SEVERITIES } from '../../../../lib/severity.ts';
import { HARMS } from '../harm.ts';

/** Languages as the files of rules name them. */
export const RULE_LANGUAGES = ['javascript', 'python', 'java', 'go', 'php', 'ruby', 'csharp'] as const;
export type RuleLanguage = (typeof RULE_LANGUAGES)[number];

/** Texts that a sink may ask for by name; see `sql-text.ts`. */
export const TEXTS = ['sql'] as const;

const EXPRESSION = /^\/(.+)\/([a-z]*)$/s;

/** The two parts of `/source/flags`; undefined for what is not written so, or does not compile. */
export function expressionOf(text: string): { readonly re: string; readonly flags: string } | undefined {
  const [, re, flags = ''] = EXPRESSION.exec(text) ?? [];
  if (re === undefined) return undefined;
  try {
    // Compiled for its errors alone; what is used is made by `load.ts`.
    RegExp(re, flags);
  } catch {
    return undefined;
  }
  return { re, flags };
}

const words = z.string().min(1).max(2000);
const pattern = z.string().min(1).max(300).regex(/^\S+$/);
const patterns = z.union([pattern, z.array(pattern).min(1).max(200)]);
const expression = z
  .string()
  .max(2000)
  .transform((text, ctx) => {
    const found = expressionOf(text);
    if (found) return found;
    ctx.addIssue({ code: 'custom', message: 'no expression', input: text });
    return z.NEVER;
  });
const constant = z.union([z.string().max(500), z.number(), z.boolean(), z.null()]);
const constants = z.union([constant, z.array(constant).min(1).max(100)]);
const yes = z.literal(true);
const severity = z.enum(SEVERITIES);

const when = z.array(
  z.strictObject({
    arg: z.int().min(0).max(20).optional(),
    name: words.optional(),
    key: words.optional(),
    is: constants.optional(),
    matches: expression.optional(),
    absent: yes.optional(),
    path: expression.optional(),
    mark: words.optional(),
  }),
);

const sink = z.strictObject({
  pattern: patterns.optional(),
  assign: patterns.optional(),
  'returned-by': expression.optional(),
  args: z
    .union([
      z
        .array(z.union([z.int().min(0).max(20), words]))
        .min(1)
        .max(20),
      z.enum(['all', 'receiver']),
    ])
    .optional(),
  key: yes.optional(),
  when: when.optional(),
  imports: expression.optional(),
  on: expression.optional(),
  text: z.enum(TEXTS).optional(),
  keys: z.array(words).min(1).max(50).optional(),
  argv: yes.optional(),
  built: severity.optional(),
});

const check = z.strictObject({
  pattern: patterns.optional(),
  assign: patterns.optional(),
  key: expression.optional(),
  is: constants.optional(),
  matches: expression.optional(),
  when: when.optional(),
  imports: expression.optional(),
  on: expression.optional(),
  severity: severity.optional(),
});

const samples = z.strictObject({
  within: z.literal('handler').optional(),
  'must-match': z.array(z.string().min(1).max(20_000)).max(50),
  'must-not-match': z.array(z.string().min(1).max(20_000)).max(50),
});

const section = z.strictObject({
  sinks: z.array(sink).max(200).default([]),
  patterns: z.array(check).max(200).default([]),
  sanitizers: z.array(pattern).max(500).default([]),
  samples: z.union([samples, z.array(samples)]).optional(),
});

/** One weakness: its texts, and which code of each language shows it. */
export const ruleFile = z.strictObject({
  id: z
    .string()
    .max(80)
    .regex(/^[a-z]+(?:-[a-z0-9]+)*$/),
  title: words,
  severity,
  cwe: z
    .array(z.string().regex(/^CWE-\d{1,5}$/))
    .min(1)
    .max(10),
  description: words,
  fix: words,
  harm: z.enum(HARMS).optional(),
  languages: z.partialRecord(z.enum(RULE_LANGUAGES), section),
});

/** What all rules of a language share. */
export const languageFile = z.strictObject({
  language: z.enum(RULE_LANGUAGES),
  about: words.optional(),
  comments: z.enum(['//', '#']),
  importing: expression.optional(),
  modules: z.array(words).default([]),
  'written-as': z.record(z.string(), expression).optional(),
  sources: z
    .array(z.strictObject({ pattern: patterns, origin: z.enum(['request', 'input']), note: words }))
    .default([]),
  parameters: z
    .array(
      z.strictObject({
        name: expression.optional(),
        type: expression.optional(),
        annotation: expression.optional(),
        decorator: expression.optional(),
        beside: expression.optional(),
        imports: expression.optional(),
        as: pattern.optional(),
        tainted: yes.optional(),
      }),
    )
    .default([]),
  'not-sources': z.array(pattern).default([]),
  sanitizers: z
    .array(
      z.strictObject({
        pattern: patterns,
        harms: z.union([z.literal('all'), z.array(z.enum(HARMS))]),
        resolves: yes.optional(),
      }),
    )
    .default([]),
  marks: z
    .array(z.strictObject({ pattern: patterns, mark: words, result: yes.optional(), when: when.optional() }))
    .default([]),
  predictable: z.array(pattern).default([]),
  wrappers: z.array(pattern).default([]),
  handler: z
    .string()
    .regex(/^ *\{code\}$/m)
    .optional(),
});

export type RuleFile = z.output<typeof ruleFile>;
export type LanguageFile = z.output<typeof languageFile>;
export type Section = z.output<typeof section>;
export type SinkEntry = z.output<typeof sink>;
export type CheckEntry = z.output<typeof check>;
export type WhenEntry = z.output<typeof when>[number];
export type Samples = z.output<typeof samples>;
