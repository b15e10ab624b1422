import type { Assessment, ControlStatus } from './assessment.ts';
import { getCheckKind } from './checks.ts';
import type { AssessmentComparison, ControlChange, NewlyCheckedStandard } from './comparison.ts';
import type { EvidenceFinding } from './evidence.ts';

export function compareAssessments(
  before: Assessment,
  now: Assessment,
  others: readonly Assessment[] = [],
): AssessmentComparison {
  const [old, current] = [byPlace(before), byPlace(now)];
  const [missedThen, missedNow] = [createReach(before, now), createReach(now, before)];
  const [appeared, gone, accepted] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const unknown = new Map<string, string>();
  for (const [place, finding] of current) {
    if (finding.accepted !== undefined || old.has(place)) continue;
    const why = missedThen(finding);
    if (why === undefined) appeared.add(finding.fingerprint);
    else unknown.set(finding.fingerprint, `found now; then ${why}`);
  }
  for (const [place, finding] of old) {
    if (finding.accepted !== undefined) continue;
    const still = current.get(place);
    if (still?.accepted !== undefined) accepted.add(finding.fingerprint);
    if (still) continue;
    const why = missedNow(finding);
    if (why === undefined) gone.add(finding.fingerprint);
    else unknown.set(finding.fingerprint, `found then; now ${why}`);
  }
  return {
    since: before.id,
    ...changesOf([before, ...others], now),
    appeared: [...appeared],
    gone: [...gone],
    accepted: [...accepted],
    unknown: [...unknown].map(([fingerprint, reason]) => ({ fingerprint, reason })),
  };
}

function changesOf(earlier: readonly Assessment[], now: Assessment) {
  const lacked: NewlyCheckedStandard[] = [];
  const changes: ControlChange[] = [];
  for (const { standard, controls } of now.standards) {
    const has = (one: Assessment) => one.standards.find((result) => result.standard.id === standard.id);
    const from = earlier.find(has);
    if (from !== earlier[0]) lacked.push({ standard: standard.id, since: from?.id });
    if (!from) continue;
    const then = new Map(has(from)?.controls.map(({ id, status }) => [id, status]));
    for (const { id, title, status, reason } of controls) {
      const before = then.get(id);
      if (before === status) continue;
      const lost = before !== undefined && !isOpen(before) && isOpen(status);
      changes.push({
        standard: standard.id,
        control: id,
        title,
        now: status,
        before,
        reason: lost ? reason : undefined,
      });
    }
  }
  return { lacked, changes };
}

const isOpen = (status: ControlStatus): boolean => status === 'manual' || status === 'not_assessed';

function byPlace({ findings }: Assessment): Map<string, EvidenceFinding> {
  const all = new Map<string, EvidenceFinding>();
  for (const finding of findings) {
    const place = `${finding.subject} ${finding.fingerprint}`;
    const known = all.get(place);
    if (!known || known.accepted !== undefined) all.set(place, finding);
  }
  return all;
}

function createReach(check: Assessment, other: Assessment): (finding: EvidenceFinding) => string | undefined {
  const subjects = new Set(check.subjects.map(({ name }) => name));
  const looks = Map.groupBy(check.looks, ({ what, subject }) => `${what} ${subject}`);
  // If both assessments skipped the same area, that gap does not explain a difference between them.
  const gaps = Map.groupBy(
    other.looks.filter(({ partly }) => partly),
    ({ what, subject }) => `${what} ${subject}`,
  );
  const deep = new Set(
    other.looks.flatMap(({ what, subject, deep: far }) => (far ? [`${what} ${subject}`] : [])),
  );
  return ({ rule, subject, location }) => {
    const what = getCheckKind(rule);
    const place = `${what} ${subject}`;
    if (!subjects.has(subject)) return `${subject} was not checked`;
    const done = looks.get(place);
    if (!done) return `${subject} was not checked for ${what}`;
    const broken = done.find(({ ok }) => !ok);
    if (broken) return `the check of ${subject} for ${what} did not finish (${broken.why ?? 'it failed'})`;
    if (deep.has(place) && !done.every(({ deep: far }) => far === true)) {
      return `the scan of ${subject} for ${what} was not a deep one`;
    }
    const gap = done.find(({ partly }) => partly)?.why;
    if (gap !== undefined && !gaps.get(place)?.some(({ why }) => why === gap)) {
      return `${subject} was not checked everywhere for ${what} (${gap})`;
    }
    const path = location.replace(/:\d+$/, '');
    if (done.some(({ why }) => why?.includes(`${path}: `))) return `${path} was not scanned to its end`;
    return undefined;
  };
}
