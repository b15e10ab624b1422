import { z } from 'zod';
import { formatPercent } from '../../src/lib/text/format-percent.ts';

const WINDOWS = ['24h', '7d', '30d', '90d'] as const;

/** `known` is the share of the period with probes; `uptime` is the share of the known time. */
const windows = z.array(
  z.object({
    window: z.enum(WINDOWS),
    uptime: z.number().optional(),
    known: z.number(),
    looks: z.int(),
    p50_ms: z.int().optional(),
    p95_ms: z.int().optional(),
    p99_ms: z.int().optional(),
  }),
);

const days = z.array(z.object({ day: z.string(), uptime: z.number().optional(), known: z.number() }));

export const monitorHistory = z.object({
  windows,
  days: days.optional(),
  targets: z.array(z.object({ name: z.string(), windows, days: days.optional() })).optional(),
  incidents: z.array(
    z.object({
      target: z.string(),
      from: z.string(),
      to: z.string().optional(),
      seconds: z.int(),
      why: z.string(),
    }),
  ),
});

export function historyLines({
  history,
  targets,
}: {
  readonly history?: z.output<typeof monitorHistory> | undefined;
  readonly targets: readonly unknown[];
}): string[] {
  if (!history) return [];
  const { windows: all, incidents } = history;
  const lines = all.flatMap(({ window, uptime, known, p50_ms: p50, p95_ms: p95, p99_ms: p99 }) => {
    if (uptime === undefined) return [];
    const seen =
      known < 0.99 ? ` of the time that is known (${known < 0.005 ? 'under 1%' : formatPercent(known)})` : '';
    const times = p50 === undefined ? '' : `; answers 50% in ${p50} ms, 95% in ${p95}, 99% in ${p99}`;
    return [`last ${window}: up ${formatPercent(uptime)}${seen}${times}`];
  });
  const down = incidents.map(({ target: at, from, to, seconds, why }) => {
    const where = targets.length > 1 ? `${at} ` : '';
    return `${where}down ${from} to ${to ?? 'now'} (${seconds} s)${why && `: ${why}`}`;
  });
  return [...lines, ...down];
}
