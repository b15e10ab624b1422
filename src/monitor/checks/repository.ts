import type { CheckGap, CheckProblem, MonitorCheck } from '../probing/check.ts';

const MAX_PROBLEMS = 200;

export const repository: MonitorCheck = {
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
      .map(({ fingerprint, description, scanners, ...rule }): CheckProblem => {
        return { rule, description, scanners, subject: fingerprint };
      });
    const why = `there are more than ${MAX_PROBLEMS} problems`;
    const more = all
      .slice(MAX_PROBLEMS)
      .map(({ rule, subject = '' }): CheckGap => ({ rules: [rule], subject, why }));
    return {
      problems: all.slice(0, MAX_PROBLEMS),
      gaps: [...more, ...failed],
      measures: { vulnerabilities: found.length },
    };
  },
};
