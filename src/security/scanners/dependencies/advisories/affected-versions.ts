import type { PackageVersion } from '../../../findings/finding.ts';
import { isEcosystemWithin } from '../ecosystem.ts';
import { versionOrderOf } from '../versions/order.ts';
import { type Advisory, type AffectedEntry, normalisePackageName, type RangeEvent } from './advisory.ts';

/** True if the advisory affects this package version, by the section "Evaluation" of OSV's schema. */
export const isAffected = (advisory: Advisory, { ecosystem, name, version }: PackageVersion): boolean =>
  entriesFor(advisory, ecosystem, name).some((one) => holds(one, version));

export function fixesFor(advisory: Advisory, { ecosystem, name, version }: PackageVersion): string[] {
  const entries = entriesFor(advisory, ecosystem, name);
  const [first] = entries;
  if (!first) return [];
  const order = versionOrderOf(first.ecosystem);
  const stated = entries.flatMap(({ ranges }) => ranges.flat());
  const fixed = stated.flatMap(([kind, fix]) => (kind === 'fixed' && order(fix, version) > 0 ? [fix] : []));
  return [...new Set(fixed)]
    .filter((fix) => !entries.some((one) => holds(one, fix)))
    .sort((a, b) => order(a, b));
}

export function lastAffected(advisory: Advisory, { ecosystem, name, version }: PackageVersion) {
  const entries = entriesFor(advisory, ecosystem, name).filter((one) => holds(one, version));
  return entries.flatMap(({ ranges }) => ranges.flat()).find(([kind]) => kind === 'last')?.[1];
}

function entriesFor({ affected }: Advisory, ecosystem: string, name: string): AffectedEntry[] {
  const wanted = normalisePackageName(ecosystem, name);
  return affected.filter((one) => one.name === wanted && isEcosystemWithin(ecosystem, one.ecosystem));
}

function holds({ ecosystem, ranges, versions }: AffectedEntry, version: string): boolean {
  const order = versionOrderOf(ecosystem);
  if (versions.some((one) => one === version || order(one, version) === 0)) return true;
  return ranges.some((events) => within(events, version, order));
}

function within(events: readonly RangeEvent[], version: string, order: (a: string, b: string) => number) {
  const compared = events.map(([kind, at]) => ({ kind, at, side: at === '0' ? 1 : order(version, at) }));
  const known = compared.filter(({ side }) => !Number.isNaN(side));
  const limits = compared.filter(({ kind, at }) => kind === 'limit' && at !== '*');
  if (limits.length > 0 && !limits.some(({ side }) => side < 0)) return false;
  known.sort(
    (a, b) => (a.at === '0' ? -1 : b.at === '0' ? 1 : order(a.at, b.at)) || rank(a.kind) - rank(b.kind),
  );
  let inside = false;
  for (const { kind, side } of known) {
    if (kind === 'introduced' && side >= 0) inside = true;
    if (kind === 'fixed' && side >= 0) inside = false;
    if (kind === 'last' && side > 0) inside = false;
  }
  return inside;
}

const rank = (kind: RangeEvent[0]): number => ['fixed', 'limit', 'introduced', 'last'].indexOf(kind);
