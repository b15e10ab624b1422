import { defineRules, type MonitorCheck } from '../probing/check.ts';
import { isConnectionFailure } from '../probing/connection-failure.ts';
import type { ProbeContext } from '../probing/probe-context.ts';
import { stripHostBrackets, type UrlTarget } from '../targets/target.ts';

/** Checks whether plain HTTP is redirected to https, with the HTTP Observatory's rules and points. */

const FIX = 'Answer plain HTTP with a redirect to https on the same host, and from there to wherever else.';

const RULES = defineRules('redirection', {
  missing: { score: 4.8, title: 'Plain HTTP is not sent to https', fix: FIX, cwe: ['CWE-319'] },
  'not-to-https': {
    score: 4.8,
    title: 'Plain HTTP is sent elsewhere, but not to https',
    fix: FIX,
    cwe: ['CWE-319'],
  },
  'not-at-once': {
    score: 3.1,
    title: 'Plain HTTP is sent to https by a detour over HTTP',
    fix: FIX,
    cwe: ['CWE-319'],
  },
  'to-another-host': {
    score: 2,
    title: 'Plain HTTP is sent to https on another host',
    fix: FIX,
    cwe: ['CWE-319'],
  },
  untrusted: {
    score: 4.8,
    title: 'Plain HTTP is sent to https with a certificate that clients do not trust',
    fix: 'Use a certificate that clients trust.',
    cwe: ['CWE-295'],
  },
});

type RedirectionRule = keyof typeof RULES;
const POINTS: Readonly<Record<RedirectionRule, number>> = {
  missing: -20,
  'not-to-https': -20,
  'not-at-once': -10,
  'to-another-host': -5,
  untrusted: -20,
};

export const redirection: MonitorCheck = {
  name: 'redirection',
  version: 1,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: (target) => target.kind === 'url' && plainOf(target) !== undefined,
  async run(target, probe) {
    const address = target.kind === 'url' ? plainOf(target) : undefined;
    if (address === undefined) return { unseen: 'it has no plain HTTP' };
    const page = await probe.page(address);
    if (isConnectionFailure(page)) {
      // A closed port for plain HTTP is as good as a redirect, but only if the site itself is up.
      const isAlone = (await isClosed(address, probe)) && !isConnectionFailure(await probe.page(target.name));
      if (isAlone) return { problems: [], points: { redirection: 0 } };
      return { unseen: `${address} ${page.reason}`.slice(0, 300) };
    }
    const way = page.hops.map(({ url }) => new URL(url));
    const key = page.lastTls && !page.trusted ? 'untrusted' : judge(way);
    if (!key) return { problems: [], points: { redirection: 0 } };
    const description = way.map(({ href }) => href).join(' -> ');
    return {
      problems: [{ rule: RULES[key], description: description.slice(0, 500) }],
      points: { redirection: POINTS[key] },
    };
  },
};

function plainOf({ name, plain }: UrlTarget): string | undefined {
  if (plain !== undefined) return plain;
  const url = new URL(name);
  return url.protocol === 'https:' && url.port === '' ? `http://${url.host}/` : undefined;
}

async function isClosed(address: string, probe: ProbeContext): Promise<boolean> {
  const { hostname, port } = new URL(address);
  const taken = await probe.connect({ host: stripHostBrackets(hostname), port: Number(port || 80) });
  return isConnectionFailure(taken) && ['ECONNREFUSED', 'ETIMEDOUT'].includes(taken.code);
}

function judge(way: readonly URL[]): RedirectionRule | undefined {
  const [first, second] = way;
  if (!first || !second) return 'missing';
  if (way.at(-1)?.protocol !== 'https:') return 'not-to-https';
  if (second.protocol === 'http:') return 'not-at-once';
  return first.hostname === second.hostname ? undefined : 'to-another-host';
}
