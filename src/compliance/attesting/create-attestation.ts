import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { likelyMeant } from '../../lib/text/did-you-mean.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import type { ComplianceControl, ControlCatalogue } from '../assessing/catalogue.ts';
import { findStandards } from '../assessing/standards.ts';
import { type Attestation, type GivenAttestation, JUDGEMENTS } from './attestation.ts';

const DAY_MS = 86_400_000;
const AHEAD_MS = DAY_MS;
const NEAR_IDS = 3;

const words = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]*$/u);
const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?$/);
const attached = z.strictObject({
  name: words(500),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(0),
});

export const ATTESTATION_FIELDS = {
  standard: words(100),
  control: words(100),
  verdict: z.enum(JUDGEMENTS),
  by: words(200),
  until: time.optional(),
  why: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .regex(/^(?:[^\p{Cc}]|[\n\t])*$/u),
  link: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
};

const given = z.strictObject({
  ...ATTESTATION_FIELDS,
  at: time.optional(),
  evidence: z.array(attached).max(20).optional(),
});

export const ACCEPTED_FIELD_VALUES: Readonly<Record<string, string>> = {
  standard: 'the id of a standard, such as pci-dss',
  control: 'the id of a control, such as 12.6.1',
  verdict: JUDGEMENTS.join(', '),
  by: 'the name of the person who judges, up to 200 characters',
  at: 'the day of the judgement, such as 2026-11-23',
  until: 'the last day on which it counts, such as 2027-06-30',
  why: 'the reason, up to 2,000 characters',
  link: 'an http or https address',
  evidence: 'up to 20 files of the repository, each a path or {file, sha256}',
};

/** A mistake in an attestation. `field` names the wrong field. It is empty if no single field is wrong. */
export class AttestationError extends AppError {
  readonly field: string;
  constructor(field: string, what: string) {
    super('bad_request', what);
    this.field = field;
  }
}

export async function createAttestation(
  input: GivenAttestation,
  origin: {
    readonly scope: string;
    readonly source: string;
    readonly now: number;
    readonly catalogues: readonly ControlCatalogue[];
  },
): Promise<Attestation> {
  const read = given.safeParse(input);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = String(issue?.path[0] ?? '');
    throw invalidFieldError(field, (input as unknown as Record<string, unknown>)[field]);
  }
  const { standard, control, at, until, link, evidence = [], ...rest } = read.data;
  const { scope, source, now, catalogues } = origin;
  const known = await controlOf(standard, control, catalogues);
  const since = at === undefined ? now : startOf(at);
  if (since === undefined) throw invalidFieldError('at', at);
  if (since > now + AHEAD_MS)
    throw new AttestationError('at', `at has ${quoteName(at ?? '')}, which is to come`);
  const end = until === undefined ? undefined : endOf(until);
  if (until !== undefined && end === undefined) throw invalidFieldError('until', until);
  if (end !== undefined && end <= since)
    throw new AttestationError(
      'until',
      `until has ${quoteName(until ?? '')}, which is before the judgement itself`,
    );
  if (rest.verdict === 'exception' && end === undefined)
    throw new AttestationError(
      'until',
      `until is missing: an exception takes its end, ${ACCEPTED_FIELD_VALUES.until}`,
    );
  const id = randomBytes(12).toString('hex');
  return { id, ...known, scope, ...rest, at: since, until: end, link, evidence, source };
}

export function invalidFieldError(field: string, value: unknown): AttestationError {
  const takes = ACCEPTED_FIELD_VALUES[field] ?? Object.keys(ACCEPTED_FIELD_VALUES).join(', ');
  if (value === undefined) return new AttestationError(field, `${field} is missing: it takes ${takes}`);
  const shown = typeof value === 'string' ? quoteName(value) : quoteName(JSON.stringify(value) ?? '');
  return new AttestationError(field, `${field} has ${shown}: it takes ${takes}`);
}

/** Returns the exact ids of a standard and control. An AttestationError suggests similar ids. */
async function controlOf(standard: string, control: string, catalogues: readonly ControlCatalogue[]) {
  let named: readonly ControlCatalogue[];
  try {
    named = findStandards([standard], catalogues);
  } catch (error) {
    throw new AttestationError(
      'standard',
      (error as Error).message.replace(/^standards has/, 'standard has'),
    );
  }
  const [catalogue] = named;
  if (!catalogue || named.length > 1)
    throw new AttestationError(
      'standard',
      `standard has ${quoteName(standard)}: it takes one standard at a time`,
    );
  const controls = await catalogue.controls();
  const found =
    controls.find(({ id }) => id === control) ??
    controls.find(({ id }) => id.toLowerCase() === control.toLowerCase());
  if (found) return { standard: catalogue.id, control: found.id };
  const near = nearest(control, controls);
  const meant = near.length === 0 ? '' : `; the nearest are ${near.join(', ')}`;
  throw new AttestationError(
    'control',
    `control has ${quoteName(control)}, which ${catalogue.id} does not have${meant}`,
  );
}

function nearest(control: string, controls: readonly ComplianceControl[]): string[] {
  const left = new Set(controls.map(({ id }) => id));
  const near: string[] = [];
  while (near.length < NEAR_IDS) {
    const one = likelyMeant(control, left);
    if (one === undefined) break;
    near.push(one);
    left.delete(one);
  }
  return near;
}

/** Returns milliseconds since 1970, or undefined for an invalid day. A day means its start in UTC. */
function startOf(text: string): number | undefined {
  const at = Date.parse(isDay(text) ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(at)) return undefined;
  // Refuses 2026-02-30, which Date.parse may read as 2 March.
  const day = new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`));
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10) ? undefined : at;
}

/** Returns milliseconds since 1970. A date without a time means the end of that day in UTC. */
function endOf(text: string): number | undefined {
  const start = startOf(text);
  return start === undefined || !isDay(text) ? start : start + DAY_MS;
}

const isDay = (text: string): boolean => text.length === 10;
