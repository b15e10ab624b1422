import { defineRules, isInconclusiveResult, type MonitorCheck } from '../probing/check.ts';
import { toReadablePage } from '../probing/to-readable-page.ts';
import { type CookieVerdict, judgeCookies } from './observatory/cookies.ts';
import { judgeHsts } from './observatory/headers.ts';
import rules from './rules.json' with { type: 'json' };

const RULES = defineRules<CookieVerdict>('cookies', rules.cookies);

/** HTTP Observatory points by verdict, from best to worst. A page gets the points of its worst cookie. */
const POINTS: readonly (readonly [CookieVerdict, number])[] = [
  ['not-secure-but-hsts', -5],
  ['not-secure', -20],
  ['session-not-secure-but-hsts', -10],
  ['same-site-invalid', -20],
  ['csrf-without-same-site', -20],
  ['session-not-http-only', -30],
  ['session-not-secure', -40],
];
const MAX_COOKIES = 50;

export const cookies: MonitorCheck = {
  name: 'cookies',
  version: 1,
  sort: 'watch',
  rules: Object.values(RULES),
  wants: ({ kind }) => kind === 'url',
  async run(target, probe) {
    const page = toReadablePage(await probe.page(target.name));
    if (isInconclusiveResult(page)) return page;
    const set = page.hops.flatMap((hop) => hop.cookies);
    const { problems, cookies: count, sameSite } = judgeCookies(set, judgeHsts(page) === 'good');
    const worst = POINTS.findLast(([verdict]) => problems.some((problem) => problem.verdict === verdict));
    return {
      problems: problems.slice(0, MAX_COOKIES).map(({ verdict, cookie }) => ({
        rule: RULES[verdict],
        description: `${page.url} sets ${cookie}`,
        subject: cookie,
      })),
      measures: { cookies: count },
      points: { cookies: worst?.[1] ?? (count > 0 && sameSite ? 5 : 0) },
    };
  },
};
