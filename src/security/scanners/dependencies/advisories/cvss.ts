import calculator from 'ae-cvss-calculator';

const VERSIONS = [
  ['CVSS:4.0/', calculator.Cvss4P0],
  ['CVSS:3.1/', calculator.Cvss3P1],
  ['CVSS:3.0/', calculator.Cvss3P0],
] as const;

export function cvssOf(vectors: readonly string[]): { score: number; vector: string } | undefined {
  for (const [prefix, Version] of VERSIONS) {
    const vector = vectors.find((one) => one.startsWith(prefix));
    if (vector === undefined || vector.length > 500) continue;
    try {
      const parsed = new Version(vector);
      // The calculator would count a missing base metric as harmless, so an incomplete vector is skipped.
      if (!parsed.isBaseFullyDefined()) continue;
      const scores = parsed.calculateScores();
      const score = 'base' in scores && typeof scores.base === 'number' ? scores.base : scores.overall;
      if (Number.isFinite(score) && score >= 0 && score <= 10) return { score, vector };
    } catch {
      // This vector cannot be parsed. A vector of an older CVSS version may still have a score.
    }
  }
  return undefined;
}
