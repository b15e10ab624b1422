import statuses from '../../lib/compliance/control-statuses.json' with { type: 'json' };
import { SEVERITIES } from '../../lib/severity.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { isCountedFinding } from '../assessing/assess.ts';
import {
  CONTROL_STATUSES,
  type ControlResult,
  type ControlStatus,
  computeShareByChecks,
  computeShareByPeople,
  type StandardResult,
  sumStatusCounts,
} from '../assessing/assessment.ts';
import type { AssessmentComparison } from '../assessing/comparison.ts';
import type { EvidenceProbe } from '../assessing/evidence.ts';
import type { Judgement, UsedAttestation } from '../attesting/attestation.ts';
import { formatAttester, formatGrounds, JUDGEMENT_WORDS } from '../attesting/attestation-words.ts';
import { TECHNOLOGY_TITLES } from '../evidence/technologies.ts';
import { formatSeal, type ReportData } from './report.ts';
import reportWords from './report-words.json' with { type: 'json' };
import { formatLocation, formatRiskCount, formatRiskRow, groupRisks } from './risks.ts';

export const COUNT_COLUMN_HEADS: readonly string[] = reportWords.countColumnHeads;
export const STATUS_WORDS: Readonly<Record<ControlStatus, string>> = statuses;

const MAX_SUMMARY_RISKS = 3;
const MAX_RISKS = 200;
const MAX_CHANGES = 50;
const MAX_PLACES = 3;

/** Results of a standard. `groups` has the controls that checks cover, `uncovered` those for people. */
export interface ReportChapter {
  readonly result: StandardResult;
  /** Says how many controls are in the appendix. */
  readonly note: string | undefined;
  readonly groups: readonly {
    readonly head: string;
    readonly controls: readonly (readonly [control: ControlResult, why: string])[];
  }[];
  readonly uncovered: readonly (readonly [group: string, controls: string])[];
}

export type ReportOutline = ReturnType<typeof buildReportOutline>;

export function buildReportOutline({ assessment, key, comparison }: ReportData) {
  const { id, createdAt, scope, subjects, standards, findings, looks, practices, version } = assessment;
  const { attestations = [] } = assessment;
  const counts = sumStatusCounts(standards.map((one) => one.counts));
  const total = CONTROL_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  const counting = findings.filter(isCountedFinding);
  const named = subjects.length > 1;
  const risks = groupRisks(standards, counting, named);
  const places = new Map(findings.map((one) => [one.fingerprint, formatLocation(one, named)]));
  const gaps = findSharedGaps(
    looks,
    standards.flatMap(({ controls }) => controls),
    subjects.length,
  );
  const why = (control: ControlResult) =>
    `${replaceGapsByNumbers(control.reason, gaps)}${placesOf(control, places)}`;
  const failed = standards.filter((one) => one.counts.fail > 0).length;
  const worst = SEVERITIES.find((severity) => counting.some((one) => one.severity === severity));
  return {
    title: 'Compliance report',
    subtitle: `${scope}, ${formatInstant(createdAt)}, check ${id}, by Magpie ${version}`,
    summary: [
      `Of ${total} controls of ${formatCount(standards.length, 'standard')}, ${checkedText(standards)}`,
      ...peopleText(attestations),
      ...looks.flatMap(({ what, ok, why }) =>
        what === 'attestations' && !ok ? [`No judgement counts of ${why}.`] : [],
      ),
      `For ${counts.no_findings}, checks searched for what would break them and found nothing, which is evidence and no proof; ${counts.not_applicable} do not apply to this scope.`,
      `${counts.manual} are left to a person, and ${counts.not_assessed} were not assessed because evidence is missing. None of these counts as passed.`,
      counting.length === 0
        ? 'No finding counts against any control.'
        : `${formatCount(counting.length, 'finding')} ${counting.length === 1 ? 'counts' : 'count'}, the worst of them ${worst}; ${failed} of ${formatCount(standards.length, 'standard')} ${failed === 1 ? 'has' : 'have'} failed controls.`,
      ...(risks.length > 0
        ? [`First: ${risks.slice(0, MAX_SUMMARY_RISKS).map(formatRiskCount).join('; ')}.`]
        : []),
      'A control passes only where each of its checks ran to its end in this scope and saw that it holds. It is evidence for an audit, not a certificate.',
    ],
    severities: SEVERITIES.map(
      (one) => [one, counting.filter(({ severity }) => severity === one).length] as const,
    ),
    standards,
    chapters: standards.map((result) => chapterOf(result, why)),
    risks: risks.slice(0, MAX_RISKS).map(formatRiskRow),
    moreRisks: Math.max(0, risks.length - MAX_RISKS),
    evidence: [
      ...subjects.map(({ name, kind, commit, from }) =>
        [`${kind} ${name}`, commit && `commit ${commit}`, from && `from ${from}`].filter(Boolean).join(', '),
      ),
      ...looks.map(
        ({ what, subject, at, ok, why, items }) =>
          `${gapOf(gaps, what, subject, why)}${what} in ${subject}: ${ok ? 'checked' : 'not checked to the end'}${items === undefined ? '' : `, ${formatCount(items, 'item')}`}, ${formatInstant(at)}${why ? ` (${why})` : ''}`,
      ),
      ...practices.map(
        ({ name, state, detail, subject }) =>
          `practice ${name} in ${subject}: ${state.replace('_', ' ')}, ${detail}`,
      ),
      ...(assessment.technologies ?? []).map(
        ({ name, state, detail, subject }) => `${TECHNOLOGY_TITLES[name]} in ${subject}: ${state}, ${detail}`,
      ),
    ],
    changes: comparison ? changesText(comparison) : [],
    judgements: attestations.map(judgementText),
    /** Explains marks in the report such as `(gap 1)`. Each mark stands for an area that a check skipped. */
    gaps: gaps.length > 0 ? GAPS : undefined,
    seal: formatSeal(key),
    sealed: [
      'Every byte of this file is covered by an Ed25519 signature, which stands in a file of its own beside it, with .sig after its name. The key is named below by the SHA-256 of its public half.',
      'Hold that against the public key that the maker of this report publishes, and check the file with `magpie compliance verify report --key key.pem`, or without Magpie: `openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in report -sigfile report.sig`.',
    ],
  };
}

