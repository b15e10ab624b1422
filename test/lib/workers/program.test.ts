import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { enableStarterProcess } from '../../../src/lib/workers/process-host.ts';
import { type RunningProgram, startProgram } from '../../../src/lib/workers/program.ts';

const start = (script: string): Promise<RunningProgram> =>
  startProgram({
    command: 'sh',
    args: ['-c', script],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', NAME: 'magpie' },
  });

describe.runIf(process.platform !== 'win32').each(['by this process', 'by a small one'])(
  'programs started %s',
  (how) => {
    let startHere = () => {};
    beforeAll(() => {
      if (how === 'by a small one') startHere = enableStarterProcess();
    });
    afterAll(() => startHere());

    test('have streams, environment, folder and exit code', async () => {
      const program = await start('cat; pwd; env; echo said >&2; exit 3');
      program.stdin.end('asked\n');
      const [out, said, code] = await Promise.all([
        text(program.stdout),
        text(program.stderr),
        program.ended,
      ]);
      expect(out.split('\n').slice(0, 2)).toEqual(['asked', '/']);
      expect(out.split('\n').slice(2)).toContain('NAME=magpie');
      expect(out).not.toContain('NODE_');
      expect([said, code]).toEqual(['said\n', 3]);
    });

    test('return a long output whole, and wait for the reader', async () => {
      const program = await start('head -c 5000000 /dev/zero');
      program.stdin.end();
      let bytes = 0;
      for await (const chunk of program.stdout) bytes += chunk.length;
      expect(bytes).toBe(5_000_000);
      expect(await program.ended).toBe(0);
    });

    test('end when their output is not read', async () => {
      const program = await start('echo one; echo two >&2');
      program.stdin.end();
      expect(await program.ended).toBe(0);
    });

    test('return a short output whole while this thread is busy', async () => {
      const busy = setInterval(() => {
        for (const begun = performance.now(); performance.now() - begun < 30; );
      }, 3);
      try {
        for (let n = 0; n < 4; n++) {
          const program = await start(`echo ${n}`);
          program.stdin.end();
          expect([await text(program.stdout), await program.ended]).toEqual([`${n}\n`, 0]);
        }
      } finally {
        clearInterval(busy);
      }
    });

    test('are ended with their whole process group', async () => {
      const program = await start('sleep 1000 & echo $!; wait');
      const child = await new Promise<number>((resolve) =>
        program.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))),
      );
      program.kill();
      expect(await program.ended).toBe(null);
      await expect.poll(() => isAlive(child)).toBe(false);
    });

    test('report a missing program', async () => {
      const missing = startProgram({
        command: 'no-such-program',
        args: [],
        cwd: '/',
        env: { PATH: '/usr/bin' },
      });
      await expect(missing.then(({ ended }) => ended)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    test.runIf(process.platform === 'linux')(
      'are children of this process or of the starter process',
      async () => {
        const program = await start('echo $PPID');
        program.stdin.end();
        expect(Number(await text(program.stdout)) === process.pid).toBe(how === 'by this process');
      },
    );
  },
);

test.runIf(process.platform === 'linux')(
  'if the starter process is killed, its programs fail, and the next program starts another starter',
  async () => {
    const startHere = enableStarterProcess();
    const [parent, unheard] = await Promise.all([start('echo $PPID; sleep 1000'), start('sleep 1000')]);
    const small = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))),
    );
    process.kill(small, 'SIGKILL');
    const closed = once(unheard.stdout, 'close');
    await expect(parent.ended).rejects.toThrow('has ended');
    await closed;
    const next = await start('echo $PPID');
    next.stdin.end();
    const other = Number(await text(next.stdout));
    expect([process.pid, small]).not.toContain(other);
    startHere();
  },
);

/** A process of its own, since here other files may have processes that keep the starter. */
const ENDS_STARTER = `(async () => {
  const [{ enableStarterProcess }, { startProgram }] = await Promise.all(['process-host', 'program'].map((name) => import(process.argv[1] + name + '.ts')));
  const end = enableStarterProcess();
  const program = await startProgram({ command: 'sh', args: ['-c', 'echo $PPID'], cwd: '/', env: { PATH: '/usr/bin:/bin' } });
  program.stdin.end();
  console.log(process.pid, Number(await program.stdout.toArray()));
  end();
})()`;

test.runIf(process.platform === 'linux')(
  'the starter process ends when this process serves no longer, and this process can end',
  async () => {
    const workers = new URL('../../../src/lib/workers/', import.meta.url).href;
    const args = ['--eval', ENDS_STARTER, workers];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [own, starter] = stdout.split(' ').map(Number);
    expect(starter).not.toBe(own);
    await expect.poll(() => isAlive(Number(starter))).toBe(false);
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.runIf(process.platform === 'linux')(
  'if no socket can be created in the temporary folder, this process starts the programs itself',
  async () => {
    const startHere = enableStarterProcess();
    const folder = mkdtempSync(join(tmpdir(), 'magpie-program-'));
    const long = join(folder, 'a'.repeat(120));
    mkdirSync(long);
    try {
      for (const place of [join(folder, 'missing'), long]) {
        vi.stubEnv('TMPDIR', place);
        const program = await start('echo $PPID');
        program.stdin.end();
        expect(Number(await text(program.stdout))).toBe(process.pid);
        await expect.poll(() => readdirSync(long)).toEqual([]);
      }
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
      startHere();
    }
  },
);
