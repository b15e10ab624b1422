import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** `magpie tour`: every command of it does what it should, and nothing is left. */

const folder = temporaryFolder();
afterAll(() => folder.remove());

interface Tour {
  readonly steps: readonly {
    readonly command: string;
    readonly code: number;
    readonly good: boolean;
    readonly answer: string;
  }[];
}

test('the tour shows search, knowledge, files, scans, monitors, compliance and automations', async () => {
  const TMPDIR = join(folder.path, 'tmp');
  mkdirSync(TMPDIR);
  const data = join(folder.path, 'data');
  // A person's own settings do not change what it shows.
  const env = { ...environment(data), TMPDIR, MAGPIE_READ_ONLY: 'false', MAGPIE_ENGINES: 'wikipedia' };
  const { code, stdout, stderr } = await runMagpie(['tour', '--json'], env);
  expect(stderr).not.toMatch(/warning/i);
  const { steps } = JSON.parse(stdout) as Tour;
  expect(steps.filter(({ good }) => !good)).toEqual([]);
  expect(code).toBe(0);
  const names = steps.map(({ command }) => command.split(' ')[1]);
  expect(names).toEqual([
    'browse',
    'search',
    'upsert',
    'upsert',
    'query',
    'upload',
    'document',
    'scan',
    'startMonitoring',
    'getMonitoringStatus',
    'checkCompliance',
    'automationrpa',
  ]);
  expect(steps.find(({ command }) => command.startsWith('magpie scan'))?.code).toBe(1);
  expect(readdirSync(TMPDIR)).toEqual([]);
  expect(existsSync(join(data, 'magpie.db'))).toBe(false);
});
