import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** README and the guides, by their paths below the root. */
export const GUIDES: readonly string[] = ['README.md', ...globSync('docs/*.md', { cwd: ROOT }).sort()];

const textOf = (guide: string) => readFileSync(`${ROOT}/${guide}`, 'utf8');

const BLOCK = /^```(sh|console)\n([\s\S]*?)^```/gm;

/** What a guide says to type, in its order: lines of blocks of shell, and of terminals those behind `$`; without comments. */
export function commandsOf(guide: string): readonly string[] {
  return [...textOf(guide).matchAll(BLOCK)].flatMap(([, language, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => language === 'sh' || line.startsWith('$ '))
      .map((line) =>
        line
          .replace(/^\$ /, '')
          .replace(/\s+# .*$/, '')
          .trim(),
      )
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

/** `magpie ...` in the running text of a guide. */
export function namedCommandsOf(guide: string): readonly string[] {
  const prose = textOf(guide).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...new Set([...prose.matchAll(/`(magpie [^`]+)`/g)].map(([, command = '']) => command))];
}
