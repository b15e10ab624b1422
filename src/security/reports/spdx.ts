import { VERSION } from '../../version.ts';
import type { SoftwareComponent } from '../findings/finding.ts';
import type { SecurityScan } from '../scans/scan.ts';
import { nameOfProject, packageReferenceOf, purlOf, unique, uuidOf } from './package-references.ts';

const PROJECT = 'SPDXRef-Project';
/** Matches SPDX license ids: names with a version (`Apache-2.0`), and known names without a version. */
const KNOWN_LICENSE =
  /^(?:LicenseRef-[A-Za-z0-9.-]{1,90}|[A-Za-z][A-Za-z0-9-]{0,60}-\d[A-Za-z0-9.-]{0,30}\+?|MIT|ISC|Zlib|Unlicense|0BSD|WTFPL|BSL-1.0|curl|X11|ICU|Ruby|PostgreSQL|NCSA|OpenSSL|Vim|Beerware|Python-2.0|[A-Z][A-Za-z-]{2,40}-exception)$/;
const ALGORITHMS = {
  'SHA-1': 'SHA1',
  'SHA-256': 'SHA256',
  'SHA-384': 'SHA384',
  'SHA-512': 'SHA512',
  MD5: 'MD5',
};

export function spdxOf(
  scan: SecurityScan,
  components: readonly SoftwareComponent[],
): Record<string, unknown> {
  const byRef = Map.groupBy(components, packageReferenceOf);
  const ids = new Map([...byRef.keys()].map((ref, index) => [ref, `SPDXRef-Package-${index + 1}`]));
  const idOf = (ref: string) => ids.get(ref) ?? PROJECT;
  const depends = (from: string, to: readonly string[]) =>
    unique(to).map((ref) => relationOf(from, 'DEPENDS_ON', idOf(ref)));
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: nameOfProject(scan.request.repository),
    documentNamespace: `urn:uuid:${uuidOf(scan.id)}`,
    creationInfo: {
      created: new Date(scan.endedAt ?? 0).toISOString().replace(/\.\d+Z$/, 'Z'),
      creators: [`Tool: Magpie-${VERSION}`],
    },
    packages: [
      {
        SPDXID: PROJECT,
        name: nameOfProject(scan.request.repository),
        versionInfo: scan.report?.commit,
        downloadLocation: 'NOASSERTION',
        filesAnalyzed: false,
      },
      ...[...byRef].map(([ref, all]) => packageOf(idOf(ref), all)),
    ],
    relationships: [
      relationOf('SPDXRef-DOCUMENT', 'DESCRIBES', PROJECT),
      ...depends(PROJECT, components.filter(({ direct }) => direct).map(packageReferenceOf)),
      ...[...Map.groupBy(components, ({ path }) => path).values()].flatMap((all) => {
        const refs = new Map(all.map((one) => [`${one.name}@${one.version}`, packageReferenceOf(one)]));
        return all.flatMap((one) =>
          depends(
            idOf(packageReferenceOf(one)),
            (one.needs ?? []).flatMap((name) => refs.get(name) ?? []),
          ),
        );
      }),
    ],
  };
}

function packageOf(id: string, all: readonly SoftwareComponent[]): Record<string, unknown> {
  const [first] = all;
  const { name = '', license = '' } = first ?? {};
  const { hashes = [] } = all.find((one) => one.hashes !== undefined) ?? {};
  const purl = first && !first.local ? purlOf(first) : undefined;
  // False if the license is written in plain words, such as `see the license file`.
  const isExpression = license
    .replaceAll(/[()]/g, '')
    .split(/ (?:OR|AND|WITH) /)
    .every((id) => KNOWN_LICENSE.test(id));
  return {
    SPDXID: id,
    name,
    versionInfo: first?.version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseDeclared: isExpression ? license : 'NOASSERTION',
    licenseComments: license !== '' && !isExpression ? license.slice(0, 500) : undefined,
    // Several hashes are of archives for different platforms. SPDX cannot express that, so none is written.
    checksums:
      hashes.length === 1
        ? hashes.map(({ alg, content }) => ({
            algorithm: ALGORITHMS[alg as keyof typeof ALGORITHMS],
            checksumValue: content,
          }))
        : undefined,
    externalRefs: purl && [
      { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl },
    ],
  };
}

function relationOf(from: string, relationshipType: string, to: string) {
  return { spdxElementId: from, relationshipType, relatedSpdxElement: to };
}
