import { type AppError, upstreamError } from '../../errors.ts';
import { CHECK_NETWORK, isNetworkDownMessage } from '../../lib/network/network-failure.ts';
import type { EngineOutcome } from './gather-outcomes.ts';

const MOST_REMEDIES = 3;
const FEW_REASONS = 3;

export function createAllFailedError(
  outcomes: readonly EngineOutcome[],
  remedies: readonly string[] = [],
): AppError {
  const failed = outcomes.filter(({ ok }) => !ok);
  const unreached = failed.filter(({ reason = '' }) => isNetworkDownMessage(reason));
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
  const advice = offline ? [CHECK_NETWORK] : [waiting(retryAfter), ...remedies.slice(0, MOST_REMEDIES)];
  const why = `${reasons.join('; ')}.`;
  const isBrief = reasons.length <= FEW_REASONS;
  const start = isBrief ? why : `none of ${failed.length} search engines answered.`;
  return upstreamError(
    [`failed to fetch search results: ${start}`, ...advice, ...(isBrief ? [] : [`Reasons: ${why}`])].join(
      '\n',
    ),
    retryAfter === undefined ? {} : { retryAfter },
  );
}

function nothingFound(outcomes: readonly EngineOutcome[]): string[] {
  const empty = outcomes.filter(({ ok, hits, name }) => ok && hits.length === 0 && name !== 'local');
  if (empty.length === 0) return [];
  const names = empty.map(({ name }) => name).join(', ');
  return [`${names} found nothing, which alone does not say that the web has nothing`];
}

function waiting(seconds: number | undefined): string {
  const when = seconds === undefined ? 'later' : `in ${seconds} s`;
  return `Ask again ${when}, or read a known address with browse.`;
}
