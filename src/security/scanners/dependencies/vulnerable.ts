import calculator from 'ae-cvss-calculator';
import { type Severity, severityOf } from '../../../lib/severity.ts';
import type { PackageVersion, RawFinding } from '../../findings/finding.ts';
import type { Advisory } from './advisories/advisory.ts';
import { fixesFor, lastAffected } from './advisories/affected-versions.ts';
import type { Ecosystem } from './ecosystem.ts';
import type { ReadLockfile } from './inventory.ts';
import type { LockedPackage } from './lockfile-reader.ts';
import { isVersionInRange } from './versions/ranges.ts';

/** Prefixes of advisory ids, most preferred first. A finding shows only one of the advisories on a vulnerability. */
const PREFERRED_DATABASES = ['GHSA-', 'PYSEC-', 'RUSTSEC-', 'GO-'];
const MAX_PATH_STEPS = 6;
const [VULNERABLE, MALICIOUS] = ['CWE-1395', 'CWE-506'];

export function groupByVulnerability(advisories: readonly Advisory[]): Advisory[][] {
  const groups: { ids: Set<string>; advisories: Advisory[] }[] = [];
  for (const advisory of advisories) {
    const ids = [advisory.id, ...advisory.aliases];
    const same = groups.filter((group) => ids.some((id) => group.ids.has(id)));
    const [first = { ids: new Set<string>(), advisories: [] }] = same;
    if (same.length === 0) groups.push(first);
    for (const other of same.slice(1)) {
      for (const id of other.ids) first.ids.add(id);
      first.advisories.push(...other.advisories);
      groups.splice(groups.indexOf(other), 1);
    }
    for (const id of ids) first.ids.add(id);
    if (!first.advisories.some(({ id }) => id === advisory.id)) first.advisories.push(advisory);
  }
  return groups.map((group) => group.advisories);
}

export function vulnerabilityFinding(
  { path, ecosystem, packages }: ReadLockfile,
  used: LockedPackage,
  records: readonly Advisory[],
  imported = '',
): RawFinding {
  const [preferred, ...others] = [...records].sort((a, b) => preferenceOf(a) - preferenceOf(b));
  const all = preferred ? [preferred, ...others] : [];
  const ids = [...new Set(all.flatMap(({ id, aliases }) => [id, ...aliases]))].sort(
    (a, b) => rank(a) - rank(b),
  );
  const [id = 'unknown', ...aliases] = ids;
  const { name, version, line, development } = used;
  const at: PackageVersion = { ecosystem, name, version };
  const malicious = all.some((one) => one.malicious);
  const cvss = all.map(({ vectors }) => cvssOf(vectors)).find((one) => one !== undefined);
  const summary = all.map((one) => one.summary).find((text) => text !== '') ?? '';
  const details = all.map((one) => one.details).find((text) => text !== '') ?? '';
  const cwe = [...new Set(all.flatMap((one) => one.cwe))];
  const remedy = remedyOf(ecosystem, at, used, all, malicious);
  const stated = summary || firstSentence(details) || 'It has a publicly known vulnerability.';
  return {
    id,
    aliases: aliases.length > 0 ? aliases.slice(0, 20) : undefined,
    severity: severityFor(malicious, cvss?.score, all),
    title: malicious ? `Malicious package ${name}` : `Known vulnerability in ${name}`,
    description: `${name} ${version}: ${ended(stated)}${pathTo(used, packages)}${imported}`,
    ...remedy,
    path,
    line,
    package: at,
    development: development || undefined,
    cwe: cwe.length > 0 ? cwe : [malicious ? MALICIOUS : VULNERABLE],
    cvss,
  };
}

function severityFor(malicious: boolean, score: number | undefined, records: readonly Advisory[]): Severity {
  if (malicious) return 'critical';
  if (score !== undefined) return severityOf(score);
  return records.map(({ level }) => level).find((level) => level !== undefined) ?? 'medium';
}

