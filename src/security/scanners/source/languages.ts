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
import { loadRules } from './rules/load.ts';

/** A language that the scanner reads, with what reads its code. */
export interface Language extends Grammar {
  readonly rules: LanguageRules;
  lower(root: Node, text: string): Program;
}

const javascript = { rules: loadRules('javascript'), lower: lowerJavaScript };
const READERS: Readonly<Record<ParserName, Pick<Language, 'rules' | 'lower'>>> = {
  JavaScript: javascript,
  Tsx: javascript,
  TypeScript: javascript,
  python: { rules: loadRules('python'), lower: lowerPython },
  java: { rules: loadRules('java'), lower: lowerJava },
  go: { rules: loadRules('go'), lower: lowerGo },
  php: { rules: loadRules('php'), lower: lowerPhp },
  ruby: { rules: loadRules('ruby'), lower: lowerRuby },
  csharp: { rules: loadRules('csharp'), lower: lowerCSharp },
};

export const languages: readonly Language[] = grammars.map((one) => ({ ...one, ...READERS[one.parser] }));

/** By the path alone, as `grammarOf`. */
export function languageOf(path: string): Language | undefined {
  const parser = grammarOf(path)?.parser;
  return languages.find((one) => one.parser === parser);
}
