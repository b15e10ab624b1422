import { type Grammar, grammarOf, grammars, type ParserName } from './grammars.ts';
import type { Program } from './ir.ts';
import { lowerCSharp } from './lower/csharp.ts';
import { lowerGo } from './lower/go.ts';
import { lowerJava } from './lower/java.ts';
import { lowerJavaScript } from './lower/javascript.ts';
import type { Node } from './lower/node.ts';
import { lowerPhp } from './lower/php.ts';
import { lowerPython } from './lower/python.ts';
import { lowerRuby } from './lower/ruby.ts';
import type { LanguageRules } from './rule.ts';
import type { RuleLanguage } from './rules/file.ts';
import { loadRules, withOwnRules } from './rules/load.ts';
import type { OwnRules } from './rules/own.ts';
import { codeOf } from './templates/code.ts';
import type { TemplateType } from './templates/kinds.ts';

interface LanguageReader {
  readonly ruleLanguage: RuleLanguage;
  readonly rules: LanguageRules;
  lower(root: Node, text: string): Program;
}

export interface Language extends Grammar, LanguageReader {
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

export const languages: readonly Language[] = grammars.map((one) => ({ ...one, ...READERS[one.parser] }));

export function languageOf(path: string, own?: OwnRules): Language | undefined {
  const grammar = grammarOf(path);
  const language = languages.find((one) => one.parser === grammar?.parser);
  const template = grammar?.template;
  return (
    language && { ...language, template, rules: withOwnRules(language.rules, language.ruleLanguage, own) }
  );
}

export function codeIn({ template, name }: Language, text: string): string {
  if (template) return codeOf(template.kind, text);
  return name === 'PHP' ? text.replaceAll('<?=', '<?php echo ') : text;
}
