/** Minimum uptime (0 to 1) of a good, then of a fair day or period. */
const [GOOD, FAIR] = [0.999, 0.95];

/** Formats with two decimal places; `100` only for an uptime of exactly 1. */
export function formatUptimePercent(share: number): string {
  return `${(Math.floor(share * 1e4) / 100).toFixed(2).replace(/\.00$/, '')}%`;
}

export function uptimeLevel(uptime: number | undefined): 'none' | 'good' | 'fair' | 'bad' {
  if (uptime === undefined) return 'none';
  if (uptime >= GOOD) return 'good';
  return uptime >= FAIR ? 'fair' : 'bad';
}
