import { badRequestError } from '../../errors.ts';
import { decodePercent } from '../../lib/text/decode-percent.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import {
  ECOSYSTEMS,
  type Ecosystem,
  type EcosystemFamily,
  ecosystemOf,
  exampleRelease,
} from '../scanners/dependencies/ecosystem.ts';
import written from './package-urls.json' with { type: 'json' };

/** Package URL types (https://github.com/package-url/purl-spec) of registries, not of distributions. */
export const PURL_TYPES = new Map(Object.entries(written.registries)) as ReadonlyMap<EcosystemFamily, string>;
export const DISTRIBUTION_PURLS = new Map(Object.entries(written.distributions)) as unknown as ReadonlyMap<
  EcosystemFamily,
  readonly [type: string, namespace: string]
>;
const BY_WORD: ReadonlyMap<string, EcosystemFamily> = new Map<string, EcosystemFamily>([
  ...(Object.entries(written.words) as [string, EcosystemFamily][]),
  ...[...PURL_TYPES].map(([family, type]): [string, EcosystemFamily] => [type, family]),
  ...ECOSYSTEMS.map((one): [string, EcosystemFamily] => [one.toLowerCase(), one]),
]);

export const ecosystemByWord = (word: string): EcosystemFamily | undefined => BY_WORD.get(word.toLowerCase());

/** Parses a package URL (without `pkg:`) to ecosystem and `name@version`. Throws AppError if unsupported. */
export function readPackageUrl(text: string): [Ecosystem, string] {
  const [plain = '', query = ''] = (text.split('#', 1)[0] ?? '').split('?', 2);
  const [type = '', ...path] = plain.split('/');
  const qualifiers = new URLSearchParams(query);
  const distribution = [...DISTRIBUTION_PURLS].find(
    ([, [kind, space]]) => kind === type.toLowerCase() && space === path[0]?.toLowerCase(),
  );
  if (distribution) {
    const epoch = qualifiers.get('epoch');
    const [name = '', version = ''] = decodePercent(path.slice(1).join('/')).split('@', 2);
    const ecosystem = releaseFrom(distribution[0], qualifiers.get('distro') ?? '');
    return [ecosystem, `${name}@${epoch ? `${epoch}:` : ''}${version}`];
  }
  const known = ecosystemByWord(type);
  if (known === undefined) {
    throw badRequestError(
      `no advisories are known for packages of ${quoteName(type)}: package takes one of ${ECOSYSTEMS.join(', ')}`,
    );
  }
  return [known, decodePercent(path.join(known === 'Maven' ? ':' : known === 'VSCode' ? '.' : '/'))];
}

/** Converts the qualifier `distro` of a package URL: `debian-12.5` becomes the ecosystem Debian:12. */
function releaseFrom(family: EcosystemFamily, distro: string): Ecosystem {
  if (exampleRelease(family) === undefined) return family;
  const [number, major] = /(\d{1,4})(?:\.\d{1,4}){0,3}$/.exec(distro) ?? [];
  if (number === undefined || family === 'SUSE' || family === 'openSUSE') return family;
  if (family === 'Red Hat') return `Red Hat:enterprise_linux:${major}`;
  const short = family === 'Ubuntu' || family === 'Alpine' || family === 'openEuler';
  return ecosystemOf(`${family}:${short ? number.split('.').slice(0, 2).join('.') : major}`) ?? family;
}
