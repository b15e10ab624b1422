import { createHash } from 'node:crypto';
import type { Assessment, ControlResult, StandardResult } from '../assessment.ts';
import type { ReportForm, ReportMatter } from '../report.ts';
import { sealText } from '../seal-text.ts';
import { plural, STATUS_WORDS } from './outline.ts';

/** Of the model that this writes; a test validates it by NIST's JSON schema. */
const OSCAL_VERSION = '1.2.3';
const NS = 'https://www.npmjs.com/package/magpie-mcp';

/**
 * OSCAL assessment results, one result a standard. Only passed and failed controls become findings, because a finding
 * there is satisfied or not; the others are observations that say what is left to do.
 */
export const oscalForm: ReportForm = {
  format: 'oscal',
  type: 'application/oscal+json',
  extension: 'oscal.json',
  write: async (matter) => `${JSON.stringify(documentOf(matter), null, 1)}\n`,
};

function documentOf({ assessment, key }: ReportMatter) {
  const { id, createdAt, scope, standards, version } = assessment;
  const plan = uuidOf(id, 'plan');
  return {
    'assessment-results': {
      uuid: uuidOf(id, 'results'),
      metadata: {
        title: line(`Compliance check of ${scope}`),
        'last-modified': time(createdAt),
        version: id,
        'oscal-version': OSCAL_VERSION,
        props: [prop('magpie-version', version), prop('seal', sealText(key))],
      },
      'import-ap': { href: `#${plan}` },
      results: standards.map((standard) => resultOf(assessment, standard)),
      'back-matter': {
        resources: [
          {
            uuid: plan,
            title: 'What was planned',
            description: line(
              `All automated checks of Magpie on ${scope}, assessed against ${standards.map((one) => one.standard.id).join(', ')}.`,
            ),
          },
          ...standards.map(({ standard }) => ({
            uuid: uuidOf(id, `standard ${standard.id}`),
            title: line(`${standard.title}, ${standard.edition}`),
            rlinks: [{ href: standard.source }],
          })),
        ],
      },
    },
  };
}

function resultOf(assessment: Assessment, { standard, controls }: StandardResult) {
  const { id, createdAt, looks, practices, subjects } = assessment;
  const uuid = (what: string) => uuidOf(id, `${standard.id} ${what}`);
  const named = new Set(controls.flatMap(({ findings }) => findings));
  const observations = [
    ...looks.map(({ what, subject, at, ok, why, items }, index) => ({
      uuid: uuid(`look ${index}`),
      title: line(`${what} in ${subject}`),
      description: line(
        `${ok ? 'Checked to the end' : 'Not checked to the end'}${items === undefined ? '' : `, ${plural(items, 'item')}`}${why ? `: ${why}` : ''}`,
      ),
      methods: ['TEST'],
      collected: time(at),
    })),
    ...practices.map(({ name, subject, state, detail, at }, index) => ({
      uuid: uuid(`practice ${index}`),
      title: line(`${name} in ${subject}`),
      description: line(`${state.replace('_', ' ')}: ${detail}`),
      methods: ['EXAMINE'],
      collected: time(at),
    })),
    ...assessment.findings
      .filter(({ fingerprint }) => named.has(fingerprint))
      .map((finding) => ({
        uuid: uuid(`finding ${finding.fingerprint}`),
        title: line(finding.title),
        description: line(`${finding.severity}: ${finding.id} at ${finding.location}. ${finding.fix}`),
        props: [prop('fingerprint', finding.fingerprint), prop('severity', finding.severity)],
        methods: ['TEST'],
        collected: time(createdAt),
      })),
    ...controls
      .filter(({ status }) => status !== 'pass' && status !== 'fail')
      .map((control) => ({
        uuid: uuid(`open ${control.id}`),
        title: line(`${control.id} ${STATUS_WORDS[control.status]}`),
        description: line(control.reason),
        props: [prop('control', control.id), prop('status', control.status)],
        methods: ['UNKNOWN'],
        collected: time(createdAt),
      })),
  ];
  const findings = controls
    .filter(({ status }) => status === 'pass' || status === 'fail')
    .map((control) => findingOf(control, standard.id, uuid));
  return {
    uuid: uuid('result'),
    title: line(`${standard.title}, ${standard.edition}`),
    description: line(
      `Checked ${subjects.map(({ name, commit }) => (commit ? `${name} (${commit})` : name)).join(', ') || 'nothing'}.`,
    ),
    start: time(Math.min(createdAt, ...looks.map(({ at }) => at))),
    end: time(createdAt),
    'reviewed-controls': {
      'control-selections': [
        {
          'include-controls': controls.map((control) => ({ 'control-id': tokenOf(standard.id, control.id) })),
        },
      ],
    },
    observations: observations.length > 0 ? observations : undefined,
    findings: findings.length > 0 ? findings : undefined,
  };
}

function findingOf(control: ControlResult, standard: string, uuid: (what: string) => string) {
  const related = [...new Set(control.findings)].map((one) => ({
    'observation-uuid': uuid(`finding ${one}`),
  }));
  return {
    uuid: uuid(`control ${control.id}`),
    title: line(`${control.id} ${control.title}`),
    description: line(control.reason),
    props: [prop('label', control.id)],
    target: {
      type: 'statement-id',
      // As NIST names the statement of a control in its catalogues.
      'target-id': `${tokenOf(standard, control.id)}_smt`,
      status: {
        state: control.status === 'pass' ? 'satisfied' : 'not-satisfied',
        reason: control.status,
      },
    },
    ...(related.length > 0 && { 'related-observations': related }),
  };
}

/** OSCAL's own ids for NIST's controls (`ac-2.1`); elsewhere the standard before the number, as a token. */
function tokenOf(standard: string, id: string): string {
  if (standard === 'nist-800-53') return id.toLowerCase().replace('(', '.').replace(')', '');
  return `${standard}_${id}`.replace(/[^A-Za-z0-9._-]+/g, '.').replace(/\.$/, '');
}

function prop(name: string, value: string) {
  return { name, ns: NS, value: line(value) };
}

/** The same for the same check, so that a report is the same each time: SHA-256 in the form of a version 5 UUID. */
function uuidOf(check: string, what: string): string {
  const hex = createHash('sha256').update(`${check} ${what}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function time(at: number): string {
  return new Date(at).toISOString();
}

/** One line that is not empty, as OSCAL's strings are. */
function line(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || '-';
}
