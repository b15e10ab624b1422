import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SEVERITIES, type Severity } from '../../src/lib/severity.ts';
import type { Finding, SoftwareComponent } from '../../src/security/findings/finding.ts';
import { countFindings, type ScanRequest } from '../../src/security/scans/scan.ts';
import type { CompletedScan, ScanStore } from '../../src/security/scans/scan-store.ts';

/** An empty store; `open` opens its data once more, as another process does. */
export interface ScanPlace {
  open(): Promise<ScanStore>;
  remove(): Promise<void>;
}

const PLENTY = 100;
const RUNNER = 'host 1 x';
const REQUEST: ScanRequest = { repository: 'https://git.example/r', deep: true, dependencies: false };

function finding(title: string, severity: Severity = 'high'): Finding {
  return {
    id: 'rule',
    severity,
    title,
    description: `o'hara 🐦 "x" of ${title}`,
    fix: 'f',
    path: 'a.txt',
    line: 3,
    scanners: ['marks'],
    fingerprint: title.padStart(32, '0'),
  };
}

function component(name: string): SoftwareComponent {
  return { ecosystem: 'npm', name, version: '1.0.0', path: 'package-lock.json' };
}

function result(findings: readonly Finding[], components: readonly SoftwareComponent[] = []): CompletedScan {
  return {
    report: { files: 1, bytes: 2, kept: 0, left: ['a link'], gaps: [], scanners: [], commit: 'c0ffee' },
    counts: countFindings(findings),
    findings,
    components,
  };
}

