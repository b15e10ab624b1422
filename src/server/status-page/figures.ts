/** Shares as the status page and its badges show them. */

/** Shares from which on a day, or a whole time, counts as good, and as nearly so. */
const [GOOD, FAIR] = [0.999, 0.95];

/** Two places, and 100 only where it was never down. */
export function percentOf(share: number): string {
  return `${(Math.floor(share * 1e4) / 100).toFixed(2).replace(/\.00$/, '')}%`;
}

export function dayLevel(uptime: number | undefined): 'none' | 'good' | 'fair' | 'bad' {
  if (uptime === undefined) return 'none';
  if (uptime >= GOOD) return 'good';
  return uptime >= FAIR ? 'fair' : 'bad';
}
