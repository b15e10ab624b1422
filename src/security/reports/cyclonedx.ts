import { VERSION } from '../../version.ts';
import type { Finding, SoftwareComponent } from '../findings/finding.ts';
import type { SecurityScan } from '../scans/scan.ts';
import { nameOfProject, packageReferenceOf, purlOf, unique, uuidOf } from './package-references.ts';

const SCHEMA = 'http://cyclonedx.org/schema/bom-1.6.schema.json';
const ROOT = 'repository';
/** Base URL of pages that list all archives of a Python package with their hashes. */
const ARCHIVES = 'https://pypi.org/simple/';

export function cyclonedxOf(
  scan: SecurityScan,
  components: readonly SoftwareComponent[],
  findings: readonly Finding[],
): Record<string, unknown> {
  const byRef = Map.groupBy(components, packageReferenceOf);
  const known = new Set(byRef.keys());
  return {
    $schema: SCHEMA,
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(scan.id)}`,
    version: 1,
    metadata: {
      timestamp: scan.endedAt !== undefined ? new Date(scan.endedAt).toISOString() : undefined,
      tools: { components: [{ type: 'application', name: 'Magpie', version: VERSION }] },
      component: {
        type: 'application',
        'bom-ref': ROOT,
        name: nameOfProject(scan.request.repository),
        version: scan.report?.commit,
      },
    },
    components: [...byRef].map(([ref, all]) => componentOf(ref, all)),
    dependencies: [
      { ref: ROOT, dependsOn: unique(components.filter(({ direct }) => direct).map(packageReferenceOf)) },
      ...graphOf(components, known),
    ],
    vulnerabilities: vulnerabilitiesOf(findings, known),
  };
}

function componentOf(ref: string, all: readonly SoftwareComponent[]): Record<string, unknown> {
  const [first] = all;
  const { ecosystem = '', name = '', version = '', license } = first ?? {};
  const purl = first?.local ? undefined : purlOf({ ecosystem, name, version });
  const { hashes = [] } = all.find((one) => one.hashes !== undefined) ?? {};
  const single = hashes.length === 1 || ecosystem !== 'PyPI';
  const development = all.every((one) => one.development);
  const paths = unique(all.map(({ path }) => path));
  return {
    type: 'library',
    'bom-ref': ref,
    ...namesOf(ecosystem, name),
    version,
    scope: development ? 'excluded' : 'required',
    hashes: hashes.length > 0 && single ? hashes : undefined,
    licenses: license !== undefined ? licensesOf(license) : undefined,
    purl,
    externalReferences:
      hashes.length > 1 && !single
        ? [{ type: 'distribution', url: `${ARCHIVES}${encodeURIComponent(name)}/`, hashes }]
        : undefined,
    evidence: { occurrences: paths.map((location) => ({ location })) },
    properties: development ? [{ name: 'magpie:development', value: 'true' }] : undefined,
  };
}

function namesOf(ecosystem: string, name: string): { group?: string; name: string } {
  const cut = ecosystem === 'Maven' ? name.indexOf(':') : ecosystem === 'Go' ? -1 : name.indexOf('/');
  return cut > 0 ? { group: name.slice(0, cut), name: name.slice(cut + 1) } : { name };
}

/** Writes a license such as `MIT OR Apache-2.0` as an SPDX expression, and a single license as a name. */
function licensesOf(license: string): Record<string, unknown>[] {
  if (/ (?:OR|AND|WITH) /.test(license) && /^[\w.+() -]+$/.test(license)) return [{ expression: license }];
  return [{ license: { name: license.slice(0, 500) } }];
}

function graphOf(components: readonly SoftwareComponent[], known: ReadonlySet<string>) {
  const edges = new Map<string, string[]>();
  for (const [, all] of Map.groupBy(components, ({ path }) => path)) {
    const refs = new Map(all.map((one) => [`${one.name}@${one.version}`, packageReferenceOf(one)]));
    for (const one of all) {
      const needs = (one.needs ?? []).flatMap((name) => refs.get(name) ?? []).filter((ref) => known.has(ref));
      const ref = packageReferenceOf(one);
      const list = edges.get(ref);
      if (list) list.push(...needs);
      else edges.set(ref, needs);
    }
  }
  return [...edges].map(([ref, needs]) => ({ ref, dependsOn: unique(needs) }));
}

function vulnerabilitiesOf(findings: readonly Finding[], known: ReadonlySet<string>) {
  const used = findings.filter((one) => one.package && known.has(packageReferenceOf(one.package)));
  return [...Map.groupBy(used, ({ id }) => id)].map(([id, all]) => {
    const [first] = all;
    const { description = '', fix = '', severity = 'info', cvss, cwe = [], aliases = [] } = first ?? {};
    const numbers = unique(cwe.map((one) => Number(one.slice(4)))).filter(
      (one) => Number.isInteger(one) && one > 0,
    );
    const excused = all.every(({ suppressed }) => suppressed) ? first?.suppressed : undefined;
    return {
      'bom-ref': `vulnerability:${id}`,
      id,
      source: sourceOf(id),
      references:
        aliases.length > 0 ? aliases.map((alias) => ({ id: alias, source: sourceOf(alias) })) : undefined,
      ratings: [
        { severity, score: cvss?.score, method: cvss && methodOf(cvss.vector), vector: cvss?.vector },
      ],
      cwes: numbers.length > 0 ? numbers : undefined,
      description,
      recommendation: fix,
      affects: unique(all.flatMap((one) => (one.package ? [packageReferenceOf(one.package)] : []))).map(
        (ref) => ({ ref }),
      ),
      analysis: excused && {
        state: excused.by === 'vex' ? 'not_affected' : undefined,
        detail: excused.reason,
      },
    };
  });
}

function sourceOf(id: string): { name: string; url: string } {
  if (id.startsWith('CVE-'))
    return { name: 'NVD', url: `https://nvd.nist.gov/vuln/detail/${encodeURIComponent(id)}` };
  if (id.startsWith('GHSA-'))
    return { name: 'GitHub', url: `https://github.com/advisories/${encodeURIComponent(id)}` };
  return { name: 'OSV', url: `https://osv.dev/vulnerability/${encodeURIComponent(id)}` };
}

function methodOf(vector: string): string {
  const [, version] = /^CVSS:(4\.0|3\.1|3\.0)\//.exec(vector) ?? [];
  return version === '4.0'
    ? 'CVSSv4'
    : version === '3.1'
      ? 'CVSSv31'
      : version === '3.0'
        ? 'CVSSv3'
        : 'other';
}
