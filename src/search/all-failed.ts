import { AppError } from '../errors.ts';
import { isWithoutNetwork } from '../lib/network-failure.ts';
import type { Outcome } from './gather.ts';

/** Lines of advice below the reasons. */
const MOST_LINES = 3;

/**
 * The error of a search that no engine answered: each with its reason, and below these at most three lines that say
 * what to do: to wait, and of `remedies`, which are what this machine has not yet. Several engines whose names could
 * not be looked up have one reason together, which is the network of this machine. `retryAfter` is the soonest time
 * that an engine has named.
 */
export function allFailed(outcomes: readonly Outcome[], remedies: readonly string[] = []): AppError {
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
  reasons.push(...nothingFound(outcomes));
  const waits = failed.flatMap(({ wait }) => wait ?? []);
  const retryAfter = waits.length > 0 ? Math.ceil(Math.max(1000, Math.min(...waits)) / 1000) : undefined;
  const offline = failed.length > 0 && together.length === failed.length;
  const advice = offline ? ["Check this machine's network connection."] : [waiting(retryAfter), ...remedies];
  return new AppError(
    'upstream',
    [`failed to fetch search results: ${reasons.join('; ')}.`, ...advice.slice(0, MOST_LINES)].join('\n'),
    retryAfter === undefined ? {} : { retryAfter },
  );
}

/** Engines that answered with nothing, of which an error has to say why that was not believed. */
function nothingFound(outcomes: readonly Outcome[]): string[] {
  const empty = outcomes.filter(({ ok, hits, name }) => ok && hits.length === 0 && name !== 'local');
  if (empty.length === 0) return [];
  const names = empty.map(({ name }) => name).join(', ');
  return [`${names} found nothing, which alone does not say that the web has nothing`];
}

function waiting(seconds: number | undefined): string {
  if (seconds === undefined) return 'Try again later, or read a known address with browse.';
  const until = new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19);
  return `Wait until ${until}Z and ask again, or read a known address with browse.`;
}
