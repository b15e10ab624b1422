import { AppError } from '../errors.ts';
import { quoted } from '../lib/quoted.ts';
import { ECOSYSTEMS, type Ecosystem } from './scanners/dependencies/locked.ts';
import { pythonName } from './scanners/dependencies/lockfiles/python-name.ts';

/** A package that is asked about by its name, without a lockfile. */
export interface NamedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** Registries by the names that package URLs and people have for them. */
const BY_WORD: Readonly<Record<string, Ecosystem>> = {
  ...Object.fromEntries(ECOSYSTEMS.map((one) => [one.toLowerCase(), one])),
  node: 'npm',
  python: 'PyPI',
  pip: 'PyPI',
  cargo: 'crates.io',
  crates: 'crates.io',
  rust: 'crates.io',
  golang: 'Go',
  gem: 'RubyGems',
  ruby: 'RubyGems',
  composer: 'Packagist',
  php: 'Packagist',
  java: 'Maven',
  dotnet: 'NuGet',
  dart: 'Pub',
  flutter: 'Pub',
  elixir: 'Hex',
  swift: 'SwiftURL',
  githubactions: 'GitHub Actions',
};
/** Registries in which a name of one word may be. */
const PLAIN: readonly Ecosystem[] = ['npm', 'PyPI', 'crates.io', 'RubyGems', 'NuGet'];
const MAX_CHARS = 500;
const TAKES =
  'package takes a name and its version, such as lodash@4.17.20, npm lodash@4.17.20 or pkg:pypi/requests@2.19.0';

/**
 * The packages that a text may mean: one where it names its registry or its name can be of one alone, else one for each
 * registry. AppError `bad_request` says what is missing.
 */
export function packagesNamed(text: string): NamedPackage[] {
  const given = text.trim();
  if (given.length > MAX_CHARS)
    throw new AppError('bad_request', `package is over ${MAX_CHARS} characters: ${TAKES}`);
  const [word, rest] = registryOf(given);
  const { name, version } = parts(rest);
  if (name === '' || version === '') {
    const lacks = name === '' ? 'no name' : 'no version';
    throw new AppError('bad_request', `package ${quoted(given)} has ${lacks}: ${TAKES}`);
  }
  if (!isOneVersion(version)) {
    throw new AppError(
      'bad_request',
      `package ${quoted(given)} has ${quoted(version)}, which is not a single version: ${TAKES}`,
    );
  }
  const ecosystems = word === undefined ? registriesOf(name) : [word];
  return ecosystems.map((ecosystem) => ({
    ecosystem,
    name: ecosystem === 'PyPI' ? pythonName(name) : name,
    version: version.replace(/^v(?=\d)/, ''),
  }));
}

/** The registry that a text begins with, and the rest. */
function registryOf(given: string): [Ecosystem | undefined, string] {
  if (given.toLowerCase().startsWith('pkg:')) return registryOfUrl(given.slice('pkg:'.length));
  const end = given.search(/[:/\s]/);
  const known = end < 0 ? undefined : BY_WORD[given.slice(0, end).toLowerCase()];
  const rest = given.slice(end + 1).trim();
  // `node 18.1.0`: the word is the name where a version alone follows.
  return known === undefined || isVersion(rest) ? [undefined, given] : [known, rest];
}

/** `npm/lodash@4.17.20?qualifiers#path`, as package URLs have it. */
function registryOfUrl(text: string): [Ecosystem, string] {
  const [type = '', ...path] = text.split('/');
  const known = BY_WORD[type.toLowerCase()];
  if (known === undefined) {
    throw new AppError(
      'bad_request',
      `package is of ${quoted(type)}, of which no advisories are known: there are ${ECOSYSTEMS.join(', ')}`,
    );
  }
  const [plain = ''] = path.join(known === 'Maven' ? ':' : '/').split(/[?#]/, 1);
  try {
    return [known, decodeURIComponent(plain)];
  } catch {
    return [known, plain];
  }
}

/** `name@1.0`, `name==1.0`, `name 1.0`, `group:name:1.0`. */
function parts(text: string): { readonly name: string; readonly version: string } {
  const at = text.lastIndexOf('@');
  if (at > 0) return { name: text.slice(0, at).trim(), version: text.slice(at + 1).trim() };
  const words = text.split(/[\s=]+/);
  if (words.length === 2) return { name: words[0] ?? '', version: words[1] ?? '' };
  const last = text.lastIndexOf(':');
  if (last > 0 && isVersion(text.slice(last + 1))) {
    return { name: text.slice(0, last), version: text.slice(last + 1) };
  }
  return isVersion(text) ? { name: '', version: text } : { name: text, version: '' };
}

/** Of a range, or of a word such as `latest`, no advisory can say whether it is affected. */
function isOneVersion(text: string): boolean {
  return /\d/.test(text) && !/[\s^~<>=*|,]/.test(text) && !/\.x(?:\.|$)/i.test(text);
}

function isVersion(text: string): boolean {
  return /^v?\d/.test(text) && !/[\s@:/]/.test(text);
}

function registriesOf(name: string): readonly Ecosystem[] {
  if (name.startsWith('@')) return ['npm'];
  if (name.includes(':')) return ['Maven'];
  const [place = '', ...path] = name.split('/');
  if (path.length === 0) return PLAIN;
  return place.includes('.') ? ['Go'] : ['Packagist'];
}
