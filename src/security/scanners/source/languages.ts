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
import type { LanguageFlowRules } from './rule.ts';
import type { RuleLanguage } from './rules/file.ts';
import { addUserRules, loadRules } from './rules/load.ts';
import type { UserRules } from './rules/own.ts';
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
