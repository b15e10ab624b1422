import { createHash } from 'node:crypto';
import { PackageURL } from 'packageurl-js';
import { attempt } from '../../lib/attempt.ts';
import type { PackageVersion } from '../findings/finding.ts';
import { DISTRIBUTION_PURLS, PURL_TYPES } from '../packages/package-url.ts';
import { type Ecosystem, familyOf, releaseOf } from '../scanners/dependencies/ecosystem.ts';

/** Returns only the last part of a path, because a path on the operator's machine is private. */
export function nameOfProject(repository: string): string {
  const parts = repository
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/\\:]/);
  return parts.at(-1) || 'repository';
}

export const packageReferenceOf = (one: PackageVersion): string =>
  purlOf(one) ?? `${one.ecosystem}:${one.name}@${one.version}`;

export function purlOf({ ecosystem, name, version }: PackageVersion): string | undefined {
  const family = familyOf(ecosystem as Ecosystem);
  const distribution = DISTRIBUTION_PURLS.get(family);
  if (distribution) return distributionPurl(distribution, { ecosystem, name, version });
  const type = PURL_TYPES.get(family);
  const sign = ecosystem === 'VSCode' ? name.indexOf('.') : name.lastIndexOf('/');
  const cut = ecosystem === 'Maven' ? name.indexOf(':') : sign;
  const [namespace, last] = cut < 0 ? [undefined, name] : [name.slice(0, cut), name.slice(cut + 1)];
  // Package URLs of Go modules require `v` before the version.
  const own = ecosystem === 'Go' && /^\d/.test(version) ? `v${version}` : version;
  return attempt(() => type && new PackageURL(type, namespace, last, own, undefined, undefined).toString());
}

/** Returns a package URL such as `pkg:deb/debian/openssl@3.0.9-1?distro=debian-12`. */
function distributionPurl(
  [type, namespace]: readonly [string, string],
  { ecosystem, name, version }: PackageVersion,
): string | undefined {
  const release = releaseOf(ecosystem as Ecosystem).replace(/^v(?=\d)|:LTS$/g, '');
  const distro = release === '' ? undefined : { distro: `${namespace}-${release}` };
  return attempt(() => new PackageURL(type, namespace, name, version, distro, undefined).toString());
}

export const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

export function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
