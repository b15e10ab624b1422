import { badRequestError } from '../../errors.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import {
  ECOSYSTEMS,
  type Ecosystem,
  type EcosystemFamily,
  ecosystemOf,
  exampleRelease,
  familyOf,
  isDistribution,
} from '../scanners/dependencies/ecosystem.ts';
import { pythonName } from '../scanners/dependencies/lockfiles/python-name.ts';
import { ecosystemByWord, readPackageUrl } from './package-url.ts';

export type NamedPackage = ReturnType<typeof parseNamedPackages>[number];

/** Registries to try for a single word such as `lodash`. Names in other registries have several parts. */
const PLAIN: readonly EcosystemFamily[] = ['npm', 'PyPI', 'crates.io', 'RubyGems', 'NuGet'];
const MAX_CHARS = 500;
const TAKES =
  'package takes a name and its version, such as lodash@4.17.20, npm lodash@4.17.20, pkg:pypi/requests@2.19.0 or Debian:12/openssl@3.0.9-1';

/** Parses a package such as `lodash@4.17.20`. Returns a result for each registry that may have the name. */
export function parseNamedPackages(text: string) {
  const given = text.trim();
  if (given.length > MAX_CHARS) throw badRequestError(`package is over ${MAX_CHARS} characters: ${TAKES}`);
  const [stated, rest] = registryOf(given);
  const { name, version } = parts(rest);
  if (name === '' || version === '') {
    const lacks = name === '' ? 'no name' : 'no version';
    throw badRequestError(`package ${quoteName(given)} has ${lacks}: ${TAKES}`);
  }
  const distribution = stated !== undefined && isDistribution(stated);
  if (!isOneVersion(version, distribution)) {
    throw badRequestError(
      `package ${quoteName(given)} has ${quoteName(version)}, which is not a single version: ${TAKES}`,
    );
  }
  const example = stated === undefined ? undefined : exampleRelease(stated);
  if (example !== undefined) {
    throw badRequestError(
      `package ${quoteName(given)} needs a release of ${stated}, because each release has its own fixes: name one, such as ${example}/${name}@${version}`,
    );
  }
  const ecosystems = stated === undefined ? registriesOf(name) : [stated];
  return ecosystems.map((ecosystem) => ({
    ecosystem,
    name: nameIn(familyOf(ecosystem), name),
    version: version.replace(/^v(?=\d)/, ''),
  }));
}

function nameIn(family: EcosystemFamily, name: string): string {
  if (family === 'PyPI') return pythonName(name);
  // OSV's ecosystem Linux has only one package: `Kernel`.
  return family === 'Linux' && name.toLowerCase() === 'kernel' ? 'Kernel' : name;
}

function registryOf(given: string): [Ecosystem | undefined, string] {
  const lower = given.toLowerCase();
  if (lower.startsWith('pkg:')) return readPackageUrl(given.slice('pkg:'.length));
  const family = ECOSYSTEMS.find((one) => /^[:/\s]/.test(after(lower, one.toLowerCase())));
  if (family !== undefined && given[family.length] === ':' && hasReleases(family)) return withRelease(given);
  const end = family?.length ?? given.search(/[:/\s]/);
  const known = family ?? (end < 0 ? undefined : ecosystemByWord(given.slice(0, end)));
  const rest = given.slice(end + 1).trim();
  // `node` usually stands for npm. Before a version, as in `node 18.1.0`, it is the name of a package.
  return known === undefined || isVersion(rest) ? [undefined, given] : [known, rest];
}

const after = (text: string, start: string): string =>
  text.startsWith(start) ? text.slice(start.length) : '';

const hasReleases = (family: EcosystemFamily): boolean =>
  exampleRelease(family) !== undefined || family === 'Echo' || family === 'Red Hat Lightwell';

function withRelease(given: string): [Ecosystem | undefined, string] {
  const slash = given.indexOf('/');
  const end = slash < 0 ? given.lastIndexOf(' ') : slash;
  return [ecosystemOf(end < 0 ? given : given.slice(0, end)), end < 0 ? '' : given.slice(end + 1).trim()];
}

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

function isOneVersion(text: string, distribution: boolean): boolean {
  if (!/\d/.test(text)) return false;
  // Versions in Linux distributions can contain more characters: `1.0~rc1`, `1.0^git2`, `1.0_1,2`.
  if (distribution) return !/[\s<>=*|]/.test(text);
  return !/[\s^~<>=*|,]/.test(text) && !/\.x(?:\.|$)/i.test(text);
}

const isVersion = (text: string): boolean => /^v?\d/.test(text) && !/[\s@:/]/.test(text);

function registriesOf(name: string): readonly Ecosystem[] {
  if (name.startsWith('@')) return ['npm'];
  if (name.includes(':')) return ['Maven'];
  const [place = '', ...path] = name.split('/');
  if (path.length === 0) return PLAIN;
  return place.includes('.') ? ['Go'] : ['Packagist'];
}
