import type { Severity } from '../../lib/severity.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { inspectionAdvice } from '../evidence/inspection-advice.ts';
import { TECHNOLOGY_BY_CHECK, TECHNOLOGY_TITLES } from '../evidence/technologies.ts';
import { type ControlResult, type ControlStatus, countStatuses, type StandardResult } from './assessment.ts';
import type { ComplianceControl, ControlCatalogue, ControlCoverage } from './catalogue.ts';
import {
  getCheckKind,
  isConclusiveCheck,
  isRepositoryKind,
  listCheckTitles,
  resolveControlChecks,
} from './checks.ts';
import type {
  Evidence,
  EvidenceFinding,
  EvidenceProbe,
  EvidenceSubject,
  RepositoryPractice,
} from './evidence.ts';
import { type EvidenceIndex, findMatchingFindings, indexEvidence } from './evidence-index.ts';

const MAX_FINGERPRINTS = 100;
const CODE_KINDS = ['source', 'infrastructure', 'secrets'];
const NOTHING_TO_CHECK = 'this scope has nothing that its checks apply to';
const NO_PROOF = 'That is evidence, not proof.';

/** A control passes only if all its checks finished and found no violation. */
export async function assessControls(
  catalogues: readonly ControlCatalogue[],
  evidence: Evidence,
): Promise<readonly StandardResult[]> {
  const index = indexEvidence(evidence);
  return Promise.all(
    catalogues.map(async ({ controls, ...standard }) => {
      const results = (await controls()).map((control) => judge(control, index));
      return { standard, counts: countStatuses(results), total: results.length, controls: results };
    }),
  );
}

function judge({ coverage, text, ...control }: ComplianceControl, index: EvidenceIndex): ControlResult {
  if (!coverage) {
    const reason = `No check covers this. ${inspectionAdvice(control.title)}`;
    return { ...control, status: 'manual', reason, checks: [], findings: [], found: 0, accepted: 0 };
  }
  const checks = resolveControlChecks(coverage);
  const { ids } = checks;
  const matching = findMatchingFindings(checks, index);
  const counting = matching.filter(isCountedFinding);
  const states = ids.map((id) => computeCheckState(id, index));
  const accepted = matching.filter((one) => one.accepted !== undefined).length;
  const [status, reason] = verdictOf({
    title: control.title,
    coverage,
    ids,
    counting,
    accepted,
    states,
    index,
  });
  const at = newestEvidence(counting, states, index);
  return {
    ...control,
    status,
    reason,
    text: status === 'fail' ? text || undefined : undefined,
    reach: coverage.reach,
    checks: [...new Set([...ids, ...checks.cwe, ...checks.foreignCwe])],
    findings: [...new Set(counting.slice(0, MAX_FINGERPRINTS).map(({ fingerprint }) => fingerprint))],
    found: counting.length,
    accepted,
    severity: counting[0]?.severity,
    at: at > 0 ? at : undefined,
  };
}

function newestEvidence(
  counting: readonly EvidenceFinding[],
  states: readonly CheckState[],
  { probes }: EvidenceIndex,
): number {
  const kinds = new Set(counting.map(({ rule }) => getCheckKind(rule)));
  const others = [...kinds].flatMap((kind) => probes.get(kind) ?? []);
  return Math.max(0, ...[...states, ...others].map(({ at }) => at));
}

export const isCountedFinding = ({ accepted, severity }: EvidenceFinding): boolean =>
  accepted === undefined && severity !== 'info';

type Verdict = readonly [status: ControlStatus, reason: string];

interface Matter {
  readonly title: string;
  readonly coverage: ControlCoverage;
  readonly ids: readonly string[];
  readonly counting: readonly EvidenceFinding[];
  readonly accepted: number;
  readonly states: readonly CheckState[];
  readonly index: EvidenceIndex;
}

function verdictOf(matter: Matter): Verdict {
  const { title, coverage, counting, states, index } = matter;
  if (counting.length > 0) return ['fail', failureReason(counting)];
  const missing = reasonsOf(states, 'missing');
  if (coverage.reach === 'whole' && missing.length > 0) return ['fail', missing.join('; ')];
  if (states.length === 0) {
    return CODE_KINDS.some((kind) => index.probes.get(kind)?.some(({ ok, items }) => ok && items !== 0))
      ? [
          'manual',
          `No check covers this directly, and no finding counts against it. ${inspectionAdvice(title)}`,
        ]
      : ['not_assessed', 'Not checked: no code was scanned in this scope'];
  }
  return coverage.reach === 'whole' ? wholeVerdict(matter) : partVerdict(title, coverage, states);
}

