import type { Check, Fault, Gap } from '../check.ts';

/**
 * Scans of repositories; each fault keeps the scan's own rule. A scan that fails is told as the check's trouble, and
 * what the one before found stands; so does what a scanner may have found that failed in a scan.
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
    const { faults: found, failed } = await visit.scan(target);
    const all = [...found]
      .sort((a, b) => b.score - a.score)
      .map(({ fingerprint, description, scanners, ...rule }): Fault => {
        return { rule, description, scanners, subject: fingerprint };
      });
    // What is not told is there all the same: an alert of it stands.
    const why = `there are more than ${MOST} faults`;
    const more = all.slice(MOST).map(({ rule, subject = '' }): Gap => ({ rules: [rule], subject, why }));
    return {
      faults: all.slice(0, MOST),
      gaps: [...more, ...failed],
      measures: { vulnerabilities: found.length },
    };
  },
};
