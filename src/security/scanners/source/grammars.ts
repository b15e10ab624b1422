import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unavailableError } from '../../../errors.ts';
import { type SyntaxTree, syntaxTreeOf } from './syntax-tree.ts';
import { type TemplateType, templateTypeOf } from './templates/kinds.ts';

export interface Grammar {
  readonly name: string;
  readonly parser: string;
  readonly extensions: readonly string[];
}

/** Grammars of the supported languages. The code that converts their syntax trees is in `languages.ts`. */
export const grammars = [
  { name: 'JavaScript', parser: 'javascript', extensions: ['js', 'jsx', 'mjs', 'cjs'] },
  { name: 'TypeScript', parser: 'tsx', extensions: ['tsx'] },
  { name: 'TypeScript', parser: 'typescript', extensions: ['ts', 'mts', 'cts'] },
  { name: 'Python', parser: 'python', extensions: ['py', 'pyw'] },
  { name: 'Java', parser: 'java', extensions: ['java'] },
  { name: 'Go', parser: 'go', extensions: ['go'] },
  { name: 'PHP', parser: 'php', extensions: ['php', 'phtml', 'php3', 'php4', 'php5', 'php7', 'inc'] },
  { name: 'Ruby', parser: 'ruby', extensions: ['rb', 'rake'] },
  { name: 'C#', parser: 'c-sharp', extensions: ['cs'] },
] as const satisfies readonly Grammar[];

export type ParserName = (typeof grammars)[number]['parser'];

export interface KnownGrammar extends Grammar {
  readonly parser: ParserName;
  /** Only for templates: the syntax of the template and the language into which it is translated. */
  readonly template?: TemplateType;
}

const byExtension = new Map<string, KnownGrammar>(
  grammars.flatMap((one) => one.extensions.map((extension) => [extension, one] as const)),
);

export function grammarOf(path: string): KnownGrammar | undefined {
  if (/\.d\.[cm]?ts$/i.test(path)) return undefined;
  const template = templateTypeOf(path);
  const host = template && grammars.find((one) => one.name === template.language);
  if (host) return { ...host, template };
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}

export interface SyntaxParser {
  /** Loads a grammar, which is required before a file is parsed. Rejects if the grammar is broken. */
  load(grammar: Grammar): Promise<void>;
  parse(grammar: Grammar, text: string): SyntaxTree;
  readonly missing: ReadonlyMap<string, string>;
}

type TreeSitter = typeof import('@vscode/tree-sitter-wasm');
const PACKAGE = '@vscode/tree-sitter-wasm';

export async function loadParser(from = import.meta.url): Promise<SyntaxParser> {
  const load = createRequire(from);
  let folder: string;
  let treeSitter: TreeSitter;
  try {
    folder = dirname(load.resolve(PACKAGE));
    treeSitter = load(PACKAGE);
    await treeSitter.Parser.init();
  } catch {
    return withoutParser();
  }
  const fileOf = (parser: string) => join(folder, `tree-sitter-${parser}.wasm`);
  const missing = new Map<string, string>();
  for (const { name, parser } of grammars)
    if (!existsSync(fileOf(parser)))
      missing.set(name, `${name} is not scanned: ${PACKAGE} has no grammar of it`);
  const parsers = new Map<string, InstanceType<TreeSitter['Parser']>>();
  return {
    missing,
    async load({ parser: name }) {
      if (parsers.has(name)) return;
      const language = await treeSitter.Language.load(fileOf(name));
      parsers.set(name, new treeSitter.Parser().setLanguage(language));
    },
    parse({ parser: name }, text) {
      const tree = parsers.get(name)?.parse(text);
      if (!tree) throw new Error(`${name} cannot be parsed`);
      return syntaxTreeOf(tree);
    },
  };
}

function withoutParser(): SyntaxParser {
  const why = (name: string) => `${name} is not scanned: the optional package ${PACKAGE} is not installed`;
  return {
    missing: new Map(grammars.map(({ name }) => [name, why(name)])),
    async load() {},
    parse() {
      throw unavailableError(`source code is not scanned: install the optional package ${PACKAGE}`);
    },
  };
}
