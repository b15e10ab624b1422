import { z } from 'zod';
import type {
  Assessment,
  Comparison,
  ComplianceJob,
  ControlResult,
  ControlStatus,
  Judgement,
  UsedAttestation,
} from '../../src/compliance/types.ts';
import statuses from '../../src/lib/compliance/control-statuses.json' with { type: 'json' };
import { SEVERITIES } from '../../src/lib/severity.ts';
import {
  type AnswerReaderKind,
  type IsOffered,
  listedObject,
  type OperationContext,
  optional,
} from '../../src/operation.ts';

const STATUSES = Object.keys(statuses) as ControlStatus[];
const JUDGEMENTS = ['pass', 'fail', 'not_applicable', 'exception'] as const satisfies readonly Judgement[];
const attachedFile = z.object({ name: z.string(), sha256: z.string(), bytes: z.int() });
/** Fields of a judgement. They are plain strings, because the compliance module reports mistakes better. */
const PARTS = {
  standard: z.string(),
  control: z.string(),
  verdict: z.enum(JUDGEMENTS),
  by: z.string(),
  at: z.string().optional(),
  until: z.string().optional(),
  why: z.string(),
  link: z.string().optional(),
};
export const attestations = optional(
  z.array(z.object({ ...PARTS, evidence: z.array(attachedFile).max(20).optional() })).max(100),
  "People's judgements of controls, for this check alone",
);

const usedAttestation = z.object({
  ...PARTS,
  scope: z.string(),
  evidence: z.array(attachedFile),
  source: z.string(),
  counts: z.boolean(),
  note: z.string().optional(),
});

const control = listedObject(['id', 'status'], {
  id: z.string(),
  title: z.string(),
  group: z.string(),
  status: z.enum(STATUSES),
  reason: z.string(),
  severity: z.enum(SEVERITIES).optional(),
  evidence: z.object({
    checks: z.array(z.string()),
    fingerprints: z.array(z.string()),
    found: z.int(),
    accepted: z.int(),
    at: z.string().optional(),
  }),
});

const standard = listedObject(['id', 'controls'], {
  id: z.string(),
  title: z.string(),
  edition: z.string(),
  counts: z.object(
    Object.fromEntries(STATUSES.map((status) => [status, z.int()])) as Record<ControlStatus, z.ZodInt>,
  ),
  total: z.int(),
  coverage: z.number(),
  attested: z.number(),
  controls: z.array(control),
  more: z.int().optional(),
});

const change = z.object({
  standard: z.string(),
  control: z.string(),
  before: z.string().optional(),
  now: z.string(),
  reason: z.string().optional(),
});

export const complianceAnswer = listedObject(['data'], {
  success: z.boolean(),
  data: listedObject(['check_id', 'status', 'standards'], {
    check_id: z.string(),
    status: z.enum(['running', 'completed', 'failed']),
    scope: z.string(),
    created_at: z.string(),
    subjects: z.array(z.object({ name: z.string(), kind: z.string(), commit: z.string().optional() })),
    standards: z.array(standard),
    attestations: z.array(usedAttestation).optional(),
    notes: z.array(z.string()).optional(),
    progress: z.string().optional(),
    reason: z.string().optional(),
    changes: z
      .object({
        since: z.string(),
        lacked: z.array(z.object({ standard: z.string(), since: z.string().optional() })),
        totals: z.object({
          controls: z.int(),
          appeared: z.int(),
          gone: z.int(),
          accepted: z.int(),
          unknown: z.int(),
        }),
        controls: z.array(change),
        appeared: z.array(z.string()),
        gone: z.array(z.string()),
        accepted: z.array(z.string()),
        unknown: z.array(z.object({ fingerprint: z.string(), reason: z.string() })),
      })
      .optional(),
  }),
});
export type ComplianceAnswer = z.output<typeof complianceAnswer>;

export const standards = z.array(z.string().trim().min(1).max(100)).min(1).max(50);
export const complianceScopeParameter = z.string().trim().min(1).max(2000);