const GAPS =
  'A check with a gap did not see everything: what it left out stands by that number under Evidence.';

function gapOf(gaps: readonly ReportGap[], what: string, subject: string, why: string | undefined): string {
  const at = gaps.findIndex(({ words }) => words === `${what} in ${subject} (${why})`);
  return at < 0 ? '' : `Gap ${at + 1}: `;
}

function changesText({ lacked, changes, appeared, gone, accepted, unknown }: AssessmentComparison): string[] {
  const shown = changes.slice(0, MAX_CHANGES).map(({ standard, control, before, now, reason }) => {
    const was = before ? STATUS_WORDS[before] : 'not there';
    return `${standard} ${control}: ${was} before, ${STATUS_WORDS[now]} now${reason ? ` (${reason})` : ''}`;
  });
  const more = changes.length - shown.length;
  const counted = [
    appeared.length > 0 && `${formatCount(appeared.length, 'finding')} appeared`,
    gone.length > 0 &&
      `${formatCount(gone.length, 'finding')} that counted before ${gone.length === 1 ? 'is' : 'are'} gone`,
    accepted.length > 0 &&
      `${formatCount(accepted.length, 'finding')} that counted before ${accepted.length === 1 ? 'is' : 'are'} accepted now`,
    unknown.length > 0 &&
      `${formatCount(unknown.length, 'finding')} cannot be compared, such as one ${unknown[0]?.reason}`,
  ];
  const notes = [...Map.groupBy(lacked, ({ since }) => since)].map(([since, of]) => {
    const names = of.map(({ standard }) => standard).join(', ');
    return since === undefined
      ? `${names}: checked for the first time in this scope`
      : `${names}: compared with the earlier check ${since}`;
  });
  return [
    ...notes,
    ...shown,
    ...(more > 0 ? [`and ${formatCount(more, 'control')} more`] : []),
    ...counted.filter((one) => one !== false),
  ];
}

function checkedText(standards: readonly StandardResult[]): string {
  const checked = standards.flatMap(({ controls }) => controls).filter(({ attestation }) => !attestation);
  const having = (wanted: ControlStatus) => checked.filter(({ status }) => status === wanted).length;
  const [passed, failed] = [having('pass'), having('fail')];
  return `checks judged ${passed + failed}: ${passed} passed and ${failed} failed.`;
}

function peopleText(attestations: readonly UsedAttestation[]): readonly string[] {
  if (attestations.length === 0) return [];
  const counting = attestations.filter(({ counts }) => counts);
  const having = (wanted: Judgement) => counting.filter(({ verdict }) => verdict === wanted).length;
  const idle = attestations.length - counting.length;
  const rest =
    idle === 0 ? '' : ` ${formatCount(idle, 'judgement')} of people ${idle === 1 ? 'does' : 'do'} not count.`;
  return [
    `People judged ${counting.length}: ${having('pass')} attested, ${having('exception')} excepted until a day, ${having('not_applicable')} not applicable, ${having('fail')} failed.${rest}`,
  ];
}

