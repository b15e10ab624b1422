import { listOrEmpty, memberOf, textMemberOf } from '../../../../lib/json-members.ts';
import { SEVERITIES, type Severity } from '../../../../lib/severity.ts';
import { ecosystemOf } from '../ecosystem.ts';
import { type Advisory, type AffectedEntry, normalisePackageName, type RangeEvent } from './advisory.ts';

/** Maximum counts and lengths in one record. Real records stay below a tenth of these limits. */
const LIMITS = { aliases: 50, affected: 20_000, events: 2000, versions: 20_000, summary: 300, details: 600 };
const ID = /^[A-Za-z0-9][\w.:-]{0,99}$/;
const KINDS: ReadonlyMap<string, RangeEvent[0]> = new Map([
  ['introduced', 'introduced'],
  ['fixed', 'fixed'],
  ['last_affected', 'last'],
  ['limit', 'limit'],
]);
const LEVELS: ReadonlyMap<string, Severity> = new Map([
  ...SEVERITIES.map((severity): [string, Severity] => [severity, severity]),
  ['moderate', 'medium'],
  ['important', 'high'],
  ['negligible', 'low'],
]);

/** Parses an OSV record (https://ossf.github.io/osv-schema/). Undefined if it is withdrawn or invalid. */
export function readOsvRecord(record: unknown): Advisory | undefined {
  const id = textMemberOf(record, 'id');
  if (!isAdvisoryId(id) || textMemberOf(record, 'withdrawn') !== undefined) return undefined;
  const affected = listOrEmpty(memberOf(record, 'affected')).slice(0, LIMITS.affected).flatMap(readAffected);
  if (affected.length === 0) return undefined;
  const own = memberOf(record, 'database_specific');
  const specific = memberOf(listOrEmpty(memberOf(record, 'affected'))[0], 'ecosystem_specific');
  const summary = plain(textMemberOf(record, 'summary') ?? '', LIMITS.summary);
  const severities = [
    ...listOrEmpty(memberOf(record, 'severity')),
    ...listOrEmpty(memberOf(listOrEmpty(memberOf(record, 'affected'))[0], 'severity')),
  ];
  // A word such as `high` can be in three fields. Ubuntu's records have it in the field for the CVSS vector.
  const words = [
    textMemberOf(own, 'severity'),
    textMemberOf(specific, 'severity'),
    textMemberOf(severities[0], 'score'),
  ];
  const level = words.flatMap((word) => LEVELS.get(word?.toLowerCase() ?? '') ?? [])[0];
  return {
    id,
    aliases: aliasesOf(record).slice(0, LIMITS.aliases),
    summary,
    details: summary === '' ? plain(textMemberOf(record, 'details') ?? '', LIMITS.details) : '',
    vectors: severities.flatMap((one) => textMemberOf(one, 'score') ?? []).slice(0, 5),
    level,
    cwe: cweOf(own),
    malicious: id.startsWith('MAL-'),
    affected,
  };
}

/** Returns the aliases. If `upstream` has exactly one id, this id is an alias too, as in Ubuntu's records. */
function aliasesOf(record: unknown): string[] {
  const upstream = listOrEmpty(memberOf(record, 'upstream')).filter(isAdvisoryId);
  const aliases = listOrEmpty(memberOf(record, 'aliases')).filter(isAdvisoryId);
  return upstream.length === 1 ? [...new Set([...aliases, ...upstream])] : aliases;
}

export const isAdvisoryId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

function readAffected(one: unknown): AffectedEntry[] {
  const stated = memberOf(one, 'package');
  const name = textMemberOf(stated, 'name');
  const ecosystem = ecosystemOf(textMemberOf(stated, 'ecosystem') ?? '');
  if (!ecosystem || name === undefined || name.length > 300) return [];
  const ranges = listOrEmpty(memberOf(one, 'ranges'))
    .filter((range) => textMemberOf(range, 'type') !== 'GIT')
    .map((range) => listOrEmpty(memberOf(range, 'events')).slice(0, LIMITS.events).flatMap(readEvent))
    .filter((events) => events.length > 0);
  const versions = listOrEmpty(memberOf(one, 'versions')).filter(
    (version): version is string => typeof version === 'string' && version.length <= 200,
  );
  return [
    {
      ecosystem,
      name: normalisePackageName(ecosystem, name),
      ranges,
      versions: versions.slice(0, LIMITS.versions),
    },
  ];
}

function readEvent(event: unknown): RangeEvent[] {
  for (const [name, kind] of KINDS) {
    const version = textMemberOf(event, name);
    if (version !== undefined && version.length <= 200) return [[kind, version]];
  }
  return [];
}

function cweOf(own: unknown): string[] {
  const stated = [
    ...listOrEmpty(memberOf(own, 'cwe_ids')),
    ...listOrEmpty(memberOf(own, 'cwes')).map((one) => textMemberOf(one, 'cweId')),
  ];
  return [
    ...new Set(stated.filter((one): one is string => typeof one === 'string' && /^CWE-\d{1,5}$/.test(one))),
  ];
}

/** Returns the text as one line. Removes control characters, which a terminal could interpret. */
function plain(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most).replace(/\s\S*$/, '')} …`;
}
