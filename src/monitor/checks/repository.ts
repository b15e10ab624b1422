import type { Check, Gap, Problem } from '../check.ts';

/**
 * Scans of repositories; each problem keeps the scan's own rule. A scan that fails is told as the check's trouble, and
 * what the one before found stands; so does what a scanner may have found that failed in a scan.
 */

/** Most problems of one scan that are told, the worst first; the scan itself has them all. */
const MOST = 200;

export const repository: Check = {
  name: 'repository',
  version: 1,
  sort: 'scan',
  rules: [],
  wants: ({ kind }) => kind === 'repository',
  async run(target, probe) {
    if (target.kind !== 'repository') return { unseen: 'it is no repository' };
    const { findings: found, failed } = await probe.scan(target);
    const all = [...found]
      .sort((a, b) => b.score - a.score)
      .map(({ fingerprint, description, scanners, ...rule }): Problem => {
        return { rule, description, scanners, subject: fingerprint };
      });
    // What is not told is there all the same: an alert of it stands.
    const why = `there are more than ${MOST} problems`;
    const more = all.slice(MOST).map(({ rule, subject = '' }): Gap => ({ rules: [rule], subject, why }));
    return {
      problems: all.slice(0, MOST),
      gaps: [...more, ...failed],
      measures: { vulnerabilities: found.length },
    };
  },
};
