import {
  type ControlResult,
  type ControlStatus,
  countStatuses,
  type StandardResult,
} from '../assessing/assessment.ts';
import type { Evidence } from '../assessing/evidence.ts';
import {
  ALL_ATTESTATION_SCOPES,
  type Attestation,
  type Judgement,
  type UsedAttestation,
} from './attestation.ts';
import { formatAttester, formatGrounds, formatValidityEnd } from './attestation-words.ts';

/** Effect of each judgement: the control gets `status`, but only if its current status is in `where`. */
const GIVES: Readonly<
  Record<Judgement, { readonly status: ControlStatus; readonly where: readonly ControlStatus[] }>
> = {
  // A `pass` judgement must not hide a violation or an unfinished check.
  pass: { status: 'attested', where: ['manual', 'no_findings'] },
  not_applicable: { status: 'not_applicable', where: ['manual', 'no_findings', 'not_assessed'] },
  exception: { status: 'exception', where: ['fail', 'manual', 'no_findings', 'not_assessed'] },
  fail: { status: 'fail', where: ['pass', 'manual', 'no_findings', 'not_assessed', 'not_applicable'] },
};

const NO_USE: Readonly<Partial<Record<ControlStatus, string>>> = {
  fail: 'checks found what speaks against it, which only an exception with an end may except',
  pass: 'checks saw that it holds, so that it changes nothing',
  not_assessed: 'the checks behind it did not run to their end in this scope',
  not_applicable: 'this scope has nothing that the control is about',
};

export function applyAttestations(
  standards: readonly StandardResult[],
  attestations: readonly Attestation[],
  evidence: Pick<Evidence, 'scope' | 'subjects'>,
  now: number,
) {
  const byControl = Map.groupBy(attestations, ({ standard, control }) => `${standard} ${control}`);
  const used: UsedAttestation[] = [];
  const results = standards.map((result) => {
    const { standard } = result;
    const controls = result.controls.map((control) => {
      const about = byControl.get(`${standard.id} ${control.id}`);
      if (!about) return control;
      const judged = judgeControl(control, about, evidence, now);
      used.push(...judged.used);
      return judged.control;
    });
    return { ...result, counts: countStatuses(controls), controls };
  });
  return { standards: results, attestations: used };
}

function judgeControl(
  control: ControlResult,
  about: readonly Attestation[],
  evidence: Pick<Evidence, 'scope' | 'subjects'>,
  now: number,
): { readonly control: ControlResult; readonly used: readonly UsedAttestation[] } {
  const used: UsedAttestation[] = [];
  let counting: Attestation | undefined;
  for (const one of about.toSorted((a, b) => b.at - a.at)) {
    const note =
      whyUnusable(one, evidence, now) ??
      (counting ? 'a newer judgement counts in its place' : whyUseless(one, control.status));
    if (note === undefined) counting = one;
    used.push({ ...one, counts: note === undefined, note: note ?? '' });
  }
  if (counting) return { control: withJudgement(control, counting), used };
  // Here, no judgement counts. The control's reason also says why its newest judgement does not.
  const [told] = used.filter((one) => whyElsewhere(one, evidence) === undefined);
  if (!told) return { control, used };
  const reason = `${control.reason}${endMark(control.reason)} A judgement (${told.verdict}, ${formatAttester(told)}) does not count: ${told.note}.`;
  return { control: { ...control, reason }, used };
}

function whyUnusable(one: Attestation, evidence: Pick<Evidence, 'scope' | 'subjects'>, now: number) {
  const elsewhere = whyElsewhere(one, evidence);
  if (elsewhere !== undefined) return elsewhere;
  return one.until !== undefined && now >= one.until
    ? `expired on ${formatValidityEnd(one.until)}`
    : undefined;
}

function whyElsewhere(
  { scope }: Attestation,
  { scope: checked, subjects }: Pick<Evidence, 'scope' | 'subjects'>,
): string | undefined {
  const alone = subjects.length > 0 && subjects.every(({ name }) => name === scope);
  if (scope === ALL_ATTESTATION_SCOPES || scope === checked || alone) return undefined;
  return `it is about ${scope} alone`;
}

function whyUseless({ verdict }: Attestation, status: ControlStatus): string | undefined {
  if (GIVES[verdict].where.includes(status)) return undefined;
  return GIVES[verdict].status === status ? 'checks say the same' : (NO_USE[status] ?? 'it changes nothing');
}

function withJudgement(control: ControlResult, attestation: Attestation): ControlResult {
  const { verdict } = attestation;
  const what = verdict === 'exception' ? 'Excepted' : `Judged as ${verdict.replace('_', ' ')}`;
  const reason = `${what} ${formatAttester(attestation)}: ${formatGrounds(attestation)}. Checks: ${control.reason}`;
  return { ...control, status: GIVES[verdict].status, reason, checked: control.status, attestation };
}

const endMark = (text: string): string => (/[.!?]$/.test(text) ? '' : '.');
