import { formatCount } from '../../../../lib/text/format-count.ts';
import type { RawFinding } from '../../../findings/finding.ts';
import type { TreeScanContext } from '../../../scans/scanner.ts';
import type { ReadLockfile } from '../inventory.ts';
import type { AskedName, PackageRegistries } from './ask-registries.ts';
import { findForeignRegistries } from './foreign-registries.ts';
import { type JudgedPackage, packageFindings } from './package-findings.ts';
import type { PackageFacts } from './registry-answer.ts';
import { findResemblance, isFamousName } from './resemblance.ts';

/** Matches names that can be sent to registries. Other names, such as `../x`, could change the URL. */
const SENDABLE = /^@?\w[\w.~-]*(?:\/\w[\w.~-]*)?$/;

/** Finds suspicious packages by name and by facts from public registries. Private names are not sent. */
export async function judgePackages(
  lockfiles: readonly ReadLockfile[],
  registries: PackageRegistries | undefined,
  isPrivate: (name: string) => boolean,
  scan: TreeScanContext,
): Promise<RawFinding[]> {
  const { tree, signal, progress } = scan;
  const isForeign = await findForeignRegistries(tree, signal);
  let foreign = 0;
  const judged = lockfiles.flatMap(({ path, ecosystem: stated, packages }) =>
    packages.flatMap((used): JudgedPackage[] => {
      const ecosystem = used.ecosystem ?? stated;
      if (used.local || isPrivate(used.name)) return [];
      if (used.foreign || isForeign(ecosystem, used.name)) {
        foreign++;
        return [];
      }
      return [
        { path, ecosystem, used, facts: undefined, resemblance: findResemblance(ecosystem, used.name) },
      ];
    }),
  );
  const facts = new Map<string, PackageFacts>();
  if (registries) {
    const names = namesOf(judged, registries);
    if (foreign > 0)
      scan.leave(`facts about ${formatCount(foreign, 'package')} of other registries than the public ones`);
    if (names.length > 0) progress(`asking registries about ${formatCount(names.length, 'package')}`);
    await registries.findFacts(names, {
      signal,
      leave: scan.leave,
      miss: (what, fix) => scan.miss('advisories', what, fix),
      found: ({ ecosystem, name }, version, one) => facts.set(keyOf(ecosystem, name, version), one),
    });
  }
  const known = judged.map((one) => ({
    ...one,
    facts: facts.get(keyOf(one.ecosystem, one.used.name, one.used.version)),
  }));
  return findingsOf(tree.packages && tree.packages.length > 1 ? likelyOf(known) : known);
}

function namesOf(judged: readonly JudgedPackage[], registries: PackageRegistries): AskedName[] {
  const groups = Map.groupBy(
    judged.filter(({ ecosystem, used }) => registries.covers(ecosystem) && SENDABLE.test(used.name)),
    ({ ecosystem, used }) => `${ecosystem} ${used.name}`,
  );
  const rank = (group: readonly JudgedPackage[]) =>
    group.some(({ used }) => used.direct) ? 0 : group.some(({ resemblance }) => resemblance) ? 1 : 2;
  const named = [...groups.values()]
    .map((group) => ({ group, rank: rank(group) }))
    .sort((a, b) => a.rank - b.rank);
  return named.flatMap(({ group }) => {
    const [first] = group;
    if (!first) return [];
    const versions = [...new Set(group.map(({ used }) => used.version))];
    return [{ ecosystem: first.ecosystem, name: first.used.name, versions }];
  });
}

function likelyOf(known: readonly JudgedPackage[]): readonly JudgedPackage[] {
  const isFamous = known.some(({ ecosystem, used }) => isFamousName(ecosystem, used.name));
  const plain = known.map((one) => (isFamous ? { ...one, resemblance: undefined } : one));
  const there = plain.filter(({ facts }) => facts?.isThere);
  const right = there.filter(({ facts }) => facts?.hasVersion !== false);
  const [first] = plain;
  if (there.length > 0) return right.length > 0 ? right : there;
  if (!first || plain.some(({ facts }) => facts === undefined))
    return plain.filter(({ facts }) => facts === undefined);
  return [{ ...first, registries: plain.map(({ ecosystem }) => ecosystem).join(', ') }];
}

function findingsOf(known: readonly JudgedPackage[]): RawFinding[] {
  const now = Date.now();
  const seen = new Set<string>();
  return known.flatMap((one) =>
    packageFindings(one, now).filter(({ id, path, identity }) => {
      const key = `${path}\n${id} ${identity}`;
      return !seen.has(key) && seen.add(key);
    }),
  );
}

const keyOf = (ecosystem: string, name: string, version: string): string => `${ecosystem} ${name} ${version}`;