function judgementText(one: UsedAttestation): string {
  const outcome = one.counts ? 'counts' : `does not count: ${one.note}`;
  return `${one.standard} ${one.control}: ${JUDGEMENT_WORDS[one.verdict]}, ${formatAttester(one)}; ${outcome}. ${formatGrounds(one)}`;
}

function placesOf({ status, findings, found, at }: ControlResult, places: ReadonlyMap<string, string>) {
  if ((status !== 'fail' && status !== 'exception') || found === 0) return '';
  const shown = [...new Set(findings.flatMap((one) => places.get(one) ?? []))].slice(0, MAX_PLACES);
  const when = at === undefined ? '' : `, seen ${formatInstant(at)}`;
  return shown.length === 0 ? '' : `. At ${shown.join('; ')}${found > shown.length ? ' ...' : ''}${when}`;
}

export const formatInstant = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const formatPercent = (share: number): string => `${Math.round(share * 100)}%`;

export function formatCountRow(result: StandardResult): readonly string[] {
  const { standard, counts } = result;
  return [
    `${standard.title}, ${standard.edition}`,
    ...CONTROL_STATUSES.map((status) => String(counts[status])),
    formatPercent(computeShareByChecks(result)),
    formatPercent(computeShareByPeople(result)),
  ];
}

export const formatStatusCounts = ({ counts }: Pick<StandardResult, 'counts'>): string =>
  CONTROL_STATUSES.map((status) => `${counts[status]} ${STATUS_WORDS[status]}`).join(', ');

export const formatRequirement = ({ title, text }: ControlResult): string =>
  text ? `${title}: ${text}` : title;

function chapterOf(result: StandardResult, why: (control: ControlResult) => string): ReportChapter {
  const isCovered = ({ reach, attestation }: ControlResult) =>
    reach !== undefined || attestation !== undefined;
  const { covered = [], open = [] } = Object.groupBy(result.controls, (one) =>
    isCovered(one) ? 'covered' : 'open',
  );
  const groups = groupControls(covered).map(([group, of]) => {
    const listing = buildReportGroup(group, of, why);
    return { head: listing.head, controls: of.map((control) => [control, listing.why(control)] as const) };
  });
  const uncovered = groupControls(open).map(([group, of]) => [group, formatControlList(of)] as const);
  const verb = open.length === 1 ? 'is' : 'are';
  const note = `${formatCount(open.length, 'more control')} that no check covers ${verb} in the appendix.`;
  return { result, note: open.length > 0 ? note : undefined, groups, uncovered };
}

export const APPENDIX = {
  title: 'Appendix: controls for people',
  words:
    'No check covers these controls. People judge them by documents, settings and talks; the JSON form says for each where proof is usually found.',
} as const;

const formatControlList = (controls: readonly ControlResult[]): string =>
  `${controls.map(({ id, title }) => `${id} ${title.replace(/\.$/, '')}`).join('; ')}.`;

function groupControls(controls: readonly ControlResult[]) {
  return [...Map.groupBy(controls, ({ group }) => group)];
}

const ADVICE = /Inspect [^.]{1,300}\.(?= ?$)/;

function buildReportGroup(
  name: string,
  controls: readonly ControlResult[],
  why: (control: ControlResult) => string,
) {
  const advice = controls.map(({ reason }) => ADVICE.exec(reason)?.[0]);
  const counts = new Map<string, number>();
  for (const one of advice) if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [shared, count = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (shared === undefined || count < 2) return { head: name, why };
  return {
    head: `${name}. ${shared.replace(/\.$/, '')}, where nothing else is said.`,
    why: (control: ControlResult) => why(control).replace(shared, '').trim(),
  };
}

interface ReportGap {
  /** Words in the reasons of several controls, such as `infrastructure in shop (1 file of Travis CI, ...)`. */
  readonly words: string;
  /** Short form that replaces `words` in the report, for example `infrastructure (gap 1)`. */
  readonly short: string;
}

function findSharedGaps(
  looks: readonly Pick<EvidenceProbe, 'what' | 'subject' | 'why'>[],
  controls: readonly ControlResult[],
  subjects: number,
): readonly ReportGap[] {
  const shared = looks.flatMap(({ what, subject, why }) => {
    const words = why === undefined ? '' : `${what} in ${subject} (${why})`;
    const concerned = words === '' ? 0 : controls.filter(({ reason }) => reason.includes(words)).length;
    return concerned > 1 ? [{ words, name: subjects > 1 ? `${what} in ${subject}` : what }] : [];
  });
  return shared.map(({ words, name }, at) => ({ words, short: `${name} (gap ${at + 1})` }));
}

const replaceGapsByNumbers = (reason: string, gaps: readonly ReportGap[]): string =>
  gaps.reduce((text, { words, short }) => text.replaceAll(words, short), reason);
