import { readFileSync } from 'node:fs';
import { type CheckProblem, defineRules, type MonitorCheck } from '../probing/check.ts';
import { isConnectionFailure } from '../probing/connection-failure.ts';
import { formatUntriedPorts, mapWithinBudget } from '../scheduling/map-within-budget.ts';
import rules from './rules.json' with { type: 'json' };

const RULES = defineRules('ports', rules.ports);

const SENSITIVE: ReadonlyMap<number, string> = new Map(
  JSON.parse(readFileSync(new URL('./sensitive-ports.json', import.meta.url), 'utf8')),
);
const [CONCURRENCY, BUDGET_MS, LIMIT_MS] = [32, 100_000, 110_000];

export const ports: MonitorCheck = {
  name: 'ports',
  version: 1,
  limitMs: LIMIT_MS,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: ({ kind }) => kind === 'host',
  async run(target, probe) {
    if (target.kind !== 'host') return { unseen: 'it is not a machine' };
    const wanted = new Set([...target.ports, ...target.tls]);
    const all = [...new Set([...wanted, ...target.closed, ...SENSITIVE.keys()])];
    const open = new Set<number>();
    const how = { concurrency: CONCURRENCY, budgetMs: BUDGET_MS, signal: probe.signal };
    const { left } = await mapWithinBudget(all, how, async (port) => {
      if (!isConnectionFailure(await probe.connect({ host: target.name, port }))) open.add(port);
    });
    const unknown = new Set(left);
    // If no port answers, the machine is probably down. The check `reachability` reports that.
    if (open.size === 0 && wanted.size > 0) return { unseen: 'no port that should be open answers' };
    const problems: CheckProblem[] = [];
    for (const port of all) {
      if (unknown.has(port)) continue;
      const subject = String(port);
      const service = SENSITIVE.get(port);
      if (wanted.has(port) && !open.has(port)) {
        problems.push({ rule: RULES.closed, description: `port ${port} does not answer`, subject });
      } else if (!wanted.has(port) && open.has(port)) {
        const description = `port ${port}${service ? ` (${service})` : ''} answers`;
        problems.push({ rule: service ? RULES.exposed : RULES.unlisted, description, subject });
      }
    }
    const why = formatUntriedPorts(left.length, all.length);
    const gaps = left.map((port) => ({ subject: String(port), why }));
    return { problems, gaps, measures: { open_ports: open.size } };
  },
};
