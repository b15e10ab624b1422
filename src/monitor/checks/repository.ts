import type { Check, Gap, Problem } from '../probing/check.ts';

/**
 * Scans of repositories; each problem keeps the scan's own rule. A scan that fails is reported as the check's trouble,
 * and what the one before found stands; so does what a scanner may have found that failed in a scan.
 */

/** Most problems of one scan that are reported, the worst first; the scan itself has them all. */
const MAX_PROBLEMS = 200;

export const repository: Check = {
  name: 'repository',
  version: 1,
  sort: 'scan',
  rules: [],
  wants: ({ kind }) => kind === 'repository',
  async run(target, probe) {
    if (target.kind !== 'repository') return { unseen: 'it is not a repository' };
    const { findings: found, failed } = await probe.scan(target);
    const all = [...found]
      .sort((a, b) => b.score - a.score)
      .map(({ fingerprint, description, scanners, ...rule }): Problem => {
        return { rule, description, scanners, subject: fingerprint };
      });
    // What is not reported is there all the same: its alert stays open.
    const why = `there are more than ${MAX_PROBLEMS} problems`;
    const more = all
      .slice(MAX_PROBLEMS)
      .map(({ rule, subject = '' }): Gap => ({ rules: [rule], subject, why }));
    return {
      problems: all.slice(0, MAX_PROBLEMS),
      gaps: [...more, ...failed],
      measures: { vulnerabilities: found.length },
    };
  },
};
