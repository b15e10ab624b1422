import { AppError } from '../errors.ts';
import { isWithoutNetwork } from '../lib/network-failure.ts';
import type { Outcome } from './gather.ts';

/**
 * The error of a search that no engine answered: each with its reason. Several whose names could not be looked up have
 * one reason together, which is the network of this machine and not the engines'. `retryAfter` is set where every one waits.
 */
export function allFailed(outcomes: readonly Outcome[]): AppError {
  const failed = outcomes.filter(({ ok }) => !ok);
  const unreached = failed.filter(({ reason = '' }) => isWithoutNetwork(reason));
  const together = unreached.length > 1 ? unreached : [];
  const reasons = failed
    .filter((one) => !together.includes(one))
    .map(({ name, reason }) => `${name}: ${reason}`);
  if (together.length > 0) {
    const names = together.map(({ name }) => name).join(', ');
    reasons.push(`${names} cannot be reached: there is no network, or its name service does not answer`);
  }
  const waits = failed.flatMap(({ wait }) => wait ?? []);
  const offline = together.length === failed.length;
  return new AppError(
    'upstream',
    `failed to fetch search results: ${reasons.join('; ')}. ${offline ? "Check this machine's network connection" : 'Try again later, or read a known address with browse'}`,
    // Where one engine may be asked again at once, no time is named.
    waits.length > 0 && waits.length === failed.length
      ? { retryAfter: Math.ceil(Math.max(1000, Math.min(...waits)) / 1000) }
      : {},
  );
}
