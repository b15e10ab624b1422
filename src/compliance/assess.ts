import { SEVERITIES, type Severity } from '../lib/severity.ts';
import type { ControlResult, StandardResult, Status } from './assessment.ts';
import type { Catalogue, Control, Coverage } from './catalogue.ts';
import { checksOf, kindOf, looksAtRepositories, wordsOf } from './checks.ts';
import type { Evidence, EvidenceFinding, Practice, Probe } from './evidence.ts';
import { lookAt } from './look-at.ts';

/** Most fingerprints under one control. */
const FINGERPRINTS = 100;

/** Evidence in the order in which controls ask for it: made once for all standards. */
interface Index {
  readonly evidence: Evidence;
  readonly byRule: ReadonlyMap<string, readonly EvidenceFinding[]>;
  readonly byKind: ReadonlyMap<string, readonly EvidenceFinding[]>;
  readonly byCwe: ReadonlyMap<string, readonly EvidenceFinding[]>;
  readonly rank: ReadonlyMap<EvidenceFinding, number>;
  readonly looks: ReadonlyMap<string, readonly Probe[]>;
  readonly practices: ReadonlyMap<string, readonly Practice[]>;
}

/**
 * What the evidence says of every control of each standard. A control passes only when each of its checks was looked
 * for, to the end, in every subject of its kind, and none found anything that counts.
 */
export async function assess(
  catalogues: readonly Catalogue[],
  evidence: Evidence,
): Promise<readonly StandardResult[]> {
  const index = indexOf(evidence);
  return Promise.all(
    catalogues.map(async ({ controls, ...standard }) => {
      const results = (await controls()).map((control) => judge(control, index));
      const counts: Record<Status, number> = { pass: 0, fail: 0, manual: 0, not_assessed: 0 };
      for (const { status } of results) counts[status]++;
      return { standard, counts, total: results.length, controls: results };
    }),
  );
}

function indexOf(evidence: Evidence): Index {
  const worstFirst = [...evidence.findings].sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
  const byCwe = new Map<string, EvidenceFinding[]>();
  for (const finding of worstFirst) {
    // A weakness in a package is no weakness of the code that uses it.
    if (kindOf(finding.rule) === 'dependencies') continue;
    for (const one of finding.cwe) grow(byCwe, one, finding);
  }
  return {
    evidence,
    byCwe,
    byRule: grouped(worstFirst, ({ rule }) => rule),
    byKind: grouped(worstFirst, ({ rule }) => kindOf(rule)),
    rank: new Map(worstFirst.map((finding, at) => [finding, at])),
    looks: grouped(evidence.looks, ({ what }) => what),
    practices: grouped(evidence.practices, ({ name }) => name),
  };
}

function judge({ coverage, text, ...control }: Control, index: Index): ControlResult {
  if (!coverage) return result(control, 'manual', `No check covers this. ${lookAt(control.title)}`);
  const { ids, cwe } = checksOf(coverage);
  const matching = findingsOf(ids, cwe, index);
  const counting = matching.filter(({ accepted }) => accepted === undefined);
  const seen = ids.map((id) => ({ kind: kindOf(id), ...stateOf(id, index) }));
  // A weakness may have been found by a check that the control does not name.
  const kinds = new Set(counting.map(({ rule }) => kindOf(rule)));
  const looks = [...kinds].flatMap((kind) => index.looks.get(kind) ?? []);
  const at = Math.max(0, ...[...seen, ...looks].map((one) => one.at));
  const told = {
    reach: coverage.reach,
    checks: [...ids, ...cwe],
    findings: [...new Set(counting.slice(0, FINGERPRINTS).map(({ fingerprint }) => fingerprint))],
    found: counting.length,
    accepted: matching.length - counting.length,
    severity: counting[0] ? counting[0].severity : undefined,
    at: at > 0 ? at : undefined,
  };
  const missing = seen.filter(({ state }) => state === 'missing');
  if (counting.length > 0) {
    return { ...result(control, 'fail', failure(counting)), ...told, ...(text && { text }) };
  }
  if (coverage.reach === 'whole' && missing.length > 0) {
    const why = missing.map((one) => one.why).join('; ');
    return { ...result(control, 'fail', why), ...told, ...(text && { text }) };
  }
  if (seen.length === 0 && !CODE.some((kind) => index.looks.get(kind)?.some(isDone))) {
    return {
      ...result(control, 'not_assessed', 'Not looked for: no code was searched in this scope'),
      ...told,
    };
  }
  return { ...result(control, ...unfailed(control, coverage, seen)), ...told };
}