/** Returns the verdict if there are no findings and the checks cover the whole requirement. */
function wholeVerdict({ title, coverage, ids, accepted, states, index }: Matter): Verdict {
  const unseen = reasonsOf(states, 'unseen');
  if (unseen.length > 0) return ['not_assessed', `Not checked: ${unseen.join('; ')}`];
  const partly = reasonsOf(states, 'partly');
  if (partly.length > 0) return ['not_assessed', `Not checked everywhere: ${partly.join('; ')}`];
  // Infrastructure files count only if no other kind of check applies, because they are not program code.
  const main = states.filter(({ kind }) => kind !== 'infrastructure');
  if ((main.length > 0 ? main : states).every(({ state }) => state === 'empty')) {
    return ['not_applicable', `Nothing to check: ${NOTHING_TO_CHECK}`];
  }
  const lacking = accepted === 0 ? absentIn(ids, index) : undefined;
  if (lacking !== undefined) return ['not_applicable', lacking];
  const clean = states.filter(({ state }) => state === 'clean');
  const reason = [
    cleanReason(listCheckTitles(coverage).join(', '), states),
    ...(accepted > 0 ? [`Accepted, and not counted: ${formatCount(accepted, 'finding')}`] : []),
  ].join('. ');
  return clean.every(({ shows }) => shows)
    ? ['pass', reason]
    : ['no_findings', `${reason}. ${NO_PROOF} ${inspectionAdvice(title)}`];
}

function absentIn(ids: readonly string[], { evidence }: EvidenceIndex): string | undefined {
  const { subjects, technologies = [] } = evidence;
  const main = ids.filter((id) => getCheckKind(id) !== 'infrastructure');
  const names = new Set(main.map((id) => TECHNOLOGY_BY_CHECK.get(id)));
  const repositories = subjects.filter(({ kind }) => kind === 'repository');
  const details = [...names].flatMap((wanted) =>
    repositories.map(({ name }) =>
      technologies.find((one) => one.name === wanted && one.subject === name && one.state === 'absent'),
    ),
  );
  if (details.length === 0 || details.includes(undefined)) return undefined;
  const words = [...names].flatMap((name) => (name === undefined ? [] : TECHNOLOGY_TITLES[name])).join(', ');
  const where = formatFirstNames([...new Set(details.flatMap((one) => one?.detail ?? []))]);
  return `Nothing to check: no use of ${words} was seen (${where})`;
}

function partVerdict(title: string, coverage: ControlCoverage, states: readonly CheckState[]): Verdict {
  const unseen = reasonsOf(states, 'unseen');
  if (states.every(({ state }) => state === 'unseen' || state === 'empty')) {
    return ['not_assessed', `Not checked: ${unseen.length > 0 ? unseen.join('; ') : NOTHING_TO_CHECK}`];
  }
  const sentence = (label: string, reasons: readonly string[]) =>
    reasons.length > 0 ? [`${label}: ${reasons.join('; ')}.`] : [];
  const parts = [
    `Checks cover a part of this (${listCheckTitles(coverage).join(', ')}) and found nothing against it.`,
    ...sentence('Missing', reasonsOf(states, 'missing')),
    ...sentence('Not checked', unseen),
    ...sentence('Not checked everywhere', reasonsOf(states, 'partly')),
    inspectionAdvice(title),
  ];
  return ['manual', parts.join(' ')];
}

function reasonsOf(states: readonly CheckState[], wanted: CheckState['state']): readonly string[] {
  return [...new Set(states.filter(({ state }) => state === wanted).map(({ why }) => why))];
}

const ITEMS: Readonly<Record<string, string>> = {
  secrets: 'file',
  source: 'file',
  infrastructure: 'file',
  dependencies: 'package',
};

/** Returns how much was examined, for example ` in 12 files and 3 targets`. */
function extentOf(states: readonly CheckState[]): string {
  const most = new Map<string, number>();
  for (const { kind, items = 0 } of states) {
    const noun = ITEMS[kind] ?? 'target';
    most.set(noun, Math.max(most.get(noun) ?? 0, items));
  }
  const known = [...most].filter(([, count]) => count > 0);
  return known.length === 0
    ? ''
    : ` in ${known.map(([noun, count]) => formatCount(count, noun)).join(' and ')}`;
}

function cleanReason(names: string, states: readonly CheckState[]): string {
  const clean = states.filter(({ state }) => state === 'clean');
  const shown = clean.map(({ why }) => why).filter((why) => why !== '');
  const notes = [...new Set(states.flatMap(({ note }) => note ?? []))];
  return [
    ...(clean.some(({ why }) => why === '')
      ? [`Checked for ${names}${extentOf(clean)}: no finding counts against it`]
      : []),
    ...(shown.length > 0 ? [`Seen: ${shown.join(', ')}`] : []),
    ...(notes.length > 0 ? [`Left out: ${formatFirstNames(notes)}`] : []),
  ].join('. ');
}

