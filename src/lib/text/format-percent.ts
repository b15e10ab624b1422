/** Formats a share with two decimal places, rounded down, so that only a share of 1 is `100%`. */
export function formatPercent(share: number): string {
  return `${(Math.floor(share * 1e4) / 100).toFixed(2).replace(/\.00$/, '')}%`;
}
