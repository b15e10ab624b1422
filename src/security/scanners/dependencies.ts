import { setImmediate } from 'node:timers/promises';
import { AppError, asAppError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { PackageVersion, RawFinding } from '../findings/finding.ts';
import type { NamedPackage } from '../packages/named-package.ts';
import type { TreeScanContext, TreeScanner } from '../scans/scanner.ts';
import { fitsPart } from '../trees/glob.ts';
import type { Advisory, AdvisorySource } from './dependencies/advisories/advisory.ts';
import { isAffected } from './dependencies/advisories/affected-versions.ts';
import { type Ecosystem, familyOf } from './dependencies/ecosystem.ts';
import { findImports } from './dependencies/imports.ts';
import { componentsOf, type ReadLockfile, readLockfiles } from './dependencies/inventory.ts';
import { createLockfileParser } from './dependencies/lockfile-parser.ts';
import type { LockedPackage } from './dependencies/lockfile-reader.ts';
import { isUnsupportedInventory } from './dependencies/missing-lockfiles.ts';
import { readerOf } from './dependencies/parse.ts';
import type { PackageRegistries } from './dependencies/registries/ask-registries.ts';
import { judgePackages } from './dependencies/registries/judge-packages.ts';
import { groupByVulnerability, vulnerabilityFinding } from './dependencies/vulnerable.ts';

export interface DependenciesOptions {
  sources(): readonly AdvisorySource[];
  /** Patterns such as `@acme/*` for names of private packages. Matching names are not sent to advisory services. */
  readonly privateNames: readonly string[];
  /** Patterns for SPDX license ids that the user does not allow, such as `AGPL-*`. */
  readonly deniedLicenses?: readonly string[];
  registries?(): PackageRegistries | undefined;
  readonly fileMs?: number;
}

const OFFLINE = '; `magpie advisories update` makes a database that needs no network';

interface PackageQuestion extends PackageVersion {
  readonly ecosystem: Ecosystem;
  readonly advisories: Map<string, Advisory>;
}

export function createDependenciesScanner({
  sources,
  privateNames,
  deniedLicenses = [],
  registries,
  fileMs = 20_000,
}: DependenciesOptions): TreeScanner {
  const desk = createLockfileParser(fileMs);
  return {
    name: 'dependencies',
    dependencies: true,
    // Package databases that Magpie cannot read are included, so that the scan reports them as gaps.
    names: (path) => readerOf(path) !== undefined || isUnsupportedInventory(path),
    async scan(scan) {
      const { lockfiles, findings } = await readLockfiles(scan, desk);
      lockfiles.push(...(scan.tree.packages ?? []).map(aloneIn));
      for (const one of lockfiles) scan.uses(componentsOf(one));
      const isPrivate = (name: string) => privateNames.some((pattern) => fitsPart(pattern, name));
      const asked = packagesOf(lockfiles, isPrivate);
      const unasked = (scan.tree.packages ?? []).filter(({ name }) => isPrivate(name));
      if (unasked.length > 0) missPrivate(unasked, scan);
      const [judged] = await Promise.all([
        judgePackages(lockfiles, registries?.(), isPrivate, scan),
        ask(sources(), [...asked.values()], scan),
      ]);
      findings.push(...judged);
      const vulnerable = [...asked.values()].filter(({ advisories }) => advisories.size > 0);
      const byName = new Map(vulnerable.map((one) => [nameKey(one.ecosystem, one.name), one]));
      const imports = await findImports(scan.tree, byName, scan.signal);
      for (const lockfile of lockfiles) {
        for (const finding of vulnerabilitiesOf(lockfile, asked, imports)) findings.push(finding);
        if (deniedLicenses.length > 0) findings.push(...licenseFindings(lockfile, deniedLicenses));
        await setImmediate();
      }
      return findings;
    },
  };
}

function aloneIn({ ecosystem, name, version }: NamedPackage): ReadLockfile {
  const packages = [{ name, version, line: 1, asked: [], needs: [] }];
  return { path: ecosystem, ecosystem, packages };
}

function missPrivate([one]: readonly NamedPackage[], { miss }: TreeScanContext): void {
  const what = `advisories of ${one?.name} ${one?.version}: MAGPIE_PRIVATE_PACKAGES names it, so that no source was asked`;
  miss('advisories', what, 'the operator can take it out of that setting');
}

function packagesOf(lockfiles: readonly ReadLockfile[], isPrivate: (name: string) => boolean) {
  const asked = new Map<string, PackageQuestion>();
  for (const { ecosystem, packages } of lockfiles) {
    for (const { name, version, local, ecosystem: own = ecosystem } of packages) {
      const key = keyOf(own, name, version);
      if (local || asked.has(key) || isPrivate(name)) continue;
      asked.set(key, { ecosystem: own, name, version, advisories: new Map() });
    }
  }
  return asked;
}

async function ask(
  sources: readonly AdvisorySource[],
  packages: readonly PackageQuestion[],
  { signal, progress, miss, fail }: TreeScanContext,
): Promise<void> {
  for (const source of sources) {
    const covered = packages.filter(({ ecosystem }) => source.covers(ecosystem));
    if (covered.length === 0) continue;
    progress(`asking ${source.name} about ${formatCount(covered.length, 'package')}`);
    try {
      await source.findAdvisories(
        covered.map(({ ecosystem, name, version }) => ({ ecosystem, name, version })),
        {
          signal,
          found(index, advisory) {
            const one = covered[index];
            if (one && isAffected(advisory, one)) one.advisories.set(advisory.id, advisory);
          },
        },
      );
    } catch (thrown) {
      signal.throwIfAborted();
      const { message } = thrown instanceof AppError ? thrown : asAppError(thrown);
      fail(`${source.name} could not be asked: ${message}${OFFLINE}`);
    }
  }
  const ecosystems = [...new Set(packages.map(({ ecosystem }) => ecosystem))];
  for (const ecosystem of ecosystems) {
    const asked = sources.filter((source) => source.covers(ecosystem));
    // An outdated database is reported only if no up-to-date source covers the ecosystem.
    if (asked.length === 0 || asked.some(({ stale }) => stale?.has(familyOf(ecosystem)) !== true)) continue;
    const day = new Date(Math.max(...asked.map(({ stale }) => stale?.get(familyOf(ecosystem)) ?? 0)));
    miss(
      'advisories',
      `advisories of ${ecosystem} after ${day.toISOString().slice(0, 10)}: the database is older than MAGPIE_ADVISORIES_DAYS allows`,
      `run \`magpie advisories update ${flagsFor([ecosystem])}\``,
    );
  }
  const unknown = ecosystems.filter((one) => !sources.some((source) => source.covers(one)));
  if (unknown.length === 0) return;
  const update = `magpie advisories update ${flagsFor(unknown)}`;
  miss(
    'advisories',
    `packages of ${unknown.join(', ')}: no source of advisories that is switched on knows them`,
    `run \`${update}\`, or let OSV be asked: MAGPIE_ADVISORIES=osv`,
  );
}

function flagsFor(ecosystems: readonly Ecosystem[]): string {
  const names = [...new Set(ecosystems.map(familyOf))];
  return names.map((name) => `--ecosystem ${name.includes(' ') ? `"${name}"` : name}`).join(' ');
}

function* vulnerabilitiesOf(
  lockfile: ReadLockfile,
  asked: ReadonlyMap<string, PackageQuestion>,
  imports: Imports,
): Generator<RawFinding> {
  const reported = new Set<string>();
  for (const used of lockfile.packages) {
    const { ecosystem = lockfile.ecosystem } = used;
    const key = keyOf(ecosystem, used.name, used.version);
    const { advisories } = asked.get(key) ?? {};
    if (used.local || !advisories || advisories.size === 0 || reported.has(key)) continue;
    reported.add(key);
    for (const records of groupByVulnerability([...advisories.values()]))
      yield vulnerabilityFinding(
        { ...lockfile, ecosystem },
        used,
        records,
        importText(ecosystem, used, imports),
      );
  }
}

type Imports = Awaited<ReturnType<typeof findImports>>;

function importText(ecosystem: string, { name, direct }: LockedPackage, imports: Imports): string {
  const key = nameKey(ecosystem, name);
  const place = imports.get(key);
  if (place) {
    const more = place.files > 1 ? ` and ${formatCount(place.files - 1, 'more file', 'more files')}` : '';
    return ` It is imported in ${place.path}:${place.line}${more}.`;
  }
  return direct && imports.has(key) ? ' No file of the project imports it by its name.' : '';
}

const nameKey = (ecosystem: string, name: string): string => `${ecosystem} ${name}`;

const keyOf = (ecosystem: string, name: string, version: string): string => `${ecosystem} ${name} ${version}`;

const MAX_WORDS = 200;

function licenseFindings(
  { path, ecosystem, packages }: ReadLockfile,
  denied: readonly string[],
): RawFinding[] {
  const isDenied = (license: string) =>
    denied.some((pattern) => fitsPart(pattern.toLowerCase(), license.toLowerCase()));
  const seen = new Set<string>();
  return packages.flatMap(({ name, version, line, license, local, development }) => {
    if (license === undefined || local || seen.has(name) || !isLicenseDenied(license, isDenied)) return [];
    seen.add(name);
    return {
      id: 'licenses/denied',
      severity: 'medium',
      title: `License that is not accepted: ${name}`,
      description: `${name} ${version} is licensed under ${license.slice(0, 200)}, which MAGPIE_DENY_LICENSES names.`,
      fix: `Replace ${name}, or agree on another license with its authors.`,
      path,
      line,
      development: development || undefined,
      identity: `${ecosystem} ${name}`,
    };
  });
}

/** True if an SPDX expression requires a denied license. `A OR B` leaves a choice, `A AND B` requires both. */
function isLicenseDenied(expression: string, isDenied: (license: string) => boolean): boolean {
  const words = expression.replace(/[()]/g, ' $& ').split(/\s+/).filter(Boolean);
  if (words.length > MAX_WORDS) return isDenied(expression);
  let at = 0;
  const isNext = (word: string) => words[at]?.toUpperCase() === word;
  const join = (word: string, part: () => boolean, both: (a: boolean, b: boolean) => boolean) => {
    let all = part();
    while (isNext(word)) {
      at++;
      all = both(part(), all);
    }
    return all;
  };
  const one = (): boolean => {
    if (isNext('(')) {
      at++;
      const inner = any();
      if (isNext(')')) at++;
      return inner;
    }
    const license = words[at++] ?? '';
    // Skips the exception after `WITH`, because an exception only adds permissions to the license.
    if (isNext('WITH')) at += 2;
    return isDenied(license);
  };
  const all = () => join('AND', one, (a, b) => a || b);
  const any = (): boolean => join('OR', all, (a, b) => a && b);
  const must = any();
  return at < words.length ? isDenied(expression.trim()) : must;
}
