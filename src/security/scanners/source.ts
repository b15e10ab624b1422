import type { FileFinding } from '../hide.ts';
import { linesOf } from '../lines.ts';
import type { FileScanner } from '../scanner.ts';
import { analyse } from './source/analyse.ts';
import { languageOf, loadParser, type Parser } from './source/languages.ts';
import { suspectsIn } from './source/prefilter.ts';
import { reachOf } from './source/reach.ts';

/**
 * Weaknesses in source code: data from outside that reaches a place where it does harm, and calls that are wrong by
 * themselves. With `deep`, data is followed through the functions of the file, and the finding shows the data flow.
 */
export function createSourceScanner(): FileScanner {
  let loading: Promise<Parser> | undefined;
  return {
    name: 'source',
    past: false,
    wants: (path) => languageOf(path) !== undefined,
    async left(paths) {
      loading ??= loadParser();
      return leftOut((await loading).missing, paths);
    },
    async scan(file, options): Promise<readonly FileFinding[]> {
      const { path, text } = file;
      const language = languageOf(path);
      const suspects = language && suspectsIn(language.rules, text);
      if (!suspects) return [];
      loading ??= loadParser();
      const parser = await loading;
      if (parser.missing.has(language.name)) return [];
      const program = language.lower(parser.parse(language, text).root(), text);
      const reached = reachOf(program, text, language.rules.comments, suspects);
      return analyse(program, language.rules, {
        path,
        lines: linesOf(text),
        size: text.length,
        deep: options.deep,
        isReached: (fn) => reached(fn) || (language.rules.returns.length > 0 && fn.marks.length > 0),
      });
    },
  };
}

/** Messages about files that are not scanned because an optional package is missing. */
export function leftOut(missing: ReadonlyMap<string, string>, paths: readonly string[]): string[] {
  const files = Map.groupBy(paths, (path) => languageOf(path)?.name ?? '');
  return [...missing].flatMap(([language, why]) => {
    const count = files.get(language)?.length ?? 0;
    return count === 0 ? [] : [`${why} (${count} ${count === 1 ? 'file' : 'files'})`];
  });
}