/** What every driver of ScanStore does. */
export function describeScanStore(name: string, makeEmpty: () => Promise<ScanPlace>): void {
  describe(`${name} as ScanStore`, () => {
    let place: ScanPlace;
    let store: ScanStore;
    let other: ScanStore;
    beforeEach(async () => {
      place = await makeEmpty();
      [store, other] = [await place.open(), await place.open()];
    });
    afterEach(() => place.remove());

    const insert = (id: string, { owner = 'ann', from = store, createdAt = 1000, kept = PLENTY } = {}) =>
      from.insertScan(owner, { id, request: REQUEST, runner: RUNNER, createdAt }, kept);
    const complete = async (id: string, findings: readonly Finding[] = [], from = store) => {
      await from.startScan(id, RUNNER, 2000);
      return from.completeScan(id, RUNNER, result(findings), 3000);
    };
    const ids = async (owner: string, from = store) => (await from.listScans(owner)).map((scan) => scan.id);
    const titles = (findings?: readonly Finding[]) => findings?.map(({ title }) => title);

    test('a scan is queued, runs, reports its progress and completes, for every opener', async () => {
      await insert('1');
      const queued = {
        id: '1',
        owner: 'ann',
        request: REQUEST,
        state: 'queued',
        runner: RUNNER,
        isShared: false,
        beatAt: 1000,
        createdAt: 1000,
      };
      expect(await other.readScan('ann', '1')).toEqual(queued);
      expect(await other.listUnfinished()).toEqual([queued]);
      await store.startScan('1', RUNNER, 2000);
      await store.recordHeartbeat('1', RUNNER, 'searched 1 of 2 files', 2500);
      const running = {
        ...queued,
        state: 'running',
        startedAt: 2000,
        beatAt: 2500,
        progress: { message: 'searched 1 of 2 files' },
      };
      expect(await other.readScan('ann', '1')).toEqual(running);
      expect(await other.listUnfinished()).toEqual([running]);
      const done = result([finding('one')], [component('left')]);
      expect(await store.completeScan('1', RUNNER, done, 3000)).toBe(true);
      const { progress: _, ...started } = running;
      const completed = {
        ...started,
        state: 'completed',
        endedAt: 3000,
        report: done.report,
        counts: done.counts,
      };
      expect(await other.readScan('ann', '1')).toEqual(completed);
      expect(await other.listScans('ann')).toEqual([completed]);
      expect(await other.listUnfinished()).toEqual([]);
      expect(await other.listFindings('ann', '1', {})).toEqual(done.findings);
      expect(await other.listComponents('ann', '1')).toEqual(done.components);
      expect(await other.readContents('ann', '1')).toEqual({
        scan: completed,
        findings: done.findings,
        components: done.components,
      });
    });

    test('a scan that any process may run belongs to the process that began last, which alone stores its result', async () => {
      await store.insertScan(
        'ann',
        { id: '1', request: REQUEST, runner: RUNNER, createdAt: 5, terms: '{}' },
        PLENTY,
      );
      await insert('2');
      expect(await other.readTerms('1')).toEqual({ owner: 'ann', request: REQUEST, terms: '{}' });
      expect([await other.readTerms('2'), await other.readTerms('none')]).toEqual([undefined, undefined]);
      expect(await store.startScan('1', RUNNER, 10)).toBe(true);
      expect(await other.startScan('1', 'host 2 y', 20)).toBe(true);
      expect(await store.recordHeartbeat('1', RUNNER, 'late', 30)).toBe(false);
      expect(await store.completeScan('1', RUNNER, result([finding('late'), finding('later')]), 30)).toBe(
        false,
      );
      await store.failScan('1', 'late', 30, { runner: RUNNER });
      expect(await other.readScan('ann', '1')).toMatchObject({
        state: 'running',
        runner: 'host 2 y',
        isShared: true,
      });
      expect(await other.completeScan('1', 'host 2 y', result([finding('one')]), 40)).toBe(true);
      expect(titles(await store.listFindings('ann', '1', {}))).toEqual(['one']);
      expect(await store.startScan('1', RUNNER, 50)).toBe(false);
      expect(await other.completeScan('1', 'host 2 y', result([finding('again')]), 60)).toBe(false);
      expect(await store.readTerms('1')).toBeUndefined();
    });

    test('text is returned as it was, except characters that no database stores', async () => {
      const request = { ...REQUEST, repository: `/o'hara 🐦/"x"\0`, branch: 'main' };
      await store.insertScan('ann', { id: '1', request, runner: 'r', createdAt: 5 }, PLENTY);
      expect((await other.readScan('ann', '1'))?.request).toEqual({
        ...request,
        repository: `/o'hara 🐦/"x"`,
      });
      expect(await store.readScan('ann', '1\0\ud800')).toBeUndefined();
      await expect(insert('2', { owner: 'half \ud800' })).rejects.toMatchObject({ code: 'bad_request' });
      await expect(store.listScans('half \ud800')).rejects.toMatchObject({ code: 'bad_request' });
    });

    test('keeps the scans of each owner apart', async () => {
      await insert('1');
      await complete('1', [finding('one')]);
      expect(await store.readScan('bob', '1')).toBeUndefined();
      expect(await store.listFindings('bob', '1', {})).toBeUndefined();
      expect(await store.listComponents('bob', '1')).toBeUndefined();
      expect(await store.readContents('bob', '1')).toBeUndefined();
      expect(await store.removeScan('bob', '1')).toBe(false);
      expect(await ids('bob')).toEqual([]);
      expect(await ids('ann')).toEqual(['1']);
    });

    test('lists scans by creation, newest first, and scans of one moment by insertion', async () => {
      await insert('c', { createdAt: 5 });
      await insert('a', { createdAt: 5 });
      await insert('b', { createdAt: 5, from: other });
      await insert('d', { createdAt: 4 });
      expect(await ids('ann')).toEqual(['b', 'a', 'c', 'd']);
    });

    test('removes the oldest ended scans of an owner beyond the number to keep', async () => {
      await insert('b', { owner: 'bob' });
      await complete('b');
      await insert('runs', { createdAt: 1 });
      for (const [at, id] of ['1', '2', '3'].entries()) {
        await insert(id, { createdAt: 10 + at, kept: 2 });
        await complete(id);
      }
      expect(await ids('ann')).toEqual(['3', '2', 'runs']);
      await store.failScan('runs', 'no', 5);
      await insert('4', { createdAt: 20, kept: 2 });
      expect(await ids('ann')).toEqual(['4', '3']);
      expect(await ids('bob')).toEqual(['b']);
    });

    test('thousands of findings keep their order, and are read by severity and in pages', async () => {
      await insert('1');
      const findings = Array.from({ length: 2100 }, (_, at) =>
        finding(`${at}`, SEVERITIES[Math.floor(at / 500)] ?? 'info'),
      );
      await complete('1', findings);
      expect(await other.listFindings('ann', '1', {})).toEqual(findings);
      expect(await store.listFindings('ann', '1', { floor: 'high' })).toHaveLength(1000);
      const page = await store.listFindings('ann', '1', { offset: 498, limit: 4 });
      expect(titles(page)).toEqual(['498', '499', '500', '501']);
      expect(await store.listFindings('ann', '1', { offset: 5000, limit: 4 })).toEqual([]);
    });

    test('a scan that has not completed shows no findings, even if some were written', async () => {
      await insert('1');
      const many = Array.from({ length: 2000 }, (_, at) => finding(`${at}`));
      const completing = complete('1', many);
      for (let reads = 0; reads < 20; reads++) {
        const seen = await other.readContents('ann', '1');
        expect(seen?.findings).toHaveLength(seen?.scan.state === 'completed' ? 2000 : 0);
        expect(seen?.scan.counts !== undefined).toBe(seen?.scan.state === 'completed');
      }
      await completing;
      expect(await other.listFindings('ann', '1', { limit: 1 })).toHaveLength(1);
    });

    test('a failed scan keeps its reason, and an ended scan keeps its state', async () => {
      await insert('1');
      await store.failScan('1', 'first', 10);
      expect(await other.readScan('ann', '1')).toMatchObject({
        state: 'failed',
        reason: 'first',
        endedAt: 10,
      });
      await other.failScan('1', 'second', 20);
      await other.startScan('1', RUNNER, 20);
      await other.recordHeartbeat('1', RUNNER, 'third', 20);
      expect(await store.readScan('ann', '1')).toMatchObject({
        state: 'failed',
        reason: 'first',
        beatAt: 1000,
      });
      expect(await store.listFindings('ann', '1', {})).toEqual([]);
      await insert('2');
      await complete('2', [finding('one')]);
      await other.failScan('2', 'late', 4000);
      expect(await store.readScan('ann', '2')).toMatchObject({ state: 'completed', endedAt: 3000 });
    });

    test('a scan counts as silent only while no heartbeat arrives', async () => {
      await insert('1');
      await store.startScan('1', RUNNER, 2000);
      await other.recordHeartbeat('1', RUNNER, 'on', 9000);
      await store.failScan('1', 'silent', 9500, { silentSince: 2000 });
      expect((await store.readScan('ann', '1'))?.state).toBe('running');
      await store.failScan('1', 'silent', 9500, { silentSince: 9000 });
      expect(await store.readScan('ann', '1')).toMatchObject({ state: 'failed', reason: 'silent' });
    });

    test('a scan is removed once with all its findings, and nothing restores it', async () => {
      await insert('1');
      await complete('1', [finding('one')]);
      const outcomes = await Promise.all([store.removeScan('ann', '1'), other.removeScan('ann', '1')]);
      expect(outcomes.sort()).toEqual([false, true]);
      expect(await store.listFindings('ann', '1', {})).toBeUndefined();
      await insert('2');
      await store.startScan('2', RUNNER, 2000);
      await other.removeScan('ann', '2');
      await store.recordHeartbeat('2', RUNNER, 'on', 2500);
      expect(await store.completeScan('2', RUNNER, result([finding('one')], [component('left')]), 3000)).toBe(
        false,
      );
      expect(await store.completeScan('2', RUNNER, result([]), 3000)).toBe(false);
      await store.failScan('2', 'gone', 3000);
      expect(await ids('ann')).toEqual([]);
      // A scan of the same id would show what was left of it.
      await insert('2');
      await complete('2');
      expect(await store.readContents('ann', '2')).toMatchObject({ findings: [], components: [] });
    });

    test('a second insertion with the same id fails and changes nothing', async () => {
      await insert('1');
      await expect(insert('1', { owner: 'bob', from: other })).rejects.toThrow();
      expect(await ids('bob')).toEqual([]);
      expect((await store.readScan('ann', '1'))?.owner).toBe('ann');
    });

    test('two openers that write at once lose nothing', async () => {
      const all = Array.from({ length: 20 }, (_, at) => `${at}`);
      await Promise.all(
        all.map(async (id, at) => {
          const from = at % 2 ? store : other;
          await insert(id, { from });
          await complete(id, [finding(id), finding(`${id} too`)], from);
        }),
      );
      expect((await ids('ann')).sort()).toEqual(all.toSorted());
      for (const id of all) {
        expect(titles(await store.listFindings('ann', id, {}))).toEqual([id, `${id} too`]);
      }
      expect(await store.listUnfinished()).toEqual([]);
    });

    test('a scan of a killed process is unfinished for the next opener, which can fail or remove it', async () => {
      await insert('queued');
      await insert('running');
      await store.startScan('running', RUNNER, 2000);
      await insert('done');
      await complete('done', [finding('one')]);
      const next = await place.open();
      expect((await next.listUnfinished()).map(({ id }) => id).sort()).toEqual(['queued', 'running']);
      expect(titles(await next.listFindings('ann', 'done', {}))).toEqual(['one']);
      await next.failScan('running', 'its process is gone', 9000, { silentSince: 2000 });
      await next.removeScan('ann', 'queued');
      expect(await next.listUnfinished()).toEqual([]);
    });
  });
}