/** Kinds whose findings tell of weaknesses by their number. */
const CODE = ['source', 'infrastructure', 'secrets'];

function isDone({ ok, items }: Probe): boolean {
  return ok && items !== 0;
}

/** Status and reason where nothing speaks against the control. */
function unfailed(
  { title }: Pick<Control, 'title'>,
  coverage: Coverage,
  seen: readonly (Seen & { readonly kind: string })[],
): [status: Status, reason: string] {
  const names = wordsOf(coverage).join(', ');
  const absent = [...new Set(seen.filter(({ state }) => state === 'unseen').map(({ why }) => why))];
  const partly = [...new Set(seen.filter(({ state }) => state === 'partly').map(({ why }) => why))];
  const looked = seen.filter(({ state }) => state !== 'unseen' && state !== 'empty');
  if (seen.length === 0)
    return [
      'manual',
      `No check looks for this, and nothing was found that speaks against it. ${lookAt(title)}`,
    ];
  if (coverage.reach === 'whole') {
    if (absent.length > 0) return ['not_assessed', `Not looked for: ${absent.join('; ')}`];
    if (partly.length > 0) return ['not_assessed', `Not looked for everywhere: ${partly.join('; ')}`];
    // A Dockerfile alone says nothing of injection in code: rules of such files only add to others.
    const main = seen.filter(({ kind }) => kind !== 'infrastructure');
    if (!(main.length > 0 ? main : seen).some((one) => looked.includes(one)))
      return ['not_assessed', 'There is nothing in this scope that its checks look at'];
    return ['pass', passed(names, seen)];
  }
  if (looked.length === 0) {
    const why =
      absent.length > 0 ? absent.join('; ') : 'there is nothing in this scope that its checks look at';
    return ['not_assessed', `Not looked for: ${why}`];
  }
  const gone = seen.filter(({ state }) => state === 'missing').map(({ why }) => why);
  const parts = [
    `Checks see a part of this (${names}), and found nothing against it.`,
    ...(gone.length > 0 ? [`Missing: ${gone.join('; ')}.`] : []),
    ...(absent.length > 0 ? [`Not looked for: ${absent.join('; ')}.`] : []),
    ...(partly.length > 0 ? [`Not looked for everywhere: ${partly.join('; ')}.`] : []),
    lookAt(title),
  ];
  return ['manual', parts.join(' ')];
}

function passed(names: string, seen: readonly Seen[]): string {
  const shown = seen.filter(({ state, why }) => state === 'clean' && why !== '').map(({ why }) => why);
  const rules = seen.some(({ state, why }) => state === 'clean' && why === '');
  const found = rules ? [`Looked for ${names}: nothing speaks against it`] : [];
  const notes = [...new Set(seen.flatMap(({ note }) => note ?? []))];
  return [
    ...found,
    ...(shown.length > 0 ? [`Seen: ${shown.join(', ')}`] : []),
    ...(notes.length > 0 ? [`Left out: ${few(notes)}`] : []),
  ].join('. ');
}

/** What became of one check in this scope. */
interface Seen {
  /** `empty`: there was nothing for it to look at; `missing`: a practice is not kept. */
  readonly state: 'clean' | 'missing' | 'empty' | 'unseen' | 'partly';
  /** Why it is so; what was seen of a practice that is kept. */
  readonly why: string;
  /** What was left out where it was looked. */
  readonly note?: string;
  /** In milliseconds; 0 where it was not looked. */
  readonly at: number;
}

