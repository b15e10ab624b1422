import type { Severity } from '../../../../lib/severity.ts';
import { formatCount } from '../../../../lib/text/format-count.ts';
import type { RawFinding } from '../../../findings/finding.ts';
import { type Ecosystem, familyOf } from '../ecosystem.ts';
import type { LockedPackage } from '../lockfile-reader.ts';
import rules from './package-rules.json' with { type: 'json' };
import type { PackageFacts } from './registry-answer.ts';
import type { NameResemblance } from './resemblance.ts';

export interface JudgedPackage {
  readonly path: string;
  readonly ecosystem: Ecosystem;
  readonly used: LockedPackage;
  readonly facts: PackageFacts | undefined;
  readonly resemblance: NameResemblance | undefined;
  /** Names of the registries that were asked. Set only if the user named a package without its registry. */
  readonly registries?: string;
}

type Words = Readonly<Record<string, string>>;

export const PACKAGE_RULE_IDS = Object.keys(rules).map((rule) => `packages/${rule}`);
const DAY_MS = 86_400_000;
const [NEW_PACKAGE_DAYS, VERY_NEW_DAYS, NEW_VERSION_DAYS, NEW_PUBLISHER_DAYS] = [30, 7, 3, 30];

/** Returns the findings about one package of a lockfile. `now` is in milliseconds since 1970. */
export function packageFindings(one: JudgedPackage, now: number): RawFinding[] {
  const { facts, resemblance, used } = one;
  const isAlike = resemblance !== undefined;
  const words = {
    alike: isAlike ? ` Its name resembles ${resemblance.famous}.` : '',
    famous: resemblance?.famous ?? '',
  };
  if (facts?.isThere === false)
    return [findingOf(one, 'does-not-exist', words, isAlike ? 'high' : undefined)];
  const found = [...ageFindings(one, words, now)];
  const isNew = found.some(({ id }) => id === 'packages/new');
  const { hasVersion, deprecated, yanked, installScript } = facts ?? {};
  if (isAlike && !resemblance.isWeak && !isNew)
    found.push(findingOf(one, 'resembles', words, installScript === undefined ? undefined : 'low'));
  if (hasVersion === false) found.push(findingOf(one, 'version-does-not-exist', words));
  if (deprecated !== undefined) {
    const severity = used.from === undefined ? undefined : 'info';
    found.push(findingOf(one, 'deprecated', { words: quoted(deprecated) }, severity));
  }
  if (yanked !== undefined) found.push(findingOf(one, 'yanked', { words: quoted(yanked) }));
  if (installScript !== undefined) found.push(findingOf(one, 'install-script', words));
  return found;
}

function* ageFindings(one: JudgedPackage, words: Words, now: number): Generator<RawFinding> {
  const { createdAt, publishedAt, newPublisher, installScript } = one.facts ?? {};
  const packageDays = daysSince(createdAt, now);
  const versionDays = daysSince(publishedAt, now);
  const published = dayOf(publishedAt);
  if (packageDays < NEW_PACKAGE_DAYS) {
    const severity = words.alike ? 'high' : packageDays < VERY_NEW_DAYS ? 'medium' : undefined;
    const age = formatCount(packageDays, 'day');
    yield findingOf(one, 'new', { ...words, created: dayOf(createdAt), age }, severity);
  } else if (versionDays < NEW_VERSION_DAYS)
    yield findingOf(one, 'new-version', { published, age: formatCount(versionDays, 'day') });
  if (newPublisher === undefined || versionDays >= NEW_PUBLISHER_DAYS) return;
  const isArmed = installScript === 'new';
  const script = isArmed ? ' It runs a script when it is installed, which the version before did not.' : '';
  const told = { published, publisher: newPublisher, script };
  yield findingOf(one, 'new-publisher', told, isArmed ? 'medium' : undefined);
}

function findingOf(
  { path, ecosystem, used, registries = familyOf(ecosystem) }: JudgedPackage,
  rule: keyof typeof rules,
  words: Words,
  severity?: Severity,
): RawFinding {
  const { name, version, line, development } = used;
  const written = rules[rule];
  const all: Readonly<Record<string, string>> = { name, version, registries, ...words };
  const fill = (text: string) => text.replace(/\{(\w{1,20})\}/g, (_, word: string) => all[word] ?? '');
  return {
    id: `packages/${rule}`,
    severity: severity ?? (written.severity as Severity),
    title: fill(written.title),
    description: fill(written.description),
    fix: fill(written.fix),
    path,
    line,
    development: development || undefined,
    cwe: [written.cwe],
    identity: `${ecosystem} ${name}`,
  };
}

const quoted = (words: string): string => (words === '' ? '' : `: "${words}"`);

const daysSince = (time: number | undefined, now: number): number =>
  time === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor((now - time) / DAY_MS));

const dayOf = (time: number | undefined): string =>
  time === undefined ? '' : new Date(time).toISOString().slice(0, 10);
