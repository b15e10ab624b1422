import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { ScanRequest } from '../../src/security/scans/scan.ts';
import type { TreeScanner } from '../../src/security/scans/scanner.ts';
import { type ScanRoom, type ScanRoomOptions, scanRoom } from '../helpers/scan-room.ts';

const folders: string[] = [];
const rooms: ScanRoom[] = [];
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'magpie-scan-test-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function open(options: Partial<ScanRoomOptions> = {}): Promise<ScanRoom> {
  const made = await scanRoom({ folder: folder(), ...options });
  rooms.push(made);
  return made;
}

const plain = (repository: string): ScanRequest => ({ repository, deep: false, dependencies: false });
const never = new AbortController().signal;
const quiet = { signal: never, progress() {} };

describe('a scan', () => {
  test('returns the findings of its scanners, worst first, and stores them', async () => {
    const { room, open: opened } = await open();
    const tree = folder({
      'b.txt': 'x\nFAULT low one\n',
      'a/a.txt': 'FAULT critical two',
      'c.skip': 'FAULT high no',
    });
    const scan = await room.scan('ann', plain(tree), {}, quiet);
    expect(scan).toMatchObject({
      state: 'completed',
      counts: { critical: 1, high: 0, medium: 0, low: 1, info: 0, suppressed: 0 },
      report: {
        files: 3,
        kept: 0,
        commit: 'c0ffee',
        left: [],
        scanners: [{ name: 'marks', ok: true, findings: 2 }],
      },
    });
    const findings = await room.listFindings('ann', scan.id);
    expect(
      findings.map(({ severity, path, line, scanners }) => ({ severity, path, line, scanners })),
    ).toEqual([
      { severity: 'critical', path: 'a/a.txt', line: 1, scanners: ['marks'] },
      { severity: 'low', path: 'b.txt', line: 2, scanners: ['marks'] },
    ]);
    for (const { fingerprint } of findings) expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(await room.listFindings('ann', scan.id, { floor: 'high' })).toHaveLength(1);
    expect((await room.listFindings('ann', scan.id, { offset: 1, limit: 1 }))[0]?.severity).toBe('low');
    expect(opened()).toBe(0);
  });

  test('says what its scanners cannot read', async () => {
    const { room } = await open({ scanners: ['echo'] });
    const scan = await room.scan('ann', plain(folder({ 'a.txt': 'a', 'b.deaf': 'b' })), {}, quiet);
    expect(scan.report?.left).toEqual(['b.deaf has no echo']);
  });

  test('of an unchanged tree reads no file again, and of a changed tree only the changed files', async () => {
    const { room, reads } = await open();
    const tree = folder({ 'a.txt': 'FAULT low one', 'b.txt': 'nothing', 'c.txt': 'FAULT high two' });
    const first = await room.scan('ann', plain(tree), {}, quiet);
    const before = await room.listFindings('ann', first.id);
    reads.length = 0;
    const second = await room.scan('ann', plain(tree), {}, quiet);
    // Files with findings are read for the comments in them.
    expect(reads.sort()).toEqual(['a.txt', 'c.txt']);
    expect(second.report).toMatchObject({ files: 3, kept: 3 });
    expect(await room.listFindings('ann', second.id)).toEqual(before);
    writeFileSync(join(tree, 'b.txt'), 'FAULT medium three');
    const third = await room.scan('ann', plain(tree), {}, quiet);
    expect(third).toMatchObject({ report: { kept: 2 }, counts: { medium: 1, low: 1, high: 1 } });
  });

  test('shares no stored results between users or between depths', async () => {
    const { room } = await open();
    const tree = folder({ 'a.txt': 'FAULT low one' });
    const { id } = await room.scan('ann', plain(tree), {}, quiet);
    expect((await room.scan('bob', plain(tree), {}, quiet)).report?.kept).toBe(0);
    expect((await room.scan('ann', { ...plain(tree), deep: true }, {}, quiet)).report?.kept).toBe(0);
    await expect(room.readScan('bob', id)).rejects.toThrow('there is no scan');
    await expect(room.listFindings('bob', id)).rejects.toThrow('there is no scan');
    await expect(room.removeScan('bob', id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await room.listScans('bob')).toHaveLength(1);
    expect((await room.readScan('ann', id)).state).toBe('completed');
  });

  test('names a scanner that throws, without the content of the file, and the other scanners continue', async () => {
    const { room } = await open({ scanners: ['marks', 'brittle'] });
    const tree = folder({
      'a.txt': 'FAULT low one\nBREAK hunter2',
      'b.txt': 'BREAK',
      'c.txt': 'FAULT low two',
    });
    const scan = await room.scan('ann', plain(tree), {}, quiet);
    expect(scan.counts?.low).toBe(2);
    expect(scan.report?.scanners).toMatchObject([
      { name: 'marks', ok: true, findings: 2 },
      { name: 'brittle', ok: false, reason: expect.stringMatching(/^[ab]\.txt: TypeError.*\(and 1 more\)$/) },
    ]);
    expect(JSON.stringify(scan)).not.toContain('hunter2');
    expect((await room.scan('ann', plain(tree), {}, quiet)).report?.kept).toBe(1);
  });

  test('skips a scanner for a file on which it hangs or ends its thread', async () => {
    const { room } = await open({ scanners: ['marks', 'slow', 'brittle'], fileMs: 100 });
    const tree = folder({
      'a.txt': 'LOOP FAULT low one',
      'b.txt': 'FAULT low two',
      'c.txt': 'EXIT FAULT low three',
    });
    const scan = await room.scan('ann', plain(tree), {}, quiet);
    expect(scan.counts?.low).toBe(3);
    expect(scan.report?.left).toEqual([
      'a.txt: slow took over 0.1 seconds of processor time',
      'c.txt: brittle broke its thread',
    ]);
  });

  test('is shown as failed although the failure cannot be stored yet, and is stored as soon as possible', async () => {
    const { room, db } = await open({ scanners: ['marks'] });
    const tree = folder({ 'a.txt': 'FAULT low one' });
    // As with a full disk: neither the result nor the failure of a scan can be written.
    await db.write((sql) =>
      sql.run(
        "CREATE TRIGGER full BEFORE UPDATE OF state ON scans WHEN NEW.state IN ('completed', 'failed') BEGIN SELECT RAISE(FAIL, 'the disk is full'); END",
      ),
    );
    await expect(room.scan('ann', plain(tree), {}, quiet)).rejects.toThrow();
    const [scan] = await room.listScans('ann');
    expect(scan).toMatchObject({ state: 'failed', reason: expect.any(String), progress: undefined });
    const stored = async () =>
      (await db.read((sql) => sql.all('SELECT state FROM scans'))) as { state: string }[];
    expect(await stored()).toEqual([{ state: 'running' }]);
    await expect(room.writeReport('ann', scan?.id ?? '', 'sarif')).rejects.toThrow(
      /is failed: only a completed scan/,
    );
    await db.write((sql) => sql.run('DROP TRIGGER full'));
    await vi.waitUntil(async () => (await stored())[0]?.state === 'failed', {
      timeout: 60_000,
      interval: 20,
    });
    expect(await room.readScan('ann', scan?.id ?? '')).toEqual(scan);
  });

  test('skips no scanner because the machine is busy: only the processor time of the scanner counts', async () => {
    const { room } = await open({ scanners: ['marks', 'held'], fileMs: 100 });
    const tree = folder({ 'a.txt': 'WAIT FAULT low one', 'b.txt': 'WORK FAULT low two' });
    // Four threads that never rest, on however few cores.
    await room.scan('ann', plain(folder({ 'a.txt': 'the scanners are loaded' })), {}, quiet);
    const busy = Array.from({ length: 4 }, () => new Worker('for (;;);', { eval: true }));
    try {
      const scan = await room.scan('ann', plain(tree), {}, quiet);
      expect(scan.report?.left).toEqual([]);
      expect(scan.report?.scanners).toMatchObject([
        { name: 'marks', ok: true, findings: 2 },
        { name: 'held', ok: true, findings: 2 },
      ]);
      expect(scan.report?.left).toEqual([]);
    } finally {
      await Promise.all(busy.map((one) => one.terminate()));
    }
  });

  test('stops within a second of a cancellation, whatever a scanner does', async () => {
    const deaf: TreeScanner = { name: 'deaf', scan: () => new Promise(() => {}) };
    const { room, open: opened } = await open({ scanners: ['slow'], trees: [deaf] });
    const tree = folder({ 'a.txt': 'LOOP' });
    const stop = new AbortController();
    const messages: string[] = [];
    const scan = room.scan(
      'ann',
      plain(tree),
      {},
      {
        signal: stop.signal,
        progress: ({ message }) => messages.push(message),
      },
    );
    const failed = expect(scan).rejects.toMatchObject({ code: 'cancelled' });
    await expect
      .poll(async () => (await room.listScans('ann'))[0]?.state, { timeout: 60_000 })
      .toBe('running');
    await expect.poll(opened, { timeout: 60_000 }).toBe(1);
    stop.abort();
    await failed;
    expect(opened()).toBe(0);
    expect((await room.listScans('ann'))[0]).toMatchObject({
      state: 'failed',
      reason: 'the scan was cancelled',
    });
    expect(messages[0]).toMatch(/^fetching /);
  });

  test('over the time limit fails and names the setting that raises the limit', async () => {
    const { room } = await open({ scanners: ['slow'], timeoutMs: 200 });
    const scan = room.scan('ann', plain(folder({ 'a.txt': 'LOOP' })), {}, quiet);
    await expect(scan).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('MAGPIE_SCAN_TIMEOUT'),
    });
  });

  test('reports from the history only findings that are not in the tree, once, with their commit', async () => {
    const blob = (blob: string, text: string) => ({
      path: 'old.txt',
      bytes: text.length,
      blob,
      commit: `commit-of-${blob}`,
      content: Buffer.from(text),
    });
    const { room } = await open({
      scanners: ['marks', 'echo'],
      past: [blob('2', 'FAULT high gone\nFAULT low here'), blob('1', 'FAULT high gone')],
    });
    const tree = folder({ 'old.txt': 'FAULT low here' });
    const scan = await room.scan('ann', { ...plain(tree), deep: true }, {}, quiet);
    expect(await room.listFindings('ann', scan.id)).toMatchObject([
      { severity: 'high', identity: 'gone', commit: 'commit-of-2', scanners: ['marks'] },
      { severity: 'low', identity: 'here', scanners: ['marks', 'echo'], aliases: ['echo/fault'] },
    ]);
    expect((await room.listFindings('ann', scan.id))[1]).not.toHaveProperty('commit');
  });
});

