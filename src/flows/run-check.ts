import type { Assessment, Job } from '../compliance/types.ts';
import type { Context } from '../operation.ts';
import { gatherEvidence } from './compliance-evidence.ts';
import { meaningOf } from './compliance-scope.ts';

/** What a check is asked for. */
export interface Asked {
  readonly standards: readonly string[];
  readonly scope: string;
}

/**
 * A check: at once under way where the caller wants to be answered later, else with its results. What is wrong with the
 * request itself is told before anything is scanned: AppError as `meaningOf` and the room throw it.
 */
export async function runCheck(
  { standards, scope }: Asked,
  ctx: Context,
): Promise<{ readonly job: Job } | { readonly assessment: Assessment }> {
  const { caller, services, progress, wishes } = ctx;
  const room = await services.compliance();
  const ids = room.resolveStandards(standards);
  const meant = await meaningOf(scope, ctx);
  if (wishes.later) {
    return {
      job: await room.startCheck(caller.id, ids, scope, (signal, tell) =>
        gatherEvidence(scope, meant, { ...ctx, signal, progress: tell }),
      ),
    };
  }
  const evidence = await gatherEvidence(scope, meant, ctx);
  progress(`holding what was found against ${ids.length === 1 ? 'the standard' : `${ids.length} standards`}`);
  return { assessment: await room.assessEvidence(caller.id, ids, evidence) };
}