const MAX_FINGERPRINTS = 20;
const MAX_CONTROLS = 40;
const MIN_CONTROLS_PER_STANDARD = 3;
const MAX_CHANGES = 20;

const ORDER = [
  'fail',
  'exception',
  'pass',
  'attested',
  'no_findings',
  'manual',
  'not_assessed',
  'not_applicable',
] as const;

export const PREVIOUS_CHECK = 'previous';
export const comparedCheckParameter = optional(
  z.string().max(100),
  'Earlier check_id to compare with, or previous',
);

export const complianceCheckPath = (id: string): string => `/v1/compliance/check/${id}`;

export const jobAnswer = (job: ComplianceJob): ComplianceAnswer => ({
  success: job.state !== 'failed',
  data: {
    check_id: job.id,
    status: job.state,
    scope: job.scope,
    created_at: new Date(job.createdAt).toISOString(),
    subjects: [],
    standards: [],
    progress: job.progress || undefined,
    reason: job.reason,
  },
});

export async function buildCheckAnswer(
  assessment: Assessment,
  since: string | undefined,
  { caller, services, wishes }: OperationContext,
): Promise<z.input<typeof complianceAnswer>> {
  const room = await services.compliance();
  const changes =
    since &&
    (await room.compareChecks(caller.id, assessment.id, since === PREVIOUS_CHECK ? undefined : since));
  const { id, scope: name, createdAt, subjects, looks } = assessment;
  const unused = looks.filter(({ what, ok }) => what === 'attestations' && !ok);
  const shares = sharesOf(assessment.standards.map(({ total }) => total));
  const results = assessment.standards.map(({ standard: named, counts, total, controls }, at) => {
    const most = wishes.whole ? undefined : shares[at];
    const shown = ORDER.flatMap((status) => by(status, controls)).slice(0, most);
    return {
      id: named.id,
      title: named.title,
      edition: named.edition,
      counts,
      total,
      coverage: share(controls.filter(isChecked).length, total),
      attested: share(controls.filter(({ attestation }) => attestation).length, total),
      controls: shown.map(controlOf),
      more: shown.length < total ? total - shown.length : undefined,
    };
  });
  return {
    success: true,
    data: {
      check_id: id,
      status: 'completed',
      scope: name,
      created_at: new Date(createdAt).toISOString(),
      subjects: subjects.map(({ name: subject, kind, commit }) => ({
        name: subject,
        kind,
        commit: commit || undefined,
      })),
      standards: results,
      attestations: judgementsOf(assessment.attestations, wishes.whole ? undefined : MAX_CONTROLS),
      notes: unused.length > 0 ? unused.map(({ why }) => `no attestation counts of ${why}`) : undefined,
      changes: changes ? changesOf(changes, wishes.whole ? undefined : MAX_CHANGES) : undefined,
    },
  };
}

const isChecked = ({ status, attestation }: ControlResult): boolean =>
  !attestation && (status === 'pass' || status === 'fail');

function share(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((1000 * part) / total) / 1000;
}

function judgementsOf(all: readonly UsedAttestation[] = [], most?: number) {
  if (all.length === 0) return undefined;
  return all
    .toSorted((a, b) => Number(b.counts) - Number(a.counts))
    .slice(0, most)
    .map(({ id: _, at, until, evidence, note, ...rest }) => ({
      ...rest,
      at: new Date(at).toISOString(),
      until: until === undefined ? undefined : new Date(until).toISOString(),
      evidence: evidence.map((file) => ({ ...file })),
      note: note || undefined,
    }));
}

function sharesOf(totals: readonly number[]): number[] {
  const shares: number[] = [];
  const shortest = totals.map((total, at) => ({ total, at })).sort((a, b) => a.total - b.total);
  let space = MAX_CONTROLS;
  for (const [done, { total, at }] of shortest.entries()) {
    const share = Math.min(
      total,
      Math.max(MIN_CONTROLS_PER_STANDARD, Math.floor(space / (totals.length - done))),
    );
    shares[at] = share;
    space -= share;
  }
  return shares;
}

