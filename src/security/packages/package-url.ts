import { AppError } from '../../errors.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import {
  ECOSYSTEMS,
  type Ecosystem,
  type EcosystemFamily,
  ecosystemOf,
  exampleRelease,
} from '../scanners/dependencies/ecosystem.ts';

/** Type of each registry in package URLs (https://github.com/package-url/purl-spec). Linux distributions are not included. */
export const PURL_TYPES: ReadonlyMap<EcosystemFamily, string> = new Map([
  ['npm', 'npm'],
  ['PyPI', 'pypi'],
  ['crates.io', 'cargo'],
  ['Go', 'golang'],
  ['RubyGems', 'gem'],
  ['Packagist', 'composer'],
  ['Maven', 'maven'],
  ['NuGet', 'nuget'],
  ['Pub', 'pub'],
  ['Hex', 'hex'],
  ['SwiftURL', 'swift'],
  ['GitHub Actions', 'githubactions'],
  ['CRAN', 'cran'],
  ['Bioconductor', 'bioconductor'],
  ['Hackage', 'hackage'],
  ['Julia', 'julia'],
  ['opam', 'opam'],
  ['ConanCenter', 'conan'],
  ['VSCode', 'vscode-extension'],
  ['Bitnami', 'bitnami'],
]);
export const DISTRIBUTION_PURLS: ReadonlyMap<EcosystemFamily, readonly [type: string, namespace: string]> =
  new Map([
    ['Debian', ['deb', 'debian']],
    ['Ubuntu', ['deb', 'ubuntu']],
    ['Echo', ['deb', 'echo']],
    ['Alpine', ['apk', 'alpine']],
    ['Wolfi', ['apk', 'wolfi']],
    ['Chainguard', ['apk', 'chainguard']],
    ['MinimOS', ['apk', 'minimos']],
    ['Alpaquita', ['apk', 'alpaquita']],
    ['Red Hat', ['rpm', 'redhat']],
    ['Rocky Linux', ['rpm', 'rocky-linux']],
    ['AlmaLinux', ['rpm', 'almalinux']],
    ['Azure Linux', ['rpm', 'azurelinux']],
    ['SUSE', ['rpm', 'suse']],
    ['openSUSE', ['rpm', 'opensuse']],
    ['openEuler', ['rpm', 'openeuler']],
    ['Mageia', ['rpm', 'mageia']],
  ]);
const WORDS: Readonly<Record<string, EcosystemFamily>> = {
  node: 'npm',
  python: 'PyPI',
  pip: 'PyPI',
  crates: 'crates.io',
  rust: 'crates.io',
  ruby: 'RubyGems',
  php: 'Packagist',
  java: 'Maven',
  dotnet: 'NuGet',
  dart: 'Pub',
  flutter: 'Pub',
  elixir: 'Hex',
  r: 'CRAN',
  haskell: 'Hackage',
  ocaml: 'opam',
};
const BY_WORD: ReadonlyMap<string, EcosystemFamily> = new Map<string, EcosystemFamily>([
  ...Object.entries(WORDS),
  ...[...PURL_TYPES].map(([family, type]): [string, EcosystemFamily] => [type, family]),
  ...ECOSYSTEMS.map((one): [string, EcosystemFamily] => [one.toLowerCase(), one]),
]);

export function ecosystemByWord(word: string): EcosystemFamily | undefined {
  return BY_WORD.get(word.toLowerCase());
}

/** Parses a package URL without scheme: `npm/lodash@4.17.20?qualifiers#path`. Throws AppError `bad_request` if unknown. */
export function readPackageUrl(text: string): [Ecosystem, string] {
  const [plain = '', query = ''] = (text.split('#', 1)[0] ?? '').split('?', 2);
  const [type = '', ...path] = plain.split('/');
  const qualifiers = new URLSearchParams(query);
  const distribution = [...DISTRIBUTION_PURLS].find(
    ([, [kind, space]]) => kind === type.toLowerCase() && space === path[0]?.toLowerCase(),
  );
  if (distribution) {
    const epoch = qualifiers.get('epoch');
    const [name = '', version = ''] = decoded(path.slice(1).join('/')).split('@', 2);
    const ecosystem = releaseFrom(distribution[0], qualifiers.get('distro') ?? '');
    return [ecosystem, `${name}@${epoch ? `${epoch}:` : ''}${version}`];
  }
  const known = ecosystemByWord(type);
  if (known === undefined) {
    throw new AppError(
      'bad_request',
      `no advisories are known for packages of ${quoteName(type)}: package takes one of ${ECOSYSTEMS.join(', ')}`,
    );
  }
  return [known, decoded(path.join(known === 'Maven' ? ':' : known === 'VSCode' ? '.' : '/'))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Converts the `distro` of a package URL to an ecosystem: `debian-12.5` to Debian:12, `alpine-3.18.4` to Alpine:v3.18. */
function releaseFrom(family: EcosystemFamily, distro: string): Ecosystem {
  if (exampleRelease(family) === undefined) return family;
  const [number, major] = /(\d{1,4})(?:\.\d{1,4}){0,3}$/.exec(distro) ?? [];
  if (number === undefined || family === 'SUSE' || family === 'openSUSE') return family;
  if (family === 'Red Hat') return `Red Hat:enterprise_linux:${major}`;
  const short = family === 'Ubuntu' || family === 'Alpine' || family === 'openEuler';
  return ecosystemOf(`${family}:${short ? number.split('.').slice(0, 2).join('.') : major}`) ?? family;
}
