import type { MonitorCheck } from '../probing/check.ts';
import { DEFAULT_RETRIES, DEFAULT_RETRY_MS } from '../probing/probe-options.ts';

/** Milliseconds, and intervals, for which a page has to stay as it was lately before that is a change. */
const [SETTLE_MS, SETTLE_INTERVALS] = [3_600_000, 4];

/** Compares a page with what it said before. A change is not a problem, so the check has no rules. */
export const page: MonitorCheck = {
  name: 'page',
  version: 1,
  sort: 'watch',
  rules: [],
  wants: ({ kind }) => kind === 'page',
  async run(target, probe) {
    if (target.kind !== 'page') return { unseen: 'it is not a watched page' };
    const { retries: confirmations = DEFAULT_RETRIES, retryMs = DEFAULT_RETRY_MS } = probe.probing;
    const settleMs = Math.max(SETTLE_MS, SETTLE_INTERVALS * probe.intervalMs);
    const watched = await probe.lookAtPage(target.url, { now: probe.now(), settleMs, confirmations });
    const { shown, isPending } = watched;
    return { problems: [], measures: { shown }, watched, ...(isPending && { againInMs: retryMs }) };
  },
};
