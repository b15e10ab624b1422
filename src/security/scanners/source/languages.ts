import { compileLinearRegex, type LinearRegex } from '../../../lib/expressions/linear-expression.ts';
import { type Grammar, grammarOf, grammars, type ParserName } from './grammars.ts';
import type { LoweredProgram } from './ir.ts';
import { lowerCSharp } from './lower/csharp.ts';
import { lowerGo } from './lower/go.ts';
import { lowerJava } from './lower/java.ts';
import { lowerJavaScript } from './lower/javascript.ts';
import type { ParserNode } from './lower/node.ts';
import { lowerPhp } from './lower/php.ts';
import { lowerPython } from './lower/python.ts';
import { lowerRuby } from './lower/ruby.ts';
import type { LanguageFlowRules, TextCondition } from './rule.ts';
import type { StoredRegex, StoredRules } from './rules/data.ts';
import type { RuleLanguage } from './rules/file.ts';
import type { UserRules } from './rules/own.ts';
import kept from './rules/rules.json' with { type: 'json' };
import { HTML_TEXT, ORIGIN_TEXT, REDIRECT_TEXT, SQL_TEXT, VIEW_TEXT } from './rules/text-conditions.ts';
import { translateTemplate } from './templates/code.ts';
import type { TemplateType } from './templates/kinds.ts';

interface LanguageReader {
  readonly ruleLanguage: RuleLanguage;
  readonly rules: LanguageFlowRules;
  lower(root: ParserNode, text: string): LoweredProgram;
}

export interface AnalysedLanguage extends Grammar, LanguageReader {
  readonly template?: TemplateType;
}

function readerOf(ruleLanguage: RuleLanguage, lower: LanguageReader['lower']): LanguageReader {
  return { ruleLanguage, rules: loadRules(ruleLanguage), lower };
}

const javascript = readerOf('javascript', lowerJavaScript);
const READERS: Readonly<Record<ParserName, LanguageReader>> = {
  javascript,
  tsx: javascript,
  typescript: javascript,
  python: readerOf('python', lowerPython),
  java: readerOf('java', lowerJava),
  go: readerOf('go', lowerGo),
  php: readerOf('php', lowerPhp),
  ruby: readerOf('ruby', lowerRuby),
  'c-sharp': readerOf('csharp', lowerCSharp),
};

export const languages: readonly AnalysedLanguage[] = grammars.map((one) => ({
  ...one,
  ...READERS[one.parser],
}));

export function languageOf(path: string, own?: UserRules): AnalysedLanguage | undefined {
  const grammar = grammarOf(path);
  const language = languages.find((one) => one.parser === grammar?.parser);
  const template = grammar?.template;
  return (
    language && { ...language, template, rules: addUserRules(language.rules, language.ruleLanguage, own) }
  );
}

export function codeIn({ template, name }: AnalysedLanguage, text: string): string {
  if (template) return translateTemplate(template.kind, text);
  return name === 'PHP' ? text.replaceAll('<?=', '<?php echo ') : text;
}

const TEXTS: Readonly<Record<string, TextCondition>> = {
  sql: SQL_TEXT,
  html: HTML_TEXT,
  redirect: REDIRECT_TEXT,
  view: VIEW_TEXT,
  origin: ORIGIN_TEXT,
};

export function loadRules(language: RuleLanguage): LanguageFlowRules {
  return revive(kept[language] as unknown as StoredRules, ({ re, flags }) => new RegExp(re, flags));
}

/** Cache of rules joined with a user's rules, for each language. Holds only the latest scan's rules. */
let made:
  | { readonly hash: string; readonly languages: Map<LanguageFlowRules, LanguageFlowRules> }
  | undefined;

function addUserRules(
  rules: LanguageFlowRules,
  language: RuleLanguage,
  own: UserRules | undefined,
): LanguageFlowRules {
  const added = own?.languages[language];
  if (!own || !added) return rules;
  if (made?.hash !== own.hash) made = { hash: own.hash, languages: new Map() };
  const known = made.languages.get(rules);
  if (known) return known;
  const revived = revive(added, ({ re, flags }) => compileLinearRegex(re, flags));
  const lists = Object.entries(rules).flatMap(([key, list]) => {
    const more: unknown = revived[key as keyof LanguageFlowRules];
    return Array.isArray(list) && Array.isArray(more) ? [[key, [...list, ...more]]] : [];
  });
  const catalogue = new Map(own.catalogue.map((rule) => [rule.id, rule]));
  const both: LanguageFlowRules = { ...rules, ...Object.fromEntries(lists), own: catalogue };
  made.languages.set(rules, both);
  return both;
}

function revive(rules: StoredRules, expression: (kept: StoredRegex) => LinearRegex): LanguageFlowRules {
  const revived = withExpressions(rules, expression) as LanguageFlowRules;
  return {
    ...revived,
    sinks: rules.sinks.map(({ text }, at) => ({
      ...(revived.sinks[at] as LanguageFlowRules['sinks'][number]),
      text: text === undefined ? undefined : TEXTS[text],
    })),
    returns: rules.returns.map(({ text }, at) => ({
      ...(revived.returns[at] as LanguageFlowRules['returns'][number]),
      text: text === undefined ? undefined : TEXTS[text],
    })),
    // Key patterns are plain RegExp objects. They only list names, so they cannot be slow.
    keyChecks: rules.keyChecks.map(({ key }, at) => ({
      ...(revived.keyChecks[at] as LanguageFlowRules['keyChecks'][number]),
      key: new RegExp(key.re),
    })),
  };
}

function withExpressions(value: unknown, expression: (kept: StoredRegex) => LinearRegex): unknown {
  if (Array.isArray(value)) return value.map((one) => withExpressions(one, expression));
  if (typeof value !== 'object' || value === null) return value;
  if ('re' in value) return expression(value as StoredRegex);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withExpressions(one, expression)]),
  );
}
