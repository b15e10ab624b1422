import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { createLog } from '../../src/log.ts';
import {
  createProbeContext,
  DEFAULT_PROBE_TIMEOUTS_MS,
  type ProbeContext,
  type ProbeContextOptions,
  type ProbeTimeouts,
} from '../../src/monitor/probing/probe-context.ts';
import { createResolver } from '../../src/monitor/probing/resolver.ts';
import { createOwnNetworkTracker } from '../../src/monitor/targets/own-network.ts';

/** As Magpie has them, but that a second attempt comes soon. */
export const QUICK_TIMEOUTS_MS: ProbeTimeouts = { ...DEFAULT_PROBE_TIMEOUTS_MS, retry: 20 };

/** Stands for a network in which no registry answers. */
export const asksNoRegistry: ProbeContextOptions['findRegistration'] = async (domain, before, at) => {
  return { domain, at, nextAt: at, statuses: [], unknown: 'no registry answers', before };
};

/** What a probe works with, on a machine whose name service does not answer. */
export function probeContext({
  resolver = createResolver(['127.0.0.1:9']),
  ...more
}: Partial<ProbeContextOptions>): ProbeContext {
  return createProbeContext({
    guard: createUrlGuard({ allowHosts: [] }),
    resolver,
    network: createOwnNetworkTracker({ resolver, log: createLog('silent') }),
    userAgent: 'Magpie test',
    findRegistration: asksNoRegistry,
    scan: async () => ({ findings: [], failed: [] }),
    owner: 'ada',
    infrastructure: { allow: [] },
    timeouts: QUICK_TIMEOUTS_MS,
    signal: AbortSignal.timeout(60_000),
    ...more,
  });
}
