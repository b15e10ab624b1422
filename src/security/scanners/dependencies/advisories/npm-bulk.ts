import semver from 'semver';
import { upstreamError } from '../../../../errors.ts';
import { attempt } from '../../../../lib/attempt.ts';
import type { Advisory, AdvisorySource, RangeEvent } from './advisory.ts';
import { type AdvisoryServiceOptions, askJson } from './ask.ts';
import { readOsvRecord } from './osv-record.ts';

/** Maximum number of names in one request to npm's registry. The npm program sends all names at once. */
const MAX_NAMES_PER_REQUEST = 1000;
const MAX_ADVISORIES_PER_NAME = 1000;

export function createNpmBulk(options: Omit<AdvisoryServiceOptions, 'name'>): AdvisorySource {
  const ask = { ...options, name: "npm's registry" };
  return {
    name: ask.name,
    covers: (ecosystem) => ecosystem === 'npm',
    async findAdvisories(packages, { signal, found }) {
      const byName = Map.groupBy(
        packages.map((one, index) => ({ ...one, index })),
        ({ name }) => name,
      );
      const names = [...byName.keys()];
      for (let from = 0; from < names.length; from += MAX_NAMES_PER_REQUEST) {
        const batch = names.slice(from, from + MAX_NAMES_PER_REQUEST);
        const versionsOf = (name: string) => [...new Set(byName.get(name)?.map(({ version }) => version))];
        const body = Object.fromEntries(batch.map((name) => [name, versionsOf(name)]));
        const answer = await askJson(ask, '/-/npm/v1/security/advisories/bulk', signal, body);
        if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
          throw upstreamError(`${ask.name} answered something that is not a set of advisories`);
        }
        for (const [name, advisory] of advisoriesIn(answer)) {
          for (const { index } of byName.get(name) ?? []) found(index, advisory);
        }
      }
    },
  };
}

function* advisoriesIn(answer: object): Generator<[name: string, advisory: Advisory]> {
  for (const [name, list] of Object.entries(answer)) {
    if (!Array.isArray(list)) continue;
    for (const one of (list as unknown[]).slice(0, MAX_ADVISORIES_PER_NAME)) {
      const advisory = readBulk(name, one);
      if (advisory) yield [name, advisory];
    }
  }
}

function readBulk(name: string, one: unknown): Advisory | undefined {
  const { id, url, title, severity, vulnerable_versions, cwe, cvss } = (one ?? {}) as Record<string, unknown>;
  if (typeof vulnerable_versions !== 'string' || vulnerable_versions.length > 2000) return undefined;
  const known = typeof url === 'string' ? /GHSA(?:-[0-9a-z]{4}){3}/.exec(url)?.[0] : undefined;
  const { vectorString } = (cvss ?? {}) as Record<string, unknown>;
  const ranges = rangesOf(vulnerable_versions);
  const advisory = readOsvRecord({
    id:
      known ??
      `npm-${String(id)
        .replace(/[^\w.-]/g, '')
        .slice(0, 50)}`,
    summary: title,
    severity: typeof vectorString === 'string' ? [{ score: vectorString }] : [],
    database_specific: { severity, cwe_ids: cwe },
    affected: [{ package: { ecosystem: 'npm', name } }],
  });
  if (!advisory) return undefined;
  const malicious = /^(?:malware|malicious)\b/i.test(advisory.summary) || advisory.cwe.includes('CWE-506');
  return { ...advisory, malicious, affected: [{ ecosystem: 'npm', name, ranges, versions: [] }] };
}

function rangesOf(text: string): RangeEvent[][] {
  const range = attempt(() => new semver.Range(text, { loose: true, includePrerelease: true }));
  return (range?.set ?? []).slice(0, 200).map((alternative) => {
    let from: RangeEvent = ['introduced', '0'];
    const ends: RangeEvent[] = [];
    for (const { operator, semver: at } of alternative) {
      if (!(at instanceof semver.SemVer)) continue;
      if (operator === '>=') from = ['introduced', at.version];
      else if (operator === '>') from = ['introduced', next(at)];
      else if (operator === '<') ends.push(['fixed', at.version.replace(/-0$/, '')]);
      else if (operator === '<=') ends.push(['last', at.version]);
      else {
        from = ['introduced', at.version];
        ends.push(['last', at.version]);
      }
    }
    return [from, ...ends];
  });
}

const next = ({ major, minor, patch, prerelease, version }: semver.SemVer): string =>
  prerelease.length > 0 ? `${version}.0` : `${major}.${minor}.${patch + 1}-0`;
