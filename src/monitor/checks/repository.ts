import type { Check } from '../check.ts';

/**
 * Scans of repositories; each fault keeps the scan's own rule. A scan that fails is told as the check's trouble, and
 * what the one before found stands.
 */

/** Most faults of one scan that are told, the worst first; the scan itself has them all. */
const MOST = 200;

export const repository: Check = {
  name: 'repository',
  version: 1,
  sort: 'scan',
  rules: [],
  wants: ({ kind }) => kind === 'repository',
  async run(target, visit) {
    if (target.kind !== 'repository') return { unseen: 'it is no repository' };
    const found = await visit.scan(target);
    const worst = [...found].sort((a, b) => b.score - a.score).slice(0, MOST);
    return {
      faults: worst.map(({ fingerprint, description, ...rule }) => ({
        rule,
        description,
        subject: fingerprint,
      })),
      measures: { vulnerabilities: found.length },
    };
  },
};