describe('scanners of the tree', () => {
  const advice = (dependencies: boolean): TreeScanner => ({
    name: dependencies ? 'packages' : 'whole',
    dependencies: dependencies || undefined,
    async scan({ tree, uses }) {
      const used = { ecosystem: 'npm', name: 'left', version: '1.0.0' };
      uses([{ ...used, path: 'package-lock.json' }]);
      const file = tree.files[0]?.path ?? '';
      return [
        {
          id: 'CVE-1',
          severity: 'high',
          title: 't',
          description: 'd',
          fix: 'f',
          path: file,
          package: used,
          identity: 'x',
        },
      ];
    },
  });

  test('run beside the file scanners; the dependency scanner runs only on request', async () => {
    const { room } = await open({ trees: [advice(false), advice(true)] });
    const tree = folder({ 'package-lock.json': '{}' });
    const without = await room.scan('ann', plain(tree), {}, quiet);
    expect(without.report?.scanners.map(({ name }) => name)).toEqual(['marks', 'whole']);
    const scan = await room.scan('ann', { ...plain(tree), dependencies: true }, {}, quiet);
    // The same advisory for the same package, from two scanners.
    expect(await room.listFindings('ann', scan.id)).toMatchObject([
      { id: 'CVE-1', scanners: ['whole', 'packages'] },
    ]);
    expect(await room.listComponents('ann', scan.id)).toHaveLength(2);
  });

  test('are named with their error message when they fail', async () => {
    const broken: TreeScanner = {
      name: 'broken',
      scan: async () => Promise.reject(new AppError('upstream', 'the advisories did not come')),
    };
    const { room } = await open({ trees: [broken] });
    const scan = await room.scan('ann', plain(folder({ 'a.txt': 'FAULT low one' })), {}, quiet);
    expect(scan.counts?.low).toBe(1);
    expect(scan.report?.scanners[1]).toMatchObject({
      name: 'broken',
      ok: false,
      reason: 'the advisories did not come',
    });
  });
});