function remedyOf(
  ecosystem: Ecosystem,
  at: PackageVersion,
  used: LockedPackage,
  records: readonly Advisory[],
  malicious: boolean,
): Pick<RawFinding, 'fix' | 'fixedIn'> {
  const { name } = at;
  if (malicious) {
    return {
      fix: `Remove ${name} and what asks for it, and replace every secret that it could read: it was made to do harm.`,
    };
  }
  const fixesByRecord = records.map((one) => fixesFor(one, at));
  const fixes = fixesByRecord.find((list) => list.length > 0) ?? [];
  const { asked } = used;
  const judged = fixes.map((fix) => ({
    fix,
    reached: asked.map((range) => isVersionInRange(ecosystem, fix, range)),
  }));
  const within = judged.find(({ reached }) => reached.length > 0 && reached.every((one) => one === true));
  if (within)
    return { fixedIn: within.fix, fix: `Update ${name} to ${within.fix}, which the range in use allows.` };
  const [any] = judged;
  if (!any) {
    const last = records.map((one) => lastAffected(one, at)).find((one) => one !== undefined);
    const after =
      last === undefined
        ? 'No fixed version is known'
        : `No fixed version is known, but versions after ${last} are not listed as affected`;
    return { fix: `${after}: replace ${name}, or make sure that the vulnerable code cannot be reached.` };
  }
  const outside = any.reached.includes(false);
  const ranges = asked.filter((_, index) => any.reached[index] === false).slice(0, 3);
  return {
    fixedIn: any.fix,
    fix: outside
      ? `Update ${name} to ${any.fix}: the range in use (${ranges.join('; ').slice(0, 200)}) does not allow it, so change the range${used.direct ? '' : ', or update what asks for it'}.`
      : `Update ${name} to ${any.fix} or later.`,
  };
}

function pathTo(used: LockedPackage, packages: readonly LockedPackage[]): string {
  const names: string[] = [];
  for (let at = used.from; at !== undefined && names.length < MAX_PATH_STEPS; at = packages[at]?.from) {
    const one = packages[at];
    if (one) names.unshift(`${one.name}@${one.version}`);
  }
  const [first] = names;
  if (first === undefined) return '';
  return ` It is required by ${names.length >= MAX_PATH_STEPS ? '… > ' : ''}${names.join(' > ')}.`;
}

function preferenceOf({ id, vectors }: Advisory): number {
  const at = PREFERRED_DATABASES.findIndex((prefix) => id.startsWith(prefix));
  return (at < 0 ? PREFERRED_DATABASES.length : at) + (vectors.length > 0 ? 0 : 0.5);
}

const rank = (id: string): number => (id.startsWith('CVE-') ? 0 : id.startsWith('GHSA-') ? 1 : 2);

const firstSentence = (text: string): string =>
  /^.{20,300}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, 300);

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const VERSIONS = [
  ['CVSS:4.0/', calculator.Cvss4P0],
  ['CVSS:3.1/', calculator.Cvss3P1],
  ['CVSS:3.0/', calculator.Cvss3P0],
] as const;

export function cvssOf(vectors: readonly string[]): { score: number; vector: string } | undefined {
  for (const [prefix, Version] of VERSIONS) {
    const vector = vectors.find((one) => one.startsWith(prefix));
    if (vector === undefined || vector.length > 500) continue;
    try {
      const parsed = new Version(vector);
      // The calculator would count a missing base metric as harmless, so an incomplete vector is skipped.
      if (!parsed.isBaseFullyDefined()) continue;
      const scores = parsed.calculateScores();
      const score = 'base' in scores && typeof scores.base === 'number' ? scores.base : scores.overall;
      if (Number.isFinite(score) && score >= 0 && score <= 10) return { score, vector };
    } catch {
      // This vector cannot be parsed. A vector of an older CVSS version may still have a score.
    }
  }
  return undefined;
}
