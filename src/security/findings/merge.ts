import { omitUndefined } from '../../lib/omit-undefined.ts';
import { SEVERITIES, type Severity, TYPICAL_SCORES } from '../../lib/severity.ts';
import families from './cwe-families.json' with { type: 'json' };
import type { RawFinding } from './finding.ts';

export interface MergedFinding extends RawFinding {
  readonly scanners: readonly string[];
}

const MAX_COMPARED_FINDINGS = 50;
const MAX_LINES = 30;

/** Maps a CWE id to the first id of its group. Different ids of a group can stand for the same problem. */
const FAMILY = new Map(families.flatMap((family) => family.map((cwe) => [cwe, family[0] ?? cwe] as const)));

export function mergeFindings(
  byScanner: readonly { readonly scanner: string; readonly findings: readonly RawFinding[] }[],
): MergedFinding[] {
  const all: (MergedFinding | undefined)[] = [];
  const places = new Map<string, number[]>();
  for (const { scanner, findings } of byScanner) {
    const fresh: number[] = [];
    for (const finding of unique(findings)) {
      const same = twinOf(finding, scanner, all, places);
      const before = same === undefined ? undefined : all[same];
      if (before && same !== undefined) all[same] = joined(before, finding, scanner);
      else fresh.push(all.push({ ...finding, scanners: [scanner] }) - 1);
    }
    for (const index of fresh) {
      for (const key of placesOf(all[index])) {
        const list = places.get(key);
        if (list === undefined) places.set(key, [index]);
        else if (list.length < MAX_COMPARED_FINDINGS) list.push(index);
      }
    }
  }
  return all.filter((one) => one !== undefined);
}

function unique(findings: readonly RawFinding[]): RawFinding[] {
  const seen = new Map<string, RawFinding>();
  for (const one of findings) {
    const { id, path, line, package: used, identity, excerpt, commit } = one;
    const place = used ? `${used.name}@${used.version}` : line;
    const key = JSON.stringify([id, path, place, identity ?? excerpt, commit]);
    const before = seen.get(key);
    if (!before || worse(one.severity, before.severity) !== before.severity) seen.set(key, one);
  }
  return [...seen.values()];
}

function placesOf(finding: MergedFinding | undefined): string[] {
  if (!finding) return [];
  const { path, line, endLine = line, package: used, id, aliases = [] } = finding;
  if (used) return [id, ...aliases].map((name) => placeOf(path, `${packageKey(finding)}\0${name}`));
  if (line === undefined || endLine === undefined) return [placeOf(path, 'file')];
  const lines = Math.min(endLine - line + 1, MAX_LINES);
  return Array.from({ length: Math.max(1, lines) }, (_, at) => placeOf(path, String(line + at)));
}

const placeOf = (path: string, where: string): string => `${path}\0${where}`;

const packageKey = ({ package: used }: RawFinding): string =>
  used ? `${used.ecosystem.toLowerCase()}:${used.name.toLowerCase()}@${used.version}` : '';

function twinOf(
  finding: RawFinding,
  scanner: string,
  all: readonly (MergedFinding | undefined)[],
  places: ReadonlyMap<string, readonly number[]>,
): number | undefined {
  let ofClass: number | undefined;
  for (const key of placesOf({ ...finding, scanners: [] })) {
    for (const index of places.get(key) ?? []) {
      const other = all[index];
      if (!other || other.scanners.includes(scanner) || other.commit !== finding.commit) continue;
      if (finding.package ? other.package !== undefined : sameRule(other, finding)) return index;
      if (!finding.package && ofClass === undefined && sameClass(other, finding)) ofClass = index;
    }
  }
  return ofClass;
}

function sameRule(a: RawFinding, b: RawFinding): boolean {
  if (a.package || b.package) return false;
  return a.id === b.id || (a.aliases?.includes(b.id) ?? false) || (b.aliases?.includes(a.id) ?? false);
}

function sameClass(a: RawFinding, b: RawFinding): boolean {
  if (a.package || b.package) return false;
  const classes = new Set((a.cwe ?? []).map((cwe) => FAMILY.get(cwe) ?? cwe));
  return (b.cwe ?? []).some((cwe) => classes.has(FAMILY.get(cwe) ?? cwe));
}

function joined(first: MergedFinding, other: RawFinding, scanner: string): MergedFinding {
  const aliases = [...new Set([...(first.aliases ?? []), other.id, ...(other.aliases ?? [])])];
  const cwe = [...new Set([...(first.cwe ?? []), ...(other.cwe ?? [])])];
  return {
    ...other,
    ...(omitUndefined({ ...first }) as Partial<MergedFinding>),
    id: first.id,
    aliases: aliases.filter((id) => id !== first.id),
    severity: worse(first.severity, other.severity),
    cwe: cwe.length > 0 ? cwe : undefined,
    scanners: [...first.scanners, scanner],
  };
}

const worse = (a: Severity, b: Severity): Severity =>
  SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b;

export const isCredentialClass = ({ id, cwe = [] }: RawFinding): boolean =>
  id.startsWith('secrets/') || cwe.some((one) => FAMILY.get(one) === 'CWE-259');

export function worstFirst(a: RawFinding, b: RawFinding): number {
  const score = (one: RawFinding) => one.cvss?.score ?? TYPICAL_SCORES[one.severity];
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    score(b) - score(a) ||
    compare(a.path, b.path) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compare(a.id, b.id)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
