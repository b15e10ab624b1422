import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, printTable, whole } from './figures.ts';
import {
  httpCaller,
  httpStart,
  legacySession,
  modernCall,
  plainGet,
  residentMegabytes,
  start,
  stdioCaller,
  stdioStart,
} from './surface-callers.ts';

/**
 * Calls a second, start-up and memory of Magpie's surfaces, beside the bare SDK and bare node:http in the
 * same run. Rounds alternate between the two, and medians are compared, since the machine drifts.
 */

const ROUNDS = 5;
const SECONDS = 1;
const root = fileURLToPath(new URL('..', import.meta.url));
const servers = join(root, 'bench', 'servers');

type Caller = () => Promise<unknown>;

export async function run(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  await throughput();
  await startUp();
}

async function throughput(): Promise<void> {
  const magpie = await start([join(servers, 'echo-magpie.ts'), 'http']);
  const bare = await start([join(servers, 'bare-http.ts')]);
  const ours = await stdioCaller([join(servers, 'echo-magpie.ts'), 'stdio']);
  const theirs = await stdioCaller([join(servers, 'bare-stdio.ts')]);
  const [mcp = '', plain = ''] = bare.urls;
  const [own = ''] = magpie.urls;
  const pairs: [string, Caller, Caller][] = [
    ['stdio MCP', ours.call, theirs.call],
    ['HTTP MCP, 2026 stateless', modernCall(own), modernCall(mcp)],
    ['HTTP MCP, 2025 session', await legacySession(own), await legacySession(mcp)],
    ['REST, beside node:http', plainGet(`${own}/echo?q=hello`), plainGet(`${plain}/?q=hello`)],
  ];
  const rows: string[][] = [];
  for (const [name, ourCall, theirCall] of pairs) {
    for (const callers of [1, 16]) {
      const rates: [number[], number[]] = [[], []];
      await Promise.all([rate(ourCall, callers, 0.5), rate(theirCall, callers, 0.5)]);
      for (let round = 0; round < ROUNDS; round++) {
        rates[0].push(await rate(ourCall, callers, SECONDS));
        rates[1].push(await rate(theirCall, callers, SECONDS));
      }
      const [a, b] = [median(rates[0]), median(rates[1])];
      rows.push([name, String(callers), whole(a), whole(b), (a / b).toFixed(2)]);
    }
  }
  printTable(['surface', 'callers', 'Magpie, calls/s', 'bare, calls/s', 'ratio'], rows);
  for (const child of [magpie, bare, ours, theirs]) child.stop();
  await httpCaller.close();
}

/** Calls ended a second, with `callers` calls always under way. */
async function rate(call: Caller, callers: number, seconds: number): Promise<number> {
  const began = performance.now();
  const until = began + seconds * 1000;
  let ended = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        await call();
        ended++;
      }
    }),
  );
  return ended / ((performance.now() - began) / 1000);
}

async function startUp(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const main = join(root, 'dist', 'src', 'main.js');
  const env = { ...process.env, MAGPIE_DATA: data, MAGPIE_PORT: '0' };
  const times: Record<string, number[]> = {};
  const add = (name: string, value: number) => {
    times[name] = [...(times[name] ?? []), value];
  };
  for (let round = 0; round < ROUNDS; round++) {
    add('stdio', await stdioStart([main, 'stdio'], env));
    add('bare stdio', await stdioStart([join(servers, 'bare-stdio.ts')], env));
    add('http', await httpStart([main, 'serve'], env));
    add('bare http', await httpStart([join(servers, 'bare-http.ts')], env));
  }
  const of = (name: string) => median(times[name] ?? []);
  printTable(
    ['start to first tools/list', 'Magpie, ms', 'bare, ms', 'ratio'],
    ['stdio', 'http'].map((name) => [
      name,
      whole(of(name)),
      whole(of(`bare ${name}`)),
      (of(name) / of(`bare ${name}`)).toFixed(2),
    ]),
  );
  const idle = await start([main, 'serve'], env);
  const bare = await start([join(servers, 'bare-http.ts')]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const [a, b] = [residentMegabytes(idle.pid), residentMegabytes(bare.pid)];
  printTable(
    ['idle server', 'Magpie, MB', 'bare, MB', 'ratio'],
    [['resident memory', whole(a), whole(b), (a / b).toFixed(2)]],
  );
  idle.stop();
  bare.stop();
  rmSync(data, { recursive: true, force: true });
}
