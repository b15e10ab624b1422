import { createRequire } from 'node:module';
import type { SgRoot } from '@ast-grep/napi';
import { AppError } from '../../../errors.ts';
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

/** A language that the scanner reads. */
export interface Language {
  /** As people write it. */
  readonly name: string;
  /** As the parser calls it. */
  readonly parser: string;
  /** The package with its grammar; JavaScript's is in the parser itself. */
  readonly grammar?: string;
  readonly extensions: readonly string[];
  readonly rules: LanguageRules;
  lower(root: Node, text: string): Program;
}

/** All languages, by what a file's name ends in. */
export const languages: readonly Language[] = [
  {
    name: 'JavaScript',
    parser: 'JavaScript',
    extensions: ['js', 'jsx', 'mjs', 'cjs'],
    rules: javascriptRules,
    lower: lowerJavaScript,
  },
  { name: 'TypeScript', parser: 'Tsx', extensions: ['tsx'], rules: javascriptRules, lower: lowerJavaScript },
  {
    name: 'TypeScript',
    parser: 'TypeScript',
    extensions: ['ts', 'mts', 'cts'],
    rules: javascriptRules,
    lower: lowerJavaScript,
  },
  {
    name: 'Python',
    parser: 'python',
    grammar: '@ast-grep/lang-python',
    extensions: ['py', 'pyw'],
    rules: pythonRules,
    lower: lowerPython,
  },
  {
    name: 'Java',
    parser: 'java',
    grammar: '@ast-grep/lang-java',
    extensions: ['java'],
    rules: javaRules,
    lower: lowerJava,
  },
  {
    name: 'Go',
    parser: 'go',
    grammar: '@ast-grep/lang-go',
    extensions: ['go'],
    rules: goRules,
    lower: lowerGo,
  },
  {
    name: 'PHP',
    parser: 'php',
    grammar: '@ast-grep/lang-php',
    extensions: ['php', 'phtml'],
    rules: phpRules,
    lower: lowerPhp,
  },
  {
    name: 'Ruby',
    parser: 'ruby',
    grammar: '@ast-grep/lang-ruby',
    extensions: ['rb', 'rake'],
    rules: rubyRules,
    lower: lowerRuby,
  },
  {
    name: 'C#',
    parser: 'csharp',
    grammar: '@ast-grep/lang-csharp',
    extensions: ['cs'],
    rules: csharpRules,
    lower: lowerCSharp,
  },
];

const byExtension = new Map(
  languages.flatMap((one) => one.extensions.map((extension) => [extension, one] as const)),
);

/** By the path alone; undefined for a file in another language, and for one of types alone. */
export function languageOf(path: string): Language | undefined {
  if (/\.d\.[cm]?ts$/i.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}

/** The parser with the grammars that are installed. */
export interface Parser {
  parse(language: Language, text: string): SgRoot;
  /** Languages without their grammar, in words. */
  readonly missing: ReadonlyMap<string, string>;
}

type Napi = typeof import('@ast-grep/napi');

/**
 * Loads the parser and the grammars that are installed; what is not is in `missing`. Grammars are registered once a
 * process and for all threads: the first call counts and later ones change nothing, so every call names all of them.
 */
export async function loadParser(): Promise<Parser> {
  const missing = new Map<string, string>();
  const without = (name: string, what: string) =>
    missing.set(name, `${name} is not scanned: the optional package ${what} is not installed`);
  let napi: Napi;
  try {
    napi = await import('@ast-grep/napi');
  } catch {
    for (const { name } of languages) without(name, '@ast-grep/napi');
    return {
      missing,
      parse() {
        throw new AppError(
          'unavailable',
          'source code is not scanned: install the optional package @ast-grep/napi',
        );
      },
    };
  }
  const load = createRequire(import.meta.url);
  const grammars: Parameters<Napi['registerDynamicLanguage']>[0] = {};
  for (const { name, parser, grammar } of languages) {
    if (grammar === undefined) continue;
    try {
      const { libraryPath, extensions, languageSymbol, expandoChar } = load(grammar);
      grammars[parser] = { libraryPath, extensions, languageSymbol, expandoChar };
    } catch {
      without(name, grammar);
    }
  }
  napi.registerDynamicLanguage(grammars);
  return { missing, parse: (language, text) => napi.parse(language.parser, text) };
}
