import { AppError } from '../errors.ts';
import { redactSecrets } from '../lib/redact.ts';
import type { Logger } from '../log.ts';
import { type Check, type CheckResult, isUnseen, limitOf, type Unseen } from './check.ts';
import { isTimeout, withDeadline } from './deadline.ts';
import type { Target } from './target.ts';
import type { Visit } from './visit.ts';

/** What one check found, or why it failed. */
export interface Seen {
  readonly check: Check;
  readonly result: CheckResult | Unseen;
  readonly trouble?: string;
}

export type Outcome = 'good' | 'findings' | 'unknown' | 'failed';

/**
 * One check at one target, within the check's own time. What it throws is its trouble, so that the others go on; so is
 * the end of its time, or of the whole visit's. Rejects when the visit is broken off otherwise.
 */
export async function runCheck(check: Check, target: Target, visit: Visit, log: Logger): Promise<Seen> {
  const { signal } = visit;
  try {
    const result = await withDeadline(signal, limitOf(check), (own) => check.run(target, visit.under(own)));
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

/** In a word, for whoever counts them. */
export function outcomeOf({ result, trouble }: Seen): Outcome {
  if (trouble !== undefined) return 'failed';
  if (isUnseen(result)) return 'unknown';
  return result.faults.length > 0 ? 'findings' : 'good';
}