function stateOf(id: string, { evidence, looks, practices }: Index): Seen {
  const kind = kindOf(id);
  const wanted = looksAtRepositories(kind) ? 'repository' : 'infrastructure';
  const those = evidence.subjects.filter((subject) => subject.kind === wanted);
  const subjects = those.map(({ name }) => name);
  if (subjects.length === 0) return { state: 'unseen', why: `${kind} (the scope has no ${wanted})`, at: 0 };
  if (kind === 'practice') {
    const name = id.slice('practice/'.length);
    const states = practices.get(name) ?? [];
    const at = Math.max(0, ...states.map((one) => one.at));
    const without = subjects.filter((subject) => !states.some((one) => one.subject === subject));
    if (without.length > 0) {
      const failed = (looks.get('practice') ?? []).find(({ ok, why }) => !ok && why !== undefined);
      return { state: 'unseen', why: `${name} in ${few(without)}${failed ? ` (${failed.why})` : ''}`, at };
    }
    const bad = states.find(({ state }) => state === 'missing');
    if (bad) return { state: 'missing', why: bad.detail, at };
    const kept = states.find(({ state }) => state === 'kept');
    return { state: kept ? 'clean' : 'empty', why: kept?.detail ?? '', at };
  }
  const done = looks.get(kind) ?? [];
  const at = Math.max(0, ...done.map((one) => one.at));
  const broken = done.find(({ ok }) => !ok);
  if (broken)
    return { state: 'unseen', why: `${kind} in ${broken.subject} (${broken.why ?? 'it failed'})`, at };
  const without = subjects.filter((subject) => !done.some((one) => one.subject === subject));
  if (without.length > 0) {
    const trouble = those.find((one) => one.trouble !== undefined && without.includes(one.name))?.trouble;
    return { state: 'unseen', why: `${kind} in ${few(without)}${trouble ? ` (${trouble})` : ''}`, at };
  }
  const nothing = done.every(({ items }) => items === 0);
  const open = done.find(({ partly }) => partly);
  if (open) {
    const why = `${kind} in ${open.subject} (${open.why ?? 'a part of it'})`;
    return { state: nothing ? 'unseen' : 'partly', why, at };
  }
  const note = done.find(({ why }) => why !== undefined)?.why;
  return { state: nothing ? 'empty' : 'clean', why: '', at, note };
}

/** Those that match a check or a weakness, each once, worst first. */
function findingsOf(ids: readonly string[], cwe: ReadonlySet<string>, index: Index): EvidenceFinding[] {
  const found = new Set<EvidenceFinding>();
  for (const id of ids) {
    const of = id.endsWith('/*') ? index.byKind.get(kindOf(id)) : index.byRule.get(id);
    for (const finding of of ?? []) found.add(finding);
  }
  for (const one of cwe) for (const finding of index.byCwe.get(one) ?? []) found.add(finding);
  const rank = (finding: EvidenceFinding) => index.rank.get(finding) ?? 0;
  return [...found].sort((a, b) => rank(a) - rank(b));
}

function failure(counting: readonly EvidenceFinding[]): string {
  const titles = [...new Set(counting.map(({ title }) => title))];
  const counts = new Map<Severity, number>();
  for (const { severity } of counting) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  const how = [...counts].map(([severity, count]) => `${count} ${severity}`).join(', ');
  return `${counting.length === 1 ? '1 finding' : `${counting.length} findings`} (${how}): ${few(titles)}`;
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function result(
  control: Pick<Control, 'id' | 'title' | 'group'>,
  status: Status,
  reason: string,
): ControlResult {
  return { ...control, status, reason, checks: [], findings: [], found: 0, accepted: 0 };
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) grow(groups, keyOf(item), item);
  return groups;
}

function grow<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}
