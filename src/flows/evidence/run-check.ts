import type { Caller } from '../../caller.ts';
import type {
  Assessment,
  Attestation,
  ComplianceJob,
  Evidence,
  GivenAttestation,
} from '../../compliance/types.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import type { OperationContext } from '../../operation.ts';
import type { Services } from '../../wiring/services.ts';
import { gatherEvidence } from './compliance-evidence.ts';
import { type ComplianceCheckContext, type ResolvedScope, resolveScope } from './compliance-scope.ts';

export interface CheckRequest {
  readonly standards: readonly string[];
  readonly scope: string;
  readonly attestations?: readonly GivenAttestation[] | undefined;
}

export async function runCheck(
  { standards, scope, attestations = [] }: CheckRequest,
  ctx: OperationContext,
): Promise<{ readonly job: ComplianceJob } | { readonly assessment: Assessment }> {
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

function termsOf({ scopes }: Caller, given: readonly Attestation[]) {
  return { scopes: [...scopes], given };
}

const REMOTE = /^(?:(?:https?|ssh|git):\/\/|[^/\\\s@:]+@[^/\\\s:]+:)/i;
const LOGIN = /^[a-z+]{1,20}:\/\/[^/?#:]*:[^/?#@]*@/i;

/** Returns true if any node can run the check: it reads no local folder, and `scope` has no password. */
function isForAnyNode(scope: string, { kind }: ResolvedScope): boolean {
  if (redactSecrets(scope) !== scope) return false;
  return kind === 'repository' ? REMOTE.test(scope) && !LOGIN.test(scope) : kind !== 'scan';
}

export async function handleComplianceChecks(services: Services): Promise<void> {
  const room = await services.compliance();
  room.handleChecks(async ({ owner, scope, terms }, signal, progress) => {
    const { scopes, given } = JSON.parse(terms) as ReturnType<typeof termsOf>;
    const ctx: ComplianceCheckContext = {
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

function withJudgements(evidence: Evidence, given: readonly Attestation[]): Evidence {
  const own = given.map((one) => ({ ...one, scope: evidence.scope }));
  return { ...evidence, judgements: [...(evidence.judgements ?? []), ...own] };
}