function changesOf(
  { since: earlier, lacked, changes, appeared, gone, accepted, unknown }: Comparison,
  most?: number,
) {
  return {
    since: earlier,
    lacked: lacked.map((one) => ({ ...one })),
    totals: {
      controls: changes.length,
      appeared: appeared.length,
      gone: gone.length,
      accepted: accepted.length,
      unknown: unknown.length,
    },
    controls: changes.slice(0, most).map(({ standard: named, control: changed, before, now, reason }) => ({
      standard: named,
      control: changed,
      now,
      before,
      reason: reason || undefined,
    })),
    appeared: appeared.slice(0, most),
    gone: gone.slice(0, most),
    accepted: accepted.slice(0, most),
    unknown: unknown.slice(0, most),
  };
}

const by = (status: ControlStatus, controls: readonly ControlResult[]): ControlResult[] =>
  controls.filter((one) => one.status === status);

function controlOf({ checks, findings, found, accepted, at, ...control }: ControlResult) {
  const { id, title, group, status, reason, severity } = control;
  return {
    ...{ id, title, group, status, reason, severity },
    evidence: {
      checks: [...checks],
      fingerprints: findings.slice(0, MAX_FINGERPRINTS),
      found,
      accepted,
      at: at !== undefined ? new Date(at).toISOString() : undefined,
    },
  };
}

export function complianceText(
  { data }: ComplianceAnswer,
  _reader: AnswerReaderKind,
  offers: IsOffered,
): string {
  const parts = [`# Compliance check ${data.check_id} of ${oneLine(data.scope)}`];
  if (data.status !== 'completed') {
    parts.push(`${data.status}: ${oneLine(data.reason ?? data.progress ?? 'it is starting')}`);
    return parts.join('\n\n');
  }
  for (const { title, edition, counts, total, controls } of data.standards) {
    parts.push(
      `## ${title}, ${edition}\n${counts.fail} of ${total} controls failed, ${counts.pass} passed, ${counts.attested} pass by a person's judgement, ${counts.exception} are excepted until a day, ${counts.no_findings} had no findings, ${counts.not_applicable} do not apply, ${counts.manual} are for a person to judge, ${counts.not_assessed} were not assessed.`,
    );
    const failed = controls.filter(({ status }) => status === 'fail');
    if (failed.length > 0) {
      parts.push(
        failed.map(({ id, title: asks, reason }) => `- ${id} ${asks}: ${oneLine(reason)}`).join('\n'),
      );
    }
  }
  for (const note of data.notes ?? []) parts.push(`Note: ${oneLine(note)}.`);
  const idle = data.attestations?.filter(({ counts }) => !counts) ?? [];
  if (idle.length > 0) {
    const words = idle.map(
      ({ standard: of, control: id, verdict, by: who, note }) =>
        `- ${of} ${id}, ${verdict} by ${oneLine(who)}: ${oneLine(note ?? '')}`,
    );
    parts.push(`Judgements of people that do not count:\n${words.join('\n')}`);
  }
  if (data.changes) {
    const { since: earlier, lacked, totals, unknown } = data.changes;
    const [first] = unknown;
    parts.push(
      `Since check ${earlier}: ${totals.controls} controls changed, ${totals.appeared} findings appeared, ${totals.gone} are gone, ${totals.accepted} are accepted now.`,
    );
    for (const [older, of] of Map.groupBy(lacked, (one) => one.since)) {
      const names = of.map(({ standard: named }) => named).join(', ');
      parts.push(
        older === undefined
          ? `Checked for the first time in this scope: ${names}.`
          : `Compared with the earlier check ${older}: ${names}.`,
      );
    }
    if (first) {
      parts.push(`${totals.unknown} findings cannot be compared, such as one ${oneLine(first.reason)}.`);
    }
  }
  const next = offers('generateComplianceReport') ? ' generateComplianceReport writes the whole report.' : '';
  parts.push(`Controls for a person to judge and controls not assessed do not count as passed.${next}`);
  return parts.join('\n\n');
}

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ');
