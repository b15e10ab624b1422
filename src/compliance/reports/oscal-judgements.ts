import type { Assessment, ControlResult } from '../assessing/assessment.ts';
import type { UsedAttestation } from '../attesting/attestation.ts';
import { formatAttester, JUDGEMENT_WORDS } from '../attesting/attestation-words.ts';
import { computeOscalUuid, createOscalProp, formatOscalLine, formatOscalTime } from './oscal-words.ts';

const ROLE = 'attester';

type Judged = Pick<Assessment, 'id' | 'attestations'>;

export function listOscalPeople({ id, attestations = [] }: Judged) {
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

export function listOscalFiles({ id, attestations = [] }: Judged) {
  const files = new Map(attestations.flatMap(({ evidence }) => evidence).map((one) => [one.sha256, one]));
  return [...files.values()].map(({ name, sha256, bytes }) => ({
    uuid: computeOscalUuid(id, `file ${sha256}`),
    title: formatOscalLine(name),
    props: [createOscalProp('bytes', String(bytes))],
    rlinks: [{ href: encodeURIComponent(name), hashes: [{ algorithm: 'SHA-256', value: sha256 }] }],
  }));
}

export function listOscalJudgements({ id, attestations = [] }: Judged, standard: string) {
  return attestations
    .filter((one) => one.standard === standard)
    .map((one) => ({
      uuid: judgementUuid(id, one),
      title: formatOscalLine(`${one.control} ${JUDGEMENT_WORDS[one.verdict]}`),
      description: formatOscalLine(one.why),
      props: [
        createOscalProp('control', one.control),
        createOscalProp('verdict', one.verdict),
        createOscalProp('counts', one.counts ? 'yes' : one.note),
        createOscalProp('scope', one.scope),
        createOscalProp('source', one.source),
      ],
      ...(one.link !== undefined && { links: [{ href: one.link, rel: 'reference' }] }),
      methods: ['EXAMINE'],
      origins: [
        {
          actors: [
            { type: 'party', 'actor-uuid': computeOscalUuid(id, `person ${one.by}`), 'role-id': ROLE },
          ],
        },
      ],
      ...(one.evidence.length > 0 && {
        'relevant-evidence': one.evidence.map(({ name, sha256 }) => ({
          href: `#${computeOscalUuid(id, `file ${sha256}`)}`,
          description: formatOscalLine(name),
        })),
      }),
      collected: formatOscalTime(one.at),
      ...(one.until !== undefined && { expires: formatOscalTime(one.until) }),
    }));
}

/** Exceptions are OSCAL risks: deviations that a person approved until a given day. */
export function listOscalExceptions({ id }: Judged, standard: string, controls: readonly ControlResult[]) {
  return controls.flatMap((control) => {
    const { attestation, status } = control;
    if (!attestation || status !== 'exception') return [];
    return [
      {
        uuid: exceptionUuid(id, standard, control),
        title: formatOscalLine(`Exception from ${control.id} ${control.title}`),
        description: formatOscalLine(`${formatAttester(attestation)}: ${attestation.why}`),
        statement: formatOscalLine(control.reason),
        status: 'deviation-approved',
        ...(attestation.until !== undefined && { deadline: formatOscalTime(attestation.until) }),
        'related-observations': [{ 'observation-uuid': judgementUuid(id, attestation) }],
      },
    ];
  });
}

export function findOscalJudgement(check: string, standard: string, control: ControlResult) {
  const { attestation, status } = control;
  if (!attestation) return { observations: [], risks: [] };
  return {
    observations: [{ 'observation-uuid': judgementUuid(check, attestation) }],
    risks: status === 'exception' ? [{ 'risk-uuid': exceptionUuid(check, standard, control) }] : [],
  };
}

function judgementUuid(check: string, { id }: Pick<UsedAttestation, 'id'>): string {
  return computeOscalUuid(check, `judgement ${id}`);
}

function exceptionUuid(check: string, standard: string, { id }: ControlResult): string {
  return computeOscalUuid(check, `${standard} exception ${id}`);
}
