import type { Practice } from '../assessing/evidence.ts';

const LOCKED_BY: Readonly<Record<string, readonly string[]>> = {
  'package.json': [
    'package-lock.json',
    'npm-shrinkwrap.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'bun.lock',
    'bun.lockb',
    'deno.lock',
  ],
  'Cargo.toml': ['Cargo.lock'],
  'go.mod': ['go.sum', 'go.work.sum'],
  'composer.json': ['composer.lock'],
  Gemfile: ['Gemfile.lock'],
  'pyproject.toml': ['poetry.lock', 'uv.lock', 'pdm.lock', 'pylock.toml', 'requirements.txt'],
  Pipfile: ['Pipfile.lock'],
  'mix.exs': ['mix.lock'],
  'pubspec.yaml': ['pubspec.lock'],
};
/** Third-party packages, tests and examples need no lock file. */
const ASIDE = /(?:^|\/)(?:node_modules|vendor|third_party|tests?|fixtures|examples?|samples?|testdata)\//;

export function checkLockfiles(files: readonly string[]): Pick<Practice, 'state' | 'detail'> {
  const there = new Set(files);
  const manifests = files.filter((path) => Object.hasOwn(LOCKED_BY, nameOf(path)) && !ASIDE.test(path));
  const open = manifests.filter((path) => !isLocked(path, there));
  if (manifests.length === 0) return { state: 'not_applicable', detail: 'no manifest of packages' };
  if (open.length === 0)
    return { state: 'kept', detail: `each of ${manifests.length} manifests has a lockfile` };
  return {
    state: 'missing',
    detail: `${open.length} of ${manifests.length} manifests have no lockfile, such as ${open[0]}`,
  };
}

function isLocked(manifest: string, there: ReadonlySet<string>): boolean {
  const locks = LOCKED_BY[nameOf(manifest)] ?? [];
  for (let folder = manifest; folder !== ''; ) {
    const slash = folder.lastIndexOf('/');
    folder = slash < 0 ? '' : folder.slice(0, slash);
    if (locks.some((lock) => there.has(folder === '' ? lock : `${folder}/${lock}`))) return true;
  }
  return false;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