describe('scans', () => {
  test('in the background are queued and run, and their state can be read', async () => {
    const { room } = await open({ atOnce: 1 });
    const tree = folder({ 'a.txt': 'FAULT low one' });
    const started = await Promise.all([1, 2, 3].map(() => room.startScan('ann', plain(tree))));
    const ids = started.map(({ id }) => id);
    expect((await room.listScans('ann')).map(({ state }) => state)).toContain('queued');
    await expect
      .poll(
        async () =>
          (await room.listScans('ann')).filter(({ id }) => ids.includes(id)).map(({ state }) => state),
        {
          timeout: 60_000,
        },
      )
      .toEqual(['completed', 'completed', 'completed']);
  });

  test('past the limit of waiting scans are refused', async () => {
    const { room } = await open({ atOnce: 1, scanners: ['slow'] });
    const tree = folder({ 'a.txt': 'LOOP' });
    for (let n = 0; n < 11; n++) await room.startScan('ann', plain(tree));
    await expect(room.startScan('ann', plain(tree))).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: 30,
      message: '10 of your scans wait already: try again when one has ended',
    });
    expect(await room.listScans('ann')).toHaveLength(11);
    expect((await room.startScan('bob', plain(tree))).state).toBe('queued');
  });

  test('are limited in number, and the oldest is dropped', async () => {
    const { room } = await open({ keep: 2 });
    const tree = folder({ 'a.txt': 'FAULT low one' });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await room.scan('ann', plain(tree), {}, quiet)).id);
    expect((await room.listScans('ann')).map(({ id }) => id)).toEqual([ids[3], ids[2]]);
  });

  test('survive a restart; a scan that was running is failed, with its reason', async () => {
    const data = folder();
    const first = await scanRoom({ folder: data, scanners: ['marks'] });
    const done = await first.room.scan('ann', plain(folder({ 'a.txt': 'FAULT low one' })), {}, quiet);
    // As a process leaves it that was killed.
    await first.db.write((sql) =>
      sql.run(
        `INSERT INTO scans (id, owner, repository, deep, dependencies, state, runner, beat_at, message, created_at)
       VALUES ('dead', 'ann', 'r', 0, 0, 'running', 'elsewhere 1 x', ?, '', 5), ('far', 'ann', 'r', 0, 0, 'running', 'elsewhere 1 x', ?, '', 4)`,
        Date.now() - 120_000,
        Date.now(),
      ),
    );
    await first.close();
    const { room } = await open({ folder: data });
    expect(await room.listFindings('ann', done.id)).toHaveLength(1);
    expect(await room.readScan('ann', 'dead')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('was stopped'),
    });
    expect((await room.readScan('ann', 'far')).state).toBe('running');
  });

  test('under way fail with a reason when the module is closed', async () => {
    const data = folder();
    const first = await scanRoom({ folder: data, scanners: ['slow'] });
    const { id } = await first.room.startScan('ann', plain(folder({ 'a.txt': 'LOOP' })));
    await expect.poll(() => first.open(), { timeout: 60_000 }).toBe(1);
    await first.close();
    const { room } = await open({ folder: data });
    expect(await room.readScan('ann', id)).toMatchObject({
      state: 'failed',
      reason: 'Magpie was stopped while it ran',
    });
  });

  test('of another process show their state, and a removal by that process ends them without a record', async () => {
    const data = folder();
    const [first, second] = [await open({ folder: data, scanners: ['slow'] }), await open({ folder: data })];
    const stop = new AbortController();
    const tree = folder({ 'a.txt': 'LOOP' });
    const watch = { signal: stop.signal, progress() {} };
    const scan = first.room.scan('ann', plain(tree), {}, watch);
    const failed = expect(scan).rejects.toMatchObject({ code: 'cancelled' });
    await expect
      .poll(async () => (await second.room.listScans('ann'))[0]?.state, { timeout: 60_000 })
      .toBe('running');
    const [{ id = '' } = {}] = await second.room.listScans('ann');
    await second.room.removeScan('ann', id);
    stop.abort();
    await failed;
    expect(await first.room.listScans('ann')).toEqual([]);
  });

  test('that another process removes before the end are not stored', async () => {
    const data = folder();
    const [first, second] = [await open({ folder: data }), await open({ folder: data })];
    const use = async () => {
      const [{ id = '' } = {}] = await second.room.listScans('ann');
      await second.room.removeScan('ann', id);
    };
    const scan = first.room.scan('ann', plain(folder({ 'a.txt': 'FAULT low one' })), { use }, quiet);
    await expect(scan).rejects.toThrow('the scan was removed while it ran');
    expect(await first.room.listScans('ann')).toEqual([]);
  });

  test('do not start once the module is closed, and the scans requested earlier end', async () => {
    const made = await scanRoom({ folder: folder(), scanners: ['slow'] });
    const tree = folder({ 'a.txt': 'LOOP' });
    const asked = [1, 2, 3].map(() => made.room.scan('ann', plain(tree), {}, quiet));
    const ended = Promise.allSettled(asked);
    await made.close();
    for (const outcome of await ended) {
      expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
    }
    await expect(made.room.startScan('ann', plain(tree))).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('show no credentials of a repository address', async () => {
    const { room, db } = await open();
    const request = plain('https://user:hunter2@nowhere.example/r.git');
    await expect(room.scan('ann', request, {}, quiet)).rejects.toThrow();
    expect(
      JSON.stringify([await room.listScans('ann'), await db.read((sql) => sql.all('SELECT * FROM scans'))]),
    ).not.toContain('hunter2');
    expect((await room.listScans('ann'))[0]?.request.repository).toBe('https://nowhere.example/r.git');
  });

  test('can be removed, also while they run', async () => {
    const { room, open: opened } = await open({ scanners: ['slow'] });
    const { id } = await room.startScan('ann', plain(folder({ 'a.txt': 'LOOP' })));
    await expect.poll(opened, { timeout: 60_000 }).toBe(1);
    await room.removeScan('ann', id);
    expect(await room.listScans('ann')).toEqual([]);
    expect(opened()).toBe(0);
  });
});

