import type { Assessment, Attestation, Evidence, GivenAttestation, Job } from '../compliance/types.ts';
import type { Context } from '../operation.ts';
import { gatherEvidence } from './compliance-evidence.ts';
import { resolveScope } from './compliance-scope.ts';

/** What the caller asks to be checked. */
export interface CheckRequest {
  readonly standards: readonly string[];
  readonly scope: string;
  /** Judgements for this check alone. */
  readonly attestations?: readonly GivenAttestation[] | undefined;
}

/**
 * Runs a check: in the background where the caller wants the answer later, else until it has results. An invalid request is
 * refused before anything is scanned: AppError as `resolveScope` and the room throw it.
 */
export async function runCheck(
  { standards, scope, attestations = [] }: CheckRequest,
  ctx: Context,
): Promise<{ readonly job: Job } | { readonly assessment: Assessment }> {
  const { caller, services, progress, wishes } = ctx;
  const room = await services.compliance();
  const ids = room.resolveStandards(standards);
  const given = await room.checkAttestations(attestations, scope, 'the call that asked for this check');
  const meant = await resolveScope(scope, ctx);
  if (wishes.later) {
    return {
      job: await room.startCheck(caller.id, ids, scope, async (signal, report) =>
        withJudgements(await gatherEvidence(scope, meant, { ...ctx, signal, progress: report }), given),
      ),
    };
  }
  const evidence = withJudgements(await gatherEvidence(scope, meant, ctx), given);
  progress(`assessing the evidence against ${ids.length === 1 ? 'the standard' : `${ids.length} standards`}`);
  return { assessment: await room.assessEvidence(caller.id, ids, evidence) };
}

/** Judgements of a call are about what it checks, by whatever name. */
function withJudgements(evidence: Evidence, given: readonly Attestation[]): Evidence {
  const own = given.map((one) => ({ ...one, scope: evidence.scope }));
  return { ...evidence, judgements: [...(evidence.judgements ?? []), ...own] };
}
