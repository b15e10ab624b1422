import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMetrics } from '../../src/metrics.ts';

/** The dashboard and the alerts of `deploy/observe` ask for what `/metrics` gives; `.ci/deploy` runs the alerts on figures. */

const read = (name: string) => readFileSync(new URL(`../../deploy/observe/${name}`, import.meta.url), 'utf8');
const DASHBOARD = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })).min(10),
});
const ALERTS = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })).min(5) })),
});

const asked = [
  ...DASHBOARD.parse(JSON.parse(read('dashboard.json'))).panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr] as const),
  ),
  ...ALERTS.parse(parse(read('alerts.yaml'))).groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }) => [alert, expr] as const),
  ),
];

test.each(asked)('%s: its metrics and labels are there', async (_, expr) => {
  const metrics = createMetrics('1.2.3');
  metrics.observe('query', 'mcp', 'ok', 0.1);
  metrics.alert('network');
  metrics.check('http', 'good', 0.1);
  metrics.monitorAlert('raised');
  metrics.notification('email', 'dead');
  const { text } = await metrics.render();
  const names = expr.match(/\b(?:magpie|process|nodejs)_\w+/g) ?? [];
  for (const name of names) expect(text).toContain(`\n${name}`);
  const labels = [...expr.matchAll(/\{([^}]*)\}|by \(([^)]*)\)/g)]
    .flatMap(([, inside = '', by = '']) => [...inside.matchAll(/(\w+)\s*[!=]/g), ...by.matchAll(/(\w+)/g)])
    .map(([, label = '']) => label)
    .filter((label) => !['job', 'instance'].includes(label));
  const lines = text.split('\n').filter((line) => names.some((name) => line.startsWith(name)));
  for (const label of labels) expect(lines.join('\n')).toMatch(new RegExp(`[{,]${label}=`));
});

test('each alert has its line in the guide for operators', () => {
  const guide = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  for (const { rules } of ALERTS.parse(parse(read('alerts.yaml'))).groups)
    for (const { alert } of rules) expect(guide).toContain(`| \`${alert}\` |`);
});
