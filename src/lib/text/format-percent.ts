/** Formats a share with two decimal places, rounded down. `100%` is exactly 1. */
export function formatPercent(share: number): string {
  return `${(Math.floor(share * 1e4) / 100).toFixed(2).replace(/\.00$/, '')}%`;
}
