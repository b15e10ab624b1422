import { createRequire } from 'node:module';
import type { SgRoot } from '@ast-grep/napi';
import { AppError } from '../../../errors.ts';
import { createPause } from '../../../lib/turns.ts';

/** A language that the scanner reads, as far as its parser goes. */
export interface Grammar {
  /** As people write it. */
  readonly name: string;
  /** As the parser calls it. */
  readonly parser: string;
  /** The package with its grammar; JavaScript's is in the parser itself. */
  readonly grammar?: string;
  readonly extensions: readonly string[];
}

/** All of them; what reads their code, and is large, is in `languages.ts`. */
export const grammars = [
  { name: 'JavaScript', parser: 'JavaScript', extensions: ['js', 'jsx', 'mjs', 'cjs'] },
  { name: 'TypeScript', parser: 'Tsx', extensions: ['tsx'] },
  { name: 'TypeScript', parser: 'TypeScript', extensions: ['ts', 'mts', 'cts'] },
  { name: 'Python', parser: 'python', grammar: '@ast-grep/lang-python', extensions: ['py', 'pyw'] },
  { name: 'Java', parser: 'java', grammar: '@ast-grep/lang-java', extensions: ['java'] },
  { name: 'Go', parser: 'go', grammar: '@ast-grep/lang-go', extensions: ['go'] },
  { name: 'PHP', parser: 'php', grammar: '@ast-grep/lang-php', extensions: ['php', 'phtml'] },
  { name: 'Ruby', parser: 'ruby', grammar: '@ast-grep/lang-ruby', extensions: ['rb', 'rake'] },
  { name: 'C#', parser: 'csharp', grammar: '@ast-grep/lang-csharp', extensions: ['cs'] },
] as const satisfies readonly Grammar[];

export type ParserName = (typeof grammars)[number]['parser'];

/** A grammar whose parser is one of those. */
export interface KnownGrammar extends Grammar {
  readonly parser: ParserName;
}

const byExtension = new Map<string, KnownGrammar>(
  grammars.flatMap((one) => one.extensions.map((extension) => [extension, one] as const)),
);

/** By the path alone; undefined for a file in another language, and for one of types alone. */
export function grammarOf(path: string): KnownGrammar | undefined {
  if (/\.d\.[cm]?ts$/i.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}

/** The parser with the grammars that are installed. */
export interface Parser {
  parse(grammar: Grammar, text: string): SgRoot;
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
    for (const { name } of grammars) without(name, '@ast-grep/napi');
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
  const pause = createPause();
  const load = createRequire(import.meta.url);
  const installed: Parameters<Napi['registerDynamicLanguage']>[0] = {};
  for (const { name, parser, grammar } of grammars as readonly Grammar[]) {
    if (grammar === undefined) continue;
    await pause();
    try {
      const { libraryPath, extensions, languageSymbol, expandoChar } = load(grammar);
      installed[parser] = { libraryPath, extensions, languageSymbol, expandoChar };
    } catch {
      without(name, grammar);
    }
  }
  await pause();
  napi.registerDynamicLanguage(installed);
  return { missing, parse: ({ parser }, text) => napi.parse(parser, text) };
}
