const [GOOD, FAIR] = [0.999, 0.95];

export function uptimeLevel(uptime: number | undefined): 'none' | 'good' | 'fair' | 'bad' {
  if (uptime === undefined) return 'none';
  if (uptime >= GOOD) return 'good';
  return uptime >= FAIR ? 'fair' : 'bad';
}
