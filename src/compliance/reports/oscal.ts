import { createHash } from 'node:crypto';
import { formatCount } from '../../lib/text/format-count.ts';
import type { Assessment, ControlResult, ControlStatus, StandardResult } from '../assessing/assessment.ts';
import type { UsedAttestation } from '../attesting/attestation.ts';
import { formatAttester, JUDGEMENT_WORDS } from '../attesting/attestation-words.ts';
import { STATUS_WORDS } from './outline.ts';
import { formatSeal, type ReportData } from './report.ts';

/** Version of OSCAL. Tests validate reports with NIST's JSON schemas, and with compliance-trestle. */
const OSCAL_VERSION = '1.2.3';
const DECIDED: ReadonlySet<ControlStatus> = new Set(['pass', 'fail', 'attested', 'exception']);

/** Writes results. Controls with a result become findings, others observations. Exceptions are also risks. */
export const writeOscalResults = async (matter: ReportData): Promise<string> =>
  writeOscal({ 'assessment-results': documentOf(matter) });

/** Leaves out empty lists, which OSCAL's schemas forbid. */
export function writeOscal(document: object): string {
  const kept = (_: string, value: unknown) =>
    Array.isArray(value) && value.length === 0 ? undefined : value;
  return `${JSON.stringify(document, kept, 1)}\n`;
}

export function createOscalMetadata({ assessment, key }: ReportData, title: string) {
  const { id, createdAt, scope, version } = assessment;
  return {
    title: formatOscalLine(`${title} ${scope}`),
    'last-modified': formatOscalTime(createdAt),
    version: id,
    'oscal-version': OSCAL_VERSION,
    props: [createOscalProp('magpie-version', version), createOscalProp('seal', formatSeal(key))],
  };
}

/** Returns the fields that most objects of OSCAL begin with. */
export const describeOscal = (uuid: string, title: string, description: string) => ({
  uuid,
  title: formatOscalLine(title),
  description: formatOscalLine(description),
});

function documentOf(matter: ReportData) {
  const { assessment } = matter;
  const { id, scope, standards } = assessment;
  const plan = computeOscalUuid(id, 'plan');
  return {
    uuid: computeOscalUuid(id, 'results'),
    metadata: { ...createOscalMetadata(matter, 'Compliance check of'), ...listOscalPeople(assessment) },
    'import-ap': { href: `#${plan}` },
    results: standards.map((standard) => resultOf(assessment, standard)),
    'back-matter': {
      resources: [
        describeOscal(
          plan,
          'What was planned',
          `All automated checks of Magpie on ${scope}, assessed against ${standards.map((one) => one.standard.id).join(', ')}.`,
        ),
        ...standards.map(({ standard }) => ({
          uuid: computeOscalUuid(id, `standard ${standard.id}`),
          title: formatOscalLine(`${standard.title}, ${standard.edition}`),
          rlinks: [{ href: standard.source }],
        })),
        ...listOscalFiles(assessment),
      ],
    },
  };
}

