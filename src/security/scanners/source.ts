import { makeOnce } from '../../lib/concurrency/once.ts';
import { hasNoExtension } from '../../lib/script-language.ts';
import type { UnmaskedFinding } from '../findings/hide.ts';
import type { FileScanner, UnreadableFileKinds } from '../scans/scanner.ts';
import { isTestOrExamplePath } from '../trees/test-paths.ts';
import { grammarOf, loadParser } from './source/grammars.ts';
import { OPENAPI_PATH } from './source/link/operations.ts';
import { isPropertiesFile } from './source/link/settings.ts';
import { canHoldSettings } from './source/settings-names.ts';
import { isHtmlPage } from './source/templates/scripts.ts';

export function createSourceScanner(): FileScanner {
  const parser = makeOnce(() => loadParser());
  return {
    name: 'source',
    past: false,
    wants: (path) => grammarOf(path) !== undefined || isHtmlPage(path) || canHoldSettings(path),
    mayWant: hasNoExtension,
    lacks: async () => (await parser()).missing,
    left: (paths, missing) => leftOut(missing, paths),
    async scan(file, { deep, rules }): Promise<readonly UnmaskedFinding[]> {
      const { searchSourceFile, prepareSuspectParts } = await import('./source/search-file.ts');
      const { findInsecureSettings } = await import('./source/settings-files.ts');
      const found = canHoldSettings(file.path) ? findInsecureSettings(file, deep) : [];
      for (const suspect of prepareSuspectParts(file, rules)) {
        const loaded = await parser();
        if (loaded.missing.has(suspect.language.name)) continue;
        await loaded.load(suspect.language);
        found.push(...searchSourceFile(file, suspect, loaded, deep));
      }
      return found;
    },
    together: {
      reads: 'data flow from',
      groupsOf(path) {
        const grammar = isTestOrExamplePath(path) ? undefined : grammarOf(path);
        if (!grammar && isPropertiesFile(path)) return isTestOrExamplePath(path) ? [] : ['Java'];
        if (!grammar) return OPENAPI_PATH.test(path) ? ['Python'] : [];
        if (grammar.template) return grammar.template.filledBy;
        return [grammar.name === 'TypeScript' ? 'JavaScript' : grammar.name];
      },
      async scan(files, { rules }, begin) {
        const { searchTogether } = await import('./source/link/search-together.ts');
        const loaded = await parser();
        const read = files.filter(({ path }) => !loaded.missing.has(grammarOf(path)?.name ?? ''));
        for (const grammar of new Set(read.map(({ path }) => grammarOf(path))))
          if (grammar) await loaded.load(grammar);
        return searchTogether(read, loaded, rules, begin);
      },
    },
  };
}

function leftOut(missing: UnreadableFileKinds, paths: readonly string[]): string[] {
  const files = Map.groupBy(paths, (path) => grammarOf(path)?.name ?? '');
  return [...missing].flatMap(([language, why]) => {
    const count = files.get(language)?.length ?? 0;
    return count === 0 ? [] : [`${why} (${count} ${count === 1 ? 'file' : 'files'})`];
  });
}
