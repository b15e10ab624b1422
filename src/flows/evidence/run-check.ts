import type { Caller, Scope } from '../../caller.ts';
import type { Assessment, Attestation, Evidence, GivenAttestation, Job } from '../../compliance/types.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import type { Context } from '../../operation.ts';
import type { Services } from '../../wiring/services.ts';
import { gatherEvidence } from './compliance-evidence.ts';
import { type CheckContext, type ResolvedScope, resolveScope } from './compliance-scope.ts';

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
      job: await room.startCheck(
        caller.id,
        ids,
        scope,
        async (signal, report) =>
          withJudgements(await gatherEvidence(scope, meant, { ...ctx, signal, progress: report }), given),
        isForAnyNode(scope, meant) ? JSON.stringify(termsOf(caller, given)) : undefined,
      ),
    };
  }
  const evidence = withJudgements(await gatherEvidence(scope, meant, ctx), given);
  progress(`assessing the evidence against ${ids.length === 1 ? 'the standard' : `${ids.length} standards`}`);
  return { assessment: await room.assessEvidence(caller.id, ids, evidence) };
}

interface CheckTerms {
  readonly scopes: readonly Scope[];
  readonly given: readonly Attestation[];
}

function termsOf({ scopes }: Caller, given: readonly Attestation[]): CheckTerms {
  return { scopes: [...scopes], given };
}

/** An address as git takes it from any machine. */
const REMOTE = /^(?:(?:https?|ssh|git):\/\/|[^/\\\s@:]+@[^/\\\s:]+:)/i;
/** A login before a host, with a password. */
const LOGIN = /^[a-z+]{1,20}:\/\/[^/?#:]*:[^/?#@]*@/i;

/** Whether another node can check the same: it has no folder of this one, and no password is stored for it. */
function isForAnyNode(scope: string, { kind }: ResolvedScope): boolean {
  if (redactSecrets(scope) !== scope) return false;
  return kind === 'repository' ? REMOTE.test(scope) && !LOGIN.test(scope) : kind !== 'scan';
}

/** Has this process make checks that any node may make; called once, where a server begins to work. */
export async function handleChecks(services: Services): Promise<void> {
  const room = await services.compliance();
  room.handleChecks(async ({ owner, scope, terms }, signal, progress) => {
    const { scopes, given } = JSON.parse(terms) as CheckTerms;
    const ctx: CheckContext = {
      caller: { id: owner, via: 'http', scopes: new Set(scopes) },
      services,
      folders: [],
      offers: () => true,
      signal,
      progress,
    };
    return withJudgements(await gatherEvidence(scope, await resolveScope(scope, ctx), ctx), given);
  });
}

/** Judgements of a call are about what it checks, by whatever name. */
function withJudgements(evidence: Evidence, given: readonly Attestation[]): Evidence {
  const own = given.map((one) => ({ ...one, scope: evidence.scope }));
  return { ...evidence, judgements: [...(evidence.judgements ?? []), ...own] };
}
