import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createRuleNameChecker } from '../../src/security/findings/rule-name-checker.ts';
import { readIgnoreFile } from '../../src/security/findings/suppress-findings.ts';
import { createRepositoryAccess } from '../../src/security/git/remote/repositories.ts';
import { createStepBudget } from '../../src/security/scans/step-budget.ts';
import { scanRoom } from '../helpers/scan-room.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'magpie-own-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

test('Magpie has findings in its own repository only where .magpieignore gives a reason', async () => {
  const repositories = createRepositoryAccess({ folder: data, roots: [], allowHosts: [] });
  const { room, close } = await scanRoom({
    folder: data,
    openTree: repositories.open,
    real: true,
    timeoutMs: 280_000,
  });
  const signal = AbortSignal.timeout(280_000);
  try {
    const request = { repository: ROOT, deep: false, dependencies: false };
    const { id, report } = await room.scan('us', request, { anyFolder: true }, { signal, progress() {} });
    const counting = (await room.listFindings('us', id, { floor: 'medium' })).filter(
      ({ suppressed }) => suppressed === undefined,
    );
    expect(counting.map((one) => `${one.severity} ${one.id} ${one.path}:${one.line}`)).toEqual([]);
    // Files that another process writes to meanwhile are reported as unreadable.
    expect(report?.gaps?.filter(({ kind }) => kind !== 'unreadable')).toEqual([]);
    // An entry for a file that is gone would hide what comes later.
    const text = readFileSync(join(ROOT, '.magpieignore'), 'utf8');
    const { excuses, problems } = await readIgnoreFile(text, Date.now(), {
      names: createRuleNameChecker([]),
      effort: createStepBudget(),
      signal,
    });
    expect(problems).toEqual([]);
    expect(excuses.filter(({ path }) => globSync(path, { cwd: ROOT }).length === 0)).toEqual([]);
    expect(excuses.length).toBeGreaterThan(20);
  } finally {
    await close();
    await repositories.close();
  }
});
