import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isMonitorLockHeld, runningServerUrl } from '../../src/storage/lock.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** The program run by its `main`: it ends as a process would, and leaves nothing behind in this one. */

let folder: ReturnType<typeof temporaryFolder>;
let env: Record<string, string>;
beforeEach(async () => {
  folder = temporaryFolder();
  env = { ...environment(folder.path), ...(await withoutModel()) };
});
afterEach(() => folder.remove());

/** What a run could leave in the process. */
function left(signals: EventEmitter) {
  const events = ['SIGINT', 'SIGTERM', 'exit', 'uncaughtException', 'unhandledRejection'];
  const counts = (emitter: EventEmitter) => events.map((event) => emitter.listenerCount(event));
  const held = process
    .getActiveResourcesInfo()
    .filter((name) => /TCP|Pipe|Server|Worker|MessagePort/.test(name));
  return { ours: counts(signals), process: counts(process), held: held.sort(), exitCode: process.exitCode };
}

/** What is there now and was not before. What earlier tests of this process left may go meanwhile. */
function more(before: ReturnType<typeof left>, now: ReturnType<typeof left>): string[] {
  const held = [...before.held];
  const added = now.held.filter((name) => {
    const at = held.indexOf(name);
    if (at >= 0) held.splice(at, 1);
    return at < 0;
  });
  const listeners = (['ours', 'process'] as const).filter((of) =>
    now[of].some((count, at) => count > (before[of][at] ?? 0)),
  );
  return [...added, ...listeners, ...(now.exitCode === before.exitCode ? [] : ['exit code'])];
}

/** A server in this process, once it listens; `stop` gives it SIGTERM. */
async function serve() {
  const signals = new EventEmitter();
  const ended = runMagpie(['serve'], env, { signals });
  await expect.poll(() => runningServerUrl(folder.path)).toBeDefined();
  return {
    url: runningServerUrl(folder.path) ?? '',
    signals,
    async stop() {
      signals.emit('SIGTERM');
      return ended;
    },
  };
}

test.each([
  [['list'], 0],
  [['metadatakb'], 0],
  [['nonsense'], 2],
  [['browse', 'http://127.0.0.1:9/'], 1],
  [['key', 'create', '--scope', 'read'], 0],
  [['serve', '--host', '0.0.0.0'], 2],
])('%j leaves nothing behind', async (args, code) => {
  const signals = new EventEmitter();
  // What stays by design is there after a first run: what a module loads once.
  await runMagpie(args, env, { signals });
  const before = left(signals);
  expect(await runMagpie(args, env, { signals })).toMatchObject({ code });
  await expect.poll(() => more(before, left(signals))).toEqual([]);
  expect(before.ours).toEqual([0, 0, 0, 0, 0]);
});

test('a server that ends releases its folder, its port and the monitors, and the next server takes them', async () => {
  const first = await serve();
  expect((await fetch(`${first.url}/list`)).status).toBe(200);
  await expect.poll(() => isMonitorLockHeld(folder.path)).toBe(true);
  expect(first.signals.listenerCount('SIGTERM')).toBe(1);
  const { code, stdout, stderr } = await first.stop();
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(/^magpie is listening on http:/);
  expect(first.signals.eventNames()).toEqual([]);
  expect([runningServerUrl(folder.path), isMonitorLockHeld(folder.path)]).toEqual([undefined, false]);
  await expect(fetch(`${first.url}/list`)).rejects.toThrow();

  const second = await serve();
  expect((await fetch(`${second.url}/list`)).status).toBe(200);
  expect((await second.stop()).code).toBe(0);
});

test('a server that cannot listen releases its folder', async () => {
  const first = await serve();
  const { port } = new URL(first.url);
  const other = temporaryFolder();
  const taken = { ...environment(other.path), MAGPIE_PORT: port };
  const { code, stderr } = await runMagpie(['serve'], taken);
  expect([code, stderr]).toEqual([1, expect.stringContaining(port)]);
  expect(await runMagpie(['serve'], taken)).toMatchObject({ code: 1, stderr });
  await first.stop();
  other.remove();
});

test('at a terminal stdio says that it waits for an assistant', async () => {
  const typed = Object.assign(Readable.from([]), { isTTY: true });
  expect((await runMagpie(['stdio'], env, { stdin: typed })).stderr).toContain(
    'waits for an assistant on standard input',
  );
  const piped = await runMagpie(['stdio'], env, { stdin: Readable.from([]) });
  expect(piped.stderr).not.toContain('waits for an assistant');
});