describe('suppressed findings', () => {
  test.each(['kept scan', 'json', 'sarif'] as const)(
    'a baseline of a %s contains no findings that a comment or the ignore file suppresses, and the findings of its own baseline',
    async (form) => {
      const { room } = await open();
      const tree = folder({
        'a.txt': '# magpie-ignore marks/fault accepted for now\nFAULT high commented',
        'b.txt': 'FAULT high filed',
        'c.txt': 'FAULT high old',
        '.magpieignore': 'marks/* b.txt for a while',
      });
      const first = await room.scan('ann', plain(tree), {}, quiet);
      expect(first.counts).toMatchObject({ high: 1, suppressed: 2 });
      const baselineOf = async (id: string) => {
        if (form === 'kept scan') return room.baselineOfScan('ann', id);
        const data = { data: { vulnerabilities: await room.listVulnerabilities('ann', id) } };
        return room.baselineOfFile(
          form === 'sarif' ? await room.writeReport('ann', id, 'sarif') : JSON.stringify(data),
          'x',
        );
      };
      expect((await baselineOf(first.id)).fingerprints.size).toBe(1);
      // A baseline of a scan that had one still has what that one knew.
      const chained = await room.scan('ann', plain(tree), { baseline: await baselineOf(first.id) }, quiet);
      expect(chained.counts).toMatchObject({ high: 0, suppressed: 3 });
      // It has expired: the finding is new, though it was there when the baseline was made.
      writeFileSync(join(tree, '.magpieignore'), 'marks/* b.txt for a while expires=2020-01-31');
      writeFileSync(join(tree, 'a.txt'), '\nFAULT high commented');
      const later = await room.scan('ann', plain(tree), { baseline: await baselineOf(chained.id) }, quiet);
      expect(later.counts).toMatchObject({ high: 2, suppressed: 1 });
    },
  );

  test('comments, the ignore file and a baseline suppress findings and give the reason', async () => {
    const { room } = await open();
    const tree = folder({
      'a.js': 'FAULT high one // magpie-ignore marks/fault made up for a test\nFAULT high two',
      'vendor/b.js': 'FAULT high three',
      '.magpieignore':
        '# ours\nmarks/* vendor/ not our code expires=2999-01-01\nmarks/* a.js gone expires=2001-01-01\n',
    });
    const first = await room.scan('ann', plain(tree), {}, quiet);
    expect(first.counts).toMatchObject({ high: 1, suppressed: 2, info: 1 });
    expect(await room.listFindings('ann', first.id)).toMatchObject([
      { identity: 'two' },
      { id: 'suppression/expired', path: '.magpieignore', line: 3, scanners: ['suppression'] },
      { identity: 'one', suppressed: { by: 'comment', reason: 'made up for a test' } },
      { identity: 'three', suppressed: { by: 'file', reason: 'not our code' } },
    ]);
    writeFileSync(join(tree, 'a.js'), '\n\nFAULT high four\nFAULT high two');
    const baseline = await room.baselineOfScan('ann', first.id);
    const second = await room.scan('ann', plain(tree), { baseline }, quiet);
    expect(second.counts).toMatchObject({ high: 1, suppressed: 3, info: 0 });
    expect((await room.listFindings('ann', second.id))[0]).toMatchObject({ identity: 'four', line: 3 });
    expect(await room.listFindings('ann', second.id)).toContainEqual(
      expect.objectContaining({
        identity: 'two',
        suppressed: { by: 'baseline', reason: `known from scan ${first.id}` },
      }),
    );
  });
});
