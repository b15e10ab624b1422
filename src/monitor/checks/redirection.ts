import { defineRules, type MonitorCheck } from '../probing/check.ts';
import { isConnectionFailure } from '../probing/connection-failure.ts';
import type { ProbeContext } from '../probing/probe-context.ts';
import { stripHostBrackets, type UrlTarget } from '../targets/target.ts';
import rules from './rules.json' with { type: 'json' };

/** Checks whether plain HTTP is redirected to https, with the HTTP Observatory's rules and points. */

const RULES = defineRules('redirection', rules.redirection);

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
      // If the site itself is up, a closed port for plain HTTP is as good as a redirect.
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
