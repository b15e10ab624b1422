import type { Assessment, ControlResult } from '../assessing/assessment.ts';
import type { UsedAttestation } from '../attesting/attestation.ts';
import { byWhom, JUDGEMENT_WORDS } from '../attesting/attestation-words.ts';
import { line, prop, time, uuidOf } from './oscal-words.ts';

const ROLE = 'attester';

type Judged = Pick<Assessment, 'id' | 'attestations'>;

export function peopleIn({ id, attestations = [] }: Judged) {
  if (attestations.length === 0) return {};
  return {
    roles: [{ id: ROLE, title: 'Judges controls' }],
    parties: [...new Set(attestations.map(({ by }) => by))].map((by) => ({
      uuid: uuidOf(id, `person ${by}`),
      type: 'person',
      name: line(by),
    })),
  };
}

export function filesIn({ id, attestations = [] }: Judged) {
  const files = new Map(attestations.flatMap(({ evidence }) => evidence).map((one) => [one.sha256, one]));
  return [...files.values()].map(({ name, sha256, bytes }) => ({
    uuid: uuidOf(id, `file ${sha256}`),
    title: line(name),
    props: [prop('bytes', String(bytes))],
    rlinks: [{ href: encodeURIComponent(name), hashes: [{ algorithm: 'SHA-256', value: sha256 }] }],
  }));
}

export function judgementsIn({ id, attestations = [] }: Judged, standard: string) {
  return attestations
    .filter((one) => one.standard === standard)
    .map((one) => ({
      uuid: judgementUuid(id, one),
      title: line(`${one.control} ${JUDGEMENT_WORDS[one.verdict]}`),
      description: line(one.why),
      props: [
        prop('control', one.control),
        prop('verdict', one.verdict),
        prop('counts', one.counts ? 'yes' : one.note),
        prop('scope', one.scope),
        prop('source', one.source),
      ],
      ...(one.link !== undefined && { links: [{ href: one.link, rel: 'reference' }] }),
      methods: ['EXAMINE'],
      origins: [
        { actors: [{ type: 'party', 'actor-uuid': uuidOf(id, `person ${one.by}`), 'role-id': ROLE }] },
      ],
      ...(one.evidence.length > 0 && {
        'relevant-evidence': one.evidence.map(({ name, sha256 }) => ({
          href: `#${uuidOf(id, `file ${sha256}`)}`,
          description: line(name),
        })),
      }),
      collected: time(one.at),
      ...(one.until !== undefined && { expires: time(one.until) }),
    }));
}

/** Returns the exceptions as risks: deviations that a person approved until a day. */
export function exceptionsIn({ id }: Judged, standard: string, controls: readonly ControlResult[]) {
  return controls.flatMap((control) => {
    const { attestation, status } = control;
    if (!attestation || status !== 'exception') return [];
    return [
      {
        uuid: exceptionUuid(id, standard, control),
        title: line(`Exception from ${control.id} ${control.title}`),
        description: line(`${byWhom(attestation)}: ${attestation.why}`),
        statement: line(control.reason),
        status: 'deviation-approved',
        ...(attestation.until !== undefined && { deadline: time(attestation.until) }),
        'related-observations': [{ 'observation-uuid': judgementUuid(id, attestation) }],
      },
    ];
  });
}

export function judgementOf(check: string, standard: string, control: ControlResult) {
  const { attestation, status } = control;
  if (!attestation) return { observations: [], risks: [] };
  return {
    observations: [{ 'observation-uuid': judgementUuid(check, attestation) }],
    risks: status === 'exception' ? [{ 'risk-uuid': exceptionUuid(check, standard, control) }] : [],
  };
}

function judgementUuid(check: string, { id }: Pick<UsedAttestation, 'id'>): string {
  return uuidOf(check, `judgement ${id}`);
}

function exceptionUuid(check: string, standard: string, { id }: ControlResult): string {
  return uuidOf(check, `${standard} exception ${id}`);
}
