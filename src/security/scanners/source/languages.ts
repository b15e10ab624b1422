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
import { csharpRules } from './rules/csharp.ts';
import { goRules } from './rules/go.ts';
import { javaRules } from './rules/java.ts';
import { javascriptRules } from './rules/javascript.ts';
import { phpRules } from './rules/php.ts';
import { pythonRules } from './rules/python.ts';
import { rubyRules } from './rules/ruby.ts';

/** A language that the scanner reads, with what reads its code. */
export interface Language extends Grammar {
  readonly rules: LanguageRules;
  lower(root: Node, text: string): Program;
}

const javascript = { rules: javascriptRules, lower: lowerJavaScript };
const READERS: Readonly<Record<ParserName, Pick<Language, 'rules' | 'lower'>>> = {
  JavaScript: javascript,
  Tsx: javascript,
  TypeScript: javascript,
  python: { rules: pythonRules, lower: lowerPython },
  java: { rules: javaRules, lower: lowerJava },
  go: { rules: goRules, lower: lowerGo },
  php: { rules: phpRules, lower: lowerPhp },
  ruby: { rules: rubyRules, lower: lowerRuby },
  csharp: { rules: csharpRules, lower: lowerCSharp },
};

export const languages: readonly Language[] = grammars.map((one) => ({ ...one, ...READERS[one.parser] }));

/** By the path alone, as `grammarOf`. */
export function languageOf(path: string): Language | undefined {
  const parser = grammarOf(path)?.parser;
  return languages.find((one) => one.parser === parser);
}
