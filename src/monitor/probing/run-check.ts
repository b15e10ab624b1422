import { AppError } from '../../errors.ts';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import type { Logger } from '../../log.ts';
import type { Target } from '../targets/target.ts';
import type { CheckOutcome } from '../types.ts';
import { type Check, type CheckResult, getTimeLimitMs, isUnseenResult, type UnseenResult } from './check.ts';
import type { ProbeContext } from './probe-context.ts';

export interface CheckRun {
  readonly check: Check;
  readonly result: CheckResult | UnseenResult;
  readonly trouble?: string;
}

/** Runs a check within its time limit. A failure is a result. Rejects only if the probe is aborted. */
export async function runCheck(
  check: Check,
  target: Target,
  probe: ProbeContext,
  log: Logger,
): Promise<CheckRun> {
  const { signal } = probe;
  try {
    const result = await withDeadline(signal, getTimeLimitMs(check), (own) =>
      check.run(target, probe.withSignal(own)),
    );
    return { check, result };
  } catch (error) {
    if (signal.aborted && !isTimeout(signal.reason)) throw error;
    const trouble = troubleOf(error);
    log.warn({ err: error, check: check.name, target: target.name }, 'a check of monitoring failed');
    return { check, result: { unseen: trouble }, trouble };
  }
}

function troubleOf(error: unknown): string {
  if (isTimeout(error)) return 'it did not end in time';
  const known = error instanceof AppError && error.code !== 'internal';
  return known ? redactSecrets(error.message).slice(0, 500) : 'the check failed; the log has the details';
}

export function classifyCheckRun({ result, trouble }: CheckRun): CheckOutcome {
  if (trouble !== undefined) return 'failed';
  if (isUnseenResult(result)) return 'unknown';
  return result.problems.length > 0 ? 'findings' : 'good';
}