function resultOf(assessment: Assessment, { standard, controls }: StandardResult) {
  const { id, createdAt, looks, practices, subjects } = assessment;
  const uuid = (what: string) => computeOscalUuid(id, `${standard.id} ${what}`);
  const named = new Set(controls.flatMap(({ findings }) => findings));
  const observations = [
    ...looks.map(({ what, subject, at, ok, why, items }, index) => ({
      ...describeOscal(
        uuid(`look ${index}`),
        `${what} in ${subject}`,
        `${ok ? 'Checked to the end' : 'Not checked to the end'}${items === undefined ? '' : `, ${formatCount(items, 'item')}`}${why ? `: ${why}` : ''}`,
      ),
      methods: ['TEST'],
      collected: formatOscalTime(at),
    })),
    ...practices.map(({ name, subject, state, detail, at }, index) => ({
      ...describeOscal(
        uuid(`practice ${index}`),
        `${name} in ${subject}`,
        `${state.replace('_', ' ')}: ${detail}`,
      ),
      methods: ['EXAMINE'],
      collected: formatOscalTime(at),
    })),
    ...assessment.findings
      .filter(({ fingerprint }) => named.has(fingerprint))
      .map((finding) => ({
        ...describeOscal(
          uuid(`finding ${finding.fingerprint}`),
          finding.title,
          `${finding.severity}: ${finding.id} at ${finding.location}. ${finding.fix}`,
        ),
        props: [
          createOscalProp('fingerprint', finding.fingerprint),
          createOscalProp('severity', finding.severity),
        ],
        methods: ['TEST'],
        collected: formatOscalTime(createdAt),
      })),
    ...controls
      .filter(({ status }) => !DECIDED.has(status))
      .map((control) => ({
        ...describeOscal(
          uuid(`open ${control.id}`),
          `${control.id} ${STATUS_WORDS[control.status]}`,
          control.reason,
        ),
        props: [createOscalProp('control', control.id), createOscalProp('status', control.status)],
        methods: ['UNKNOWN'],
        collected: formatOscalTime(createdAt),
      })),
    ...listOscalJudgements(assessment, standard.id),
  ];
  const included = controls.map(({ id: one }) => ({ 'control-id': formatOscalControl(standard.id, one) }));
  return {
    ...describeOscal(uuid('result'), `${standard.title}, ${standard.edition}`, listOscalSubjects(subjects)),
    start: formatOscalTime(Math.min(createdAt, ...looks.map(({ at }) => at))),
    end: formatOscalTime(createdAt),
    'reviewed-controls': { 'control-selections': [{ 'include-controls': included }] },
    observations,
    risks: listOscalExceptions(assessment, standard.id, controls),
    findings: controls
      .filter(({ status }) => DECIDED.has(status))
      .map((control) => findingOf(control, standard.id, id, uuid)),
  };
}

export const listOscalSubjects = (subjects: Assessment['subjects']): string =>
  `Checked ${subjects.map(({ name, commit }) => (commit ? `${name} (${commit})` : name)).join(', ') || 'nothing'}.`;

function findingOf(control: ControlResult, standard: string, check: string, uuid: (what: string) => string) {
  const judgement = findOscalJudgement(check, standard, control);
  const found = [...new Set(control.findings)].map((one) => ({ 'observation-uuid': uuid(`finding ${one}`) }));
  const related = [...found, ...judgement.observations];
  return {
    ...describeOscal(uuid(`control ${control.id}`), `${control.id} ${control.title}`, control.reason),
    props: [createOscalProp('label', control.id)],
    target: {
      type: 'statement-id',
      // In NIST's catalogues, the text of the control `ac-1` has the id `ac-1_smt`.
      'target-id': `${formatOscalControl(standard, control.id)}_smt`,
      status: {
        state: control.status === 'pass' || control.status === 'attested' ? 'satisfied' : 'not-satisfied',
        reason: control.status,
      },
    },
    'related-observations': related,
    'related-risks': judgement.risks,
  };
}

/** Returns an id for OSCAL: `ac-2.1` for a NIST control, otherwise one made of standard and control. */
export function formatOscalControl(standard: string, id: string): string {
  if (standard === 'nist-800-53') return id.toLowerCase().replace('(', '.').replace(')', '');
  return `${standard}_${id}`.replace(/[^A-Za-z0-9._-]+/g, '.').replace(/\.$/, '');
}

const ROLE = 'attester';

type JudgedAssessment = Pick<Assessment, 'id' | 'attestations'>;

function listOscalPeople({ id, attestations = [] }: JudgedAssessment) {
  if (attestations.length === 0) return {};
  return {
    roles: [{ id: ROLE, title: 'Judges controls' }],
    parties: [...new Set(attestations.map(({ by }) => by))].map((by) => ({
      uuid: computeOscalUuid(id, `person ${by}`),
      type: 'person',
      name: formatOscalLine(by),
    })),
  };
}

