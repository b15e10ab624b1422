import { posix } from 'node:path';
import { formatCount } from '../../../lib/text/format-count.ts';
import type { TreeScanContext } from '../../scans/scanner.ts';
import { isTestOrExamplePath } from '../../trees/test-paths.ts';
import { findUnsupportedInventories, isUnsupportedInventory } from './unsupported-inventories.ts';

interface Manifest {
  readonly name: RegExp;
  /** Matches the names of the manifest's lockfiles. They are in its folder or, if `above` is set, in a parent folder. */
  readonly locks: RegExp;
  readonly above?: true;
  asks(text: string): boolean;
  readonly write: string;
}

const MANIFESTS: readonly Manifest[] = [
  {
    name: /^package\.json$/,
    locks: /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|deno\.lock)$/,
    above: true,
    asks: (text) =>
      hasMember(text, ['dependencies', 'devDependencies', 'optionalDependencies'], (name) => name !== ''),
    write: 'npm install --package-lock-only',
  },
  {
    name: /^composer\.json$/,
    locks: /^composer\.lock$/,
    // Names of PHP packages have a slash. Names without a slash are PHP itself and its extensions.
    asks: (text) => hasMember(text, ['require', 'require-dev'], (name) => name.includes('/')),
    write: 'composer update --no-install',
  },
  {
    name: /^pyproject\.toml$/,
    locks:
      /^(?:poetry|uv|pdm|Pipfile)\.lock$|^pylock(?:\.[\w-]{1,100})?\.toml$|^(?=[\w.-]*\.txt$).*requirements/i,
    above: true,
    asks: (text) =>
      /^[ \t]*dependencies[ \t]*=[ \t]*\[\s*["']/m.test(text) ||
      /^\[tool\.poetry\.(?:group\.[\w-]{1,50}\.)?dependencies\](?:[ \t]*(?:(?:python[ \t]*=|#)[^\n\r\u2028\u2029]*)?\r?\n)*[ \t]*(?!python\b)["\w]/m.test(
        text,
      ),
    write: 'uv lock',
  },
  {
    name: /^setup\.(?:py|cfg)$/,
    locks: /^(?:(?:poetry|uv|pdm|Pipfile)\.lock|pyproject\.toml)$|^(?=[\w.-]*\.txt$).*requirements/i,
    asks: (text) => /\binstall_requires\b/.test(text),
    write: 'pip freeze > requirements.txt',
  },
  {
    name: /^Pipfile$/,
    locks: /^Pipfile\.lock$/,
    asks: (text) => /^\[(?:dev-)?packages\](?:[ \t]*(?:#[^\n\r\u2028\u2029]*)?\r?\n)*[ \t]*["\w]/m.test(text),
    write: 'pipenv lock',
  },
  {
    name: /^Cargo\.toml$/,
    locks: /^Cargo\.lock$/,
    above: true,
    asks: (text) =>
      /^\[(?:[^\]\n\r\u2028\u2029]{1,200}\.)?(?:dev-|build-)?dependencies(?:\.[\w"-]|\](?:[ \t]*(?:#[^\n\r\u2028\u2029]*)?\r?\n)*[ \t]*["\w])/m.test(
        text,
      ),
    write: 'cargo generate-lockfile',
  },
  {
    name: /^(?:Gemfile|gems\.rb)$/,
    locks: /^(?:Gemfile\.lock|gems\.locked)$/,
    asks: (text) => /^[ \t]*gem[ \t(]/m.test(text),
    write: 'bundle lock',
  },
  {
    name: /^pubspec\.yaml$/,
    locks: /^pubspec\.lock$/,
    above: true,
    asks: (text) => /^(?:dev_)?dependencies:[ \t]*\r?\n[ \t]{1,20}\w/m.test(text),
    write: 'dart pub get',
  },
  {
    name: /^mix\.exs$/,
    locks: /^mix\.lock$/,
    above: true,
    asks: (text) => /\{:\w{1,100}, *"[~<>=]/.test(text),
    write: 'mix deps.get',
  },
  {
    name: /^build\.gradle(?:\.kts)?$/,
    locks: /^gradle\.lockfile$/,
    asks: (text) =>
      /\b(?:implementation|api|compile|compileOnly|runtimeOnly|testImplementation)[ \t]*[("']/.test(text),
    write: 'gradle dependencies --write-locks',
  },
  {
    name: /^DESCRIPTION$/,
    locks: /^renv\.lock$/,
    above: true,
    asks: (text) =>
      /^Package:/m.test(text) && /^(?:Imports|Depends|LinkingTo):[ \t\r\n]*(?!R\b)\w/m.test(text),
    write: 'renv::snapshot()',
  },
  {
    name: /^[\w-]{1,200}\.cabal$/,
    locks: /^(?:cabal\.project\.freeze|stack\.yaml\.lock)$/,
    above: true,
    asks: (text) => /^[ \t]*build-depends:/im.test(text),
    write: 'cabal freeze',
  },
  {
    name: /^conanfile\.py$/,
    locks: /^conan\.lock$/,
    asks: (text) => /\brequires\b/.test(text),
    write: 'conan lock create .',
  },
  {
    name: /^(?:Julia)?Project\.toml$/,
    locks: /^(?:Julia)?Manifest(?:-v\d{1,3}\.\d{1,3})?\.toml$/,
    above: true,
    asks: (text) => /^\[deps\](?:[ \t]*(?:#[^\n\r\u2028\u2029]*)?\r?\n)*[ \t]*["\w]/m.test(text),
    write: "julia --project -e 'using Pkg; Pkg.resolve()'",
  },
  {
    name: /^(?:[\w.+-]{1,200}\.)?opam$/,
    locks: /^(?:[\w.+-]{1,200}\.)?opam\.locked$/,
    asks: (text) => /^depends[ \t]*:/m.test(text),
    write: 'opam lock .',
  },
];

const UNREAD_FIX = 'switch on osv-scanner or trivy by MAGPIE_SCANNERS, which read more kinds';
const MAX_MANIFESTS = 5000;
const MAX_NAMED = 3;
const MAX_MANIFEST_BYTES = 2_000_000;

/** Reports a gap for each manifest without a lockfile, except in tests and examples. `isOwn` is false for third-party code. */
export async function reportMissingLockfiles(
  { tree, signal, miss, leave }: TreeScanContext,
  isOwn: (path: string) => boolean,
): Promise<void> {
  const names = new Map<string, string[]>();
  for (const { path } of tree.files) {
    const folder = posix.dirname(path);
    const list = names.get(folder);
    if (list) list.push(posix.basename(path));
    else names.set(folder, [posix.basename(path)]);
  }
  const reportGap = (paths: readonly string[], what: string, fix: string) => {
    if (paths.length === 0) return;
    const shown = paths.slice(0, MAX_NAMED).join(', ');
    const rest = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
    const text = `${what}: ${shown}${rest}`;
    if (fix === '') leave(text);
    else miss('lockfiles', text, fix);
  };
  let read = 0;
  for (const manifest of MANIFESTS) {
    const without: string[] = [];
    for (const file of tree.files) {
      const { path, bytes } = file;
      if (!manifest.name.test(posix.basename(path)) || !isOwn(path) || bytes > MAX_MANIFEST_BYTES) continue;
      if (isLocked(path, manifest, names) || read >= MAX_MANIFESTS) continue;
      signal.throwIfAborted();
      read++;
      if (manifest.asks(new TextDecoder().decode(await tree.read(file)))) without.push(path);
    }
    const [testing, own] = [
      without.filter(isTestOrExamplePath),
      without.filter((path) => !isTestOrExamplePath(path)),
    ];
    const what = (count: number) =>
      `${formatCount(count, 'file that asks', 'files that ask')} for packages without a lockfile, so that they are not compared with advisories`;
    reportGap(own, what(own.length), `write a lockfile (${manifest.write}) and commit it`);
    reportGap(testing, what(testing.length), '');
  }
  const unread = tree.files
    .map(({ path }) => path)
    .filter((path) => isUnsupportedInventory(path) && isOwn(path) && !isTestOrExamplePath(path));
  const { lockfiles, databases } = findUnsupportedInventories(unread);
  reportGap(lockfiles, `${formatCount(lockfiles.length, 'lockfile')} of kinds that are not read`, UNREAD_FIX);
  const installed = formatCount(
    databases.length,
    'database of installed packages',
    'databases of installed packages',
  );
  reportGap(databases, `${installed} of kinds that are not read`, UNREAD_FIX);
}

function isLocked(
  path: string,
  { locks, above }: Manifest,
  names: ReadonlyMap<string, readonly string[]>,
): boolean {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    if (names.get(folder)?.some((name) => locks.test(name))) return true;
    if (!above || folder === '.') return false;
  }
}

/** True if one of the named `objects` in the JSON text has a key that `fits` accepts. Invalid JSON counts as true. */
function hasMember(text: string, objects: readonly string[], fits: (name: string) => boolean): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return true;
  }
  if (typeof value !== 'object' || value === null) return false;
  return objects.some((name) => {
    const list = (value as Record<string, unknown>)[name];
    return typeof list === 'object' && list !== null && Object.keys(list).some(fits);
  });
}
