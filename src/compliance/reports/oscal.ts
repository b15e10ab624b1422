import type { Assessment, ControlResult, StandardResult, Status } from '../assessing/assessment.ts';
import { exceptionsIn, filesIn, judgementOf, judgementsIn, peopleIn } from './oscal-judgements.ts';
import { line, prop, time, uuidOf } from './oscal-words.ts';
import { plural, STATUS_WORDS } from './outline.ts';
import type { ReportForm, ReportMatter } from './report.ts';
import { sealText } from './seal-text.ts';

/** Version of the OSCAL model. A test validates the output with NIST's JSON schema. */
const OSCAL_VERSION = '1.2.3';

const DECIDED: ReadonlySet<Status> = new Set(['pass', 'fail', 'attested', 'exception']);

/** Only controls that pass or fail become findings; others become observations. An exception is a risk with a deviation. */
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
        ...peopleIn(assessment),
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
          ...filesIn(assessment),
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
      .filter(({ status }) => !DECIDED.has(status))
      .map((control) => ({
        uuid: uuid(`open ${control.id}`),
        title: line(`${control.id} ${STATUS_WORDS[control.status]}`),
        description: line(control.reason),
        props: [prop('control', control.id), prop('status', control.status)],
        methods: ['UNKNOWN'],
        collected: time(createdAt),
      })),
    ...judgementsIn(assessment, standard.id),
  ];
  const risks = exceptionsIn(assessment, standard.id, controls);
  const findings = controls
    .filter(({ status }) => DECIDED.has(status))
    .map((control) => findingOf(control, standard.id, id, uuid));
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
    risks: risks.length > 0 ? risks : undefined,
    findings: findings.length > 0 ? findings : undefined,
  };
}

function findingOf(control: ControlResult, standard: string, check: string, uuid: (what: string) => string) {
  const judgement = judgementOf(check, standard, control);
  const found = [...new Set(control.findings)].map((one) => ({ 'observation-uuid': uuid(`finding ${one}`) }));
  const related = [...found, ...judgement.observations];
  return {
    uuid: uuid(`control ${control.id}`),
    title: line(`${control.id} ${control.title}`),
    description: line(control.reason),
    props: [prop('label', control.id)],
    target: {
      type: 'statement-id',
      // NIST's name for the statement of a control in its catalogues.
      'target-id': `${tokenOf(standard, control.id)}_smt`,
      status: {
        state: control.status === 'pass' || control.status === 'attested' ? 'satisfied' : 'not-satisfied',
        reason: control.status,
      },
    },
    ...(related.length > 0 && { 'related-observations': related }),
    ...(judgement.risks.length > 0 && { 'related-risks': judgement.risks }),
  };
}

/** Returns OSCAL's own ids for NIST's controls (`ac-2.1`), and otherwise the standard and the number as a token. */
function tokenOf(standard: string, id: string): string {
  if (standard === 'nist-800-53') return id.toLowerCase().replace('(', '.').replace(')', '');
  return `${standard}_${id}`.replace(/[^A-Za-z0-9._-]+/g, '.').replace(/\.$/, '');
}