function listOscalFiles({ id, attestations = [] }: JudgedAssessment) {
  const files = new Map(attestations.flatMap(({ evidence }) => evidence).map((one) => [one.sha256, one]));
  return [...files.values()].map(({ name, sha256, bytes }) => ({
    uuid: computeOscalUuid(id, `file ${sha256}`),
    title: formatOscalLine(name),
    props: [createOscalProp('bytes', String(bytes))],
    rlinks: [{ href: encodeURIComponent(name), hashes: [{ algorithm: 'SHA-256', value: sha256 }] }],
  }));
}

function listOscalJudgements({ id, attestations = [] }: JudgedAssessment, standard: string) {
  return attestations
    .filter((one) => one.standard === standard)
    .map((one) => ({
      ...describeOscal(judgementUuid(id, one), `${one.control} ${JUDGEMENT_WORDS[one.verdict]}`, one.why),
      props: [
        createOscalProp('control', one.control),
        createOscalProp('verdict', one.verdict),
        createOscalProp('counts', one.counts ? 'yes' : one.note),
        createOscalProp('scope', one.scope),
        createOscalProp('source', one.source),
      ],
      ...(one.link !== undefined && { links: [{ href: one.link, rel: 'reference' }] }),
      methods: ['EXAMINE'],
      origins: [{ actors: [createOscalActor(id, one)] }],
      'relevant-evidence': one.evidence.map(({ name, sha256 }) => ({
        href: `#${computeOscalUuid(id, `file ${sha256}`)}`,
        description: formatOscalLine(name),
      })),
      collected: formatOscalTime(one.at),
      ...(one.until !== undefined && { expires: formatOscalTime(one.until) }),
    }));
}

export function listOscalExceptions(
  { id }: JudgedAssessment,
  standard: string,
  controls: readonly ControlResult[],
) {
  return controls.flatMap((control) => {
    const { attestation, status } = control;
    if (!attestation || status !== 'exception') return [];
    return [
      {
        ...describeOscal(
          exceptionUuid(id, standard, control),
          `Exception from ${control.id} ${control.title}`,
          `${formatAttester(attestation)}: ${attestation.why}`,
        ),
        statement: formatOscalLine(control.reason),
        status: 'deviation-approved',
        ...(attestation.until !== undefined && { deadline: formatOscalTime(attestation.until) }),
        'related-observations': [{ 'observation-uuid': judgementUuid(id, attestation) }],
      },
    ];
  });
}

function findOscalJudgement(check: string, standard: string, control: ControlResult) {
  const { attestation, status } = control;
  if (!attestation) return { observations: [], risks: [] };
  return {
    observations: [{ 'observation-uuid': judgementUuid(check, attestation) }],
    risks: status === 'exception' ? [{ 'risk-uuid': exceptionUuid(check, standard, control) }] : [],
  };
}

const createOscalActor = (check: string, { by }: UsedAttestation) => ({
  type: 'party',
  'actor-uuid': computeOscalUuid(check, `person ${by}`),
  'role-id': ROLE,
});

const judgementUuid = (check: string, { id }: Pick<UsedAttestation, 'id'>): string =>
  computeOscalUuid(check, `judgement ${id}`);

const exceptionUuid = (check: string, standard: string, { id }: ControlResult): string =>
  computeOscalUuid(check, `${standard} exception ${id}`);

const NS = 'https://www.npmjs.com/package/magpie-mcp';

export const createOscalProp = (name: string, value: string) => ({
  name,
  ns: NS,
  value: formatOscalLine(value),
});

export function computeOscalUuid(check: string, what: string): string {
  const hex = createHash('sha256').update(`${check} ${what}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const formatOscalTime = (at: number): string => new Date(at).toISOString();

/** Returns a text in one line, or `-` if it is empty, because OSCAL's schema forbids empty texts. */
export const formatOscalLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || '-';
