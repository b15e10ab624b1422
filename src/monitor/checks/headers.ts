import {
  type CheckProblem,
  type CheckRule,
  defineRules,
  isInconclusiveResult,
  type MonitorCheck,
} from '../probing/check.ts';
import { toReadablePage } from '../probing/to-readable-page.ts';
import POINTS from './header-points.json' with { type: 'json' };
import { judgeCsp } from './observatory/csp.ts';
import { parsePageDocument } from './observatory/document.ts';
import {
  judgeContentTypeOptions,
  judgeFraming,
  judgeHsts,
  judgeReferrerPolicy,
  judgeResourcePolicy,
} from './observatory/headers.ts';
import { judgeScripts } from './observatory/scripts.ts';
import rules from './rules.json' with { type: 'json' };

const RULES = defineRules('headers', rules.headers);

type HeaderRule = keyof typeof RULES;
/** HTTP Observatory points by test and verdict, with the rule that the verdict breaks. */
interface VerdictPoints {
  readonly points: number;
  readonly rule?: string;
}

export const headers: MonitorCheck = {
  name: 'headers',
  version: 1,
  sort: 'watch',
  rules: Object.values(RULES),
  wants: ({ kind }) => kind === 'url',
  async run(target, probe) {
    const page = toReadablePage(await probe.page(target.name));
    if (isInconclusiveResult(page)) return page;
    const points: Record<string, number> = {};
    const problems: CheckProblem[] = [];
    const report = (test: string, seen: string, verdict: VerdictPoints) => {
      points[test] = verdict.points;
      const rule = RULES[verdict.rule as HeaderRule] as CheckRule | undefined;
      if (rule) problems.push({ rule, description: `${page.url}: ${seen}` });
    };
    const document = parsePageDocument(page);
    const url = new URL(page.url);
    const secure = url.protocol === 'https:';
    const policies = page.header('content-security-policy');
    const csp = judgeCsp(policies, document.equivalent('content-security-policy'), secure);
    report('content-security-policy', shown(policies), POINTS.csp[csp.verdict]);
    const hsts = judgeHsts(page);
    const sent = shown(page.header('strict-transport-security'));
    const why = hsts === 'untrusted' ? '; none counts as long as browsers do not trust the certificate' : '';
    report('strict-transport-security', `${sent}${why}`, POINTS.hsts[hsts]);
    report(
      'x-frame-options',
      shown(page.header('x-frame-options')),
      POINTS.framing[judgeFraming(page, csp.framing)],
    );
    const sniffing = shown(page.header('x-content-type-options'));
    report('x-content-type-options', sniffing, POINTS.sniffing[judgeContentTypeOptions(page)]);
    const referrer = [...page.header('referrer-policy'), ...document.equivalent('referrer-policy')];
    report('referrer-policy', shown(referrer), POINTS.referrer[judgeReferrerPolicy(referrer)]);
    const name = 'cross-origin-resource-policy';
    const resource = [...page.header(name), ...document.equivalent(name)];
    report(name, shown(resource), POINTS.resource[judgeResourcePolicy(resource)]);
    const scripts = document.html ? judgeScripts(document.scripts, url) : 'none';
    const loaded = document.scripts.flatMap(({ src }) => src ?? []).slice(0, 5);
    report('subresource-integrity', `scripts ${shown(loaded)}`, POINTS.script[scripts]);
    return { problems, points };
  },
};

function shown(values: readonly string[]): string {
  const text = values.join(', ');
  if (text === '') return 'not sent';
  return text.length > 300 ? `${text.slice(0, 297)}...` : text;
}