function failureReason(counting: readonly EvidenceFinding[]): string {
  const titles = [...new Set(counting.map(({ title }) => title))];
  const counts = new Map<Severity, number>();
  for (const { severity } of counting) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  const how = [...counts].map(([severity, count]) => `${count} ${severity}`).join(', ');
  const findings = counting.length === 1 ? '1 finding' : `${counting.length} findings`;
  return `${findings} (${how}): ${formatFirstNames(titles)}`;
}

interface CheckState {
  readonly kind: string;
  /** True if an empty result of this check proves that the requirement is met. */
  readonly shows: boolean;
  /** `missing`: practice not followed. `empty`: nothing to check. `unseen`: not checked. `partly`: in part. */
  readonly state: 'clean' | 'missing' | 'empty' | 'unseen' | 'partly';
  readonly why: string;
  readonly note?: string;
  readonly items?: number;
  /** Milliseconds since the epoch, or 0 if the check did not run. */
  readonly at: number;
}

type Outcome = Omit<CheckState, 'kind' | 'shows'>;

function computeCheckState(id: string, index: EvidenceIndex): CheckState {
  const kind = getCheckKind(id);
  const shows = isConclusiveCheck(id);
  const wanted = isRepositoryKind(kind) ? 'repository' : 'infrastructure';
  const subjects = index.evidence.subjects.filter((subject) => subject.kind === wanted);
  if (subjects.length === 0) {
    return { kind, shows, state: 'unseen', why: `${kind} (the scope has no ${wanted})`, at: 0 };
  }
  const found =
    kind === 'practice'
      ? practiceState(id.slice('practice/'.length), subjects, index)
      : probeState(kind, subjects, index.probes.get(kind) ?? []);
  return { ...found, kind, shows };
}

function practiceState(
  name: string,
  subjects: readonly EvidenceSubject[],
  { probes, practices }: EvidenceIndex,
): Outcome {
  const states = practices.get(name) ?? [];
  const at = newest(states);
  const unseen = without(subjects, states);
  if (unseen.length > 0) {
    const failed = (probes.get('practice') ?? []).find(({ ok, why }) => !ok && why !== undefined);
    const why = `${name} in ${formatFirstNames(unseen)}${failed ? ` (${failed.why})` : ''}`;
    return { state: 'unseen', why, at };
  }
  const stateIs = (wanted: RepositoryPractice['state']) => states.find(({ state }) => state === wanted);
  const missing = stateIs('missing');
  if (missing) return { state: 'missing', why: missing.detail, at };
  const kept = stateIs('kept');
  return { state: kept ? 'clean' : 'empty', why: kept?.detail ?? '', at };
}

function probeState(
  kind: string,
  subjects: readonly EvidenceSubject[],
  probes: readonly EvidenceProbe[],
): Outcome {
  const at = newest(probes);
  const failed = probes.find(({ ok }) => !ok);
  if (failed) {
    const why = `${kind} in ${failed.subject} (${failed.why ?? 'it failed'})`;
    return { state: 'unseen', why, at };
  }
  const unseen = without(subjects, probes);
  if (unseen.length > 0) {
    const trouble = subjects.find((one) => one.trouble !== undefined && unseen.includes(one.name))?.trouble;
    const why = `${kind} in ${formatFirstNames(unseen)}${trouble ? ` (${trouble})` : ''}`;
    return { state: 'unseen', why, at };
  }
  const isEmpty = probes.every(({ items }) => items === 0);
  const partial = probes.find(({ partly }) => partly);
  if (partial) {
    const why = `${kind} in ${partial.subject} (${partial.why ?? 'a part of it'})`;
    return { state: isEmpty ? 'unseen' : 'partly', why, at };
  }
  const note = probes.find(({ why }) => why !== undefined)?.why;
  const items = probes.every((one) => one.items !== undefined)
    ? probes.reduce((sum, one) => sum + (one.items ?? 0), 0)
    : undefined;
  return { state: isEmpty ? 'empty' : 'clean', why: '', at, note, items };
}

const without = (subjects: readonly EvidenceSubject[], known: readonly { readonly subject: string }[]) =>
  subjects.map(({ name }) => name).filter((name) => !known.some(({ subject }) => subject === name));

function newest(items: readonly { readonly at: number }[]): number {
  return Math.max(0, ...items.map(({ at }) => at));
}

function formatFirstNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
