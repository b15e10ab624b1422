import {
  type CheckProblem,
  type CheckRule,
  defineRules,
  isInconclusiveResult,
  type MonitorCheck,
} from '../probing/check.ts';
import { toReadablePage } from '../probing/to-readable-page.ts';
import { type CspVerdict, judgeCsp } from './observatory/csp.ts';
import { parsePageDocument } from './observatory/document.ts';
import {
  type HstsVerdict,
  judgeContentTypeOptions,
  judgeFraming,
  judgeHsts,
  judgeReferrerPolicy,
  judgeResourcePolicy,
} from './observatory/headers.ts';
import { judgeScripts, type ScriptVerdict } from './observatory/scripts.ts';
import rules from './rules.json' with { type: 'json' };

const RULES = defineRules('headers', rules.headers);

type HeaderRule = keyof typeof RULES;
type Verdicts<V extends string> = Readonly<Record<V, readonly [points: number, rule?: HeaderRule]>>;

const CSP_POINTS: Verdicts<CspVerdict> = {
  missing: [-25, 'csp-missing'],
  invalid: [-25, 'csp-invalid'],
  'unsafe-inline': [-20, 'csp-unsafe-inline'],
  'insecure-scheme': [-20, 'csp-insecure-scheme'],
  'unsafe-eval': [-10, 'csp-unsafe-eval'],
  'insecure-passive': [-10, 'csp-insecure-passive'],
  'unsafe-style': [0],
  repeated: [0],
  good: [5],
  strict: [10],
};
const HSTS_POINTS: Verdicts<HstsVerdict> = {
  good: [0],
  short: [-10, 'hsts-short'],
  missing: [-20, 'hsts-missing'],
  invalid: [-20, 'hsts-invalid'],
  untrusted: [-20, 'hsts-invalid'],
  'no-https': [-20, 'no-https'],
};

const FRAMING_POINTS: Verdicts<ReturnType<typeof judgeFraming>> = {
  policy: [5],
  good: [0],
  missing: [-20, 'framing-allowed'],
  invalid: [-20, 'framing-allowed'],
};
const SNIFFING_POINTS: Verdicts<ReturnType<typeof judgeContentTypeOptions>> = {
  good: [0],
  missing: [-5, 'sniffing-allowed'],
  invalid: [-5, 'sniffing-allowed'],
};
const REFERRER_POINTS: Verdicts<ReturnType<typeof judgeReferrerPolicy>> = {
  private: [5],
  missing: [0],
  unsafe: [-5, 'referrer-unsafe'],
  invalid: [-5, 'referrer-unsafe'],
};
const RESOURCE_POINTS: Verdicts<ReturnType<typeof judgeResourcePolicy>> = {
  own: [10],
  open: [0],
  missing: [0],
  invalid: [-5, 'resource-policy-invalid'],
};
const SCRIPT_POINTS: Verdicts<ScriptVerdict> = {
  none: [0],
  own: [0],
  pinned: [5],
  unpinned: [-5, 'scripts-unpinned'],
  'pinned-insecure': [-20, 'scripts-insecure'],
  insecure: [-50, 'scripts-insecure'],
};

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
    const report = (test: string, seen: string, [count, key]: readonly [number, HeaderRule?]) => {
      points[test] = count;
      const rule: CheckRule | undefined = key && RULES[key];
      if (rule) problems.push({ rule, description: `${page.url}: ${seen}` });
    };
    const document = parsePageDocument(page);
    const url = new URL(page.url);
    const secure = url.protocol === 'https:';
    const policies = page.header('content-security-policy');
    const csp = judgeCsp(policies, document.equivalent('content-security-policy'), secure);
    report('content-security-policy', shown(policies), CSP_POINTS[csp.verdict]);
    const hsts = judgeHsts(page);
    const sent = shown(page.header('strict-transport-security'));
    const why = hsts === 'untrusted' ? '; none counts as long as browsers do not trust the certificate' : '';
    report('strict-transport-security', `${sent}${why}`, HSTS_POINTS[hsts]);
    report(
      'x-frame-options',
      shown(page.header('x-frame-options')),
      FRAMING_POINTS[judgeFraming(page, csp.framing)],
    );
    const sniffing = shown(page.header('x-content-type-options'));
    report('x-content-type-options', sniffing, SNIFFING_POINTS[judgeContentTypeOptions(page)]);
    const referrer = [...page.header('referrer-policy'), ...document.equivalent('referrer-policy')];
    report('referrer-policy', shown(referrer), REFERRER_POINTS[judgeReferrerPolicy(referrer)]);
    const name = 'cross-origin-resource-policy';
    const resource = [...page.header(name), ...document.equivalent(name)];
    report(name, shown(resource), RESOURCE_POINTS[judgeResourcePolicy(resource)]);
    const scripts = document.html ? judgeScripts(document.scripts, url) : 'none';
    const loaded = document.scripts.flatMap(({ src }) => src ?? []).slice(0, 5);
    report('subresource-integrity', `scripts ${shown(loaded)}`, SCRIPT_POINTS[scripts]);
    return { problems, points };
  },
};

function shown(values: readonly string[]): string {
  const text = values.join(', ');
  if (text === '') return 'not sent';
  return text.length > 300 ? `${text.slice(0, 297)}...` : text;
}
