import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks } from '../../src/monitor/checks/list.ts';
import { describeMonitorCheck } from '../contracts/monitor-check.ts';
import { SAMPLES } from './check-samples.ts';

test('each check has samples in check-samples.ts, and each sample its check', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(checks.map(({ name }) => name).sort());
});

test('each check has a row in docs/monitoring.md', () => {
  const rows = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^\| `[^|]+\| (?:interval|survey|scan) \|/.test(line))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
  expect(rows.sort()).toEqual(checks.map(({ name }) => name).sort());
});

for (const check of checks) {
  const samples = SAMPLES[check.name];
  if (samples) describeMonitorCheck(check, samples);
}
