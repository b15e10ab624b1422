import { AppError } from '../../errors.ts';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import type { Logger } from '../../log.ts';
import type { Target } from '../targets/target.ts';
import type { Outcome } from '../types.ts';
import { type Check, type CheckResult, isUnseen, limitOf, type Unseen } from './check.ts';
import type { ProbeContext } from './probe-context.ts';

export interface Seen {
  readonly check: Check;
  readonly result: CheckResult | Unseen;
  readonly trouble?: string;
}

/** Runs a check within its limit. Errors and timeouts become its failure; rejects if the job is aborted otherwise. */
export async function runCheck(
  check: Check,
  target: Target,
  probe: ProbeContext,
  log: Logger,
): Promise<Seen> {
  const { signal } = probe;
  try {
    const result = await withDeadline(signal, limitOf(check), (own) => check.run(target, probe.under(own)));
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

export function outcomeOf({ result, trouble }: Seen): Outcome {
  if (trouble !== undefined) return 'failed';
  if (isUnseen(result)) return 'unknown';
  return result.problems.length > 0 ? 'findings' : 'good';
}
