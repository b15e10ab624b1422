import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, printTable, whole } from './figures.ts';
import {
  busy,
  httpStart,
  legacySession,
  modernCall,
  plainGet,
  residentMegabytes,
  type StartTime,
  start,
  stdioCaller,
  stdioStart,
} from './surface-callers.ts';

/**
 * Calls a second, processor time, start-up and memory of Magpie's surfaces, beside the bare SDK and bare node:http in
 * the same run. Processor time is that of the server's main thread, and the least of the rounds, since what else the
 * machine does only adds to it. Rounds alternate between the two, and medians are compared, since the machine drifts. Starts are those of
 * JavaScript on both sides: as users have Magpie, from its second start on and as the first one of an installation,
 * which has no compiled code of an earlier one.
 */

const ROUNDS = 5;

/** How much is called: rounds of so many seconds with so many callers. */
interface Amount {
  readonly rounds: number;
  readonly seconds: number;
  readonly callers: readonly number[];
}
const FULL: Amount = { rounds: ROUNDS, seconds: 1, callers: [1, 16] };
/** Says whether all of it works, and no figure of worth. */
const SHORT: Amount = { rounds: 1, seconds: 0.02, callers: [1] };

const root = fileURLToPath(new URL('..', import.meta.url));
const servers = join(root, 'bench', 'servers');

/** A caller, and the process that it calls. */
interface Side {
  readonly pid: number;
  call(): Promise<unknown>;
}

/** `--busy <n>`: with so many processes that keep the processor busy beside it; `--short`: a few calls. Both: throughput only. */
export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { busy: { type: 'string', default: '0' }, short: { type: 'boolean', default: false } },
  });
  if (values.short) return throughput(SHORT);
  const load = Array.from({ length: Number(values.busy) }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    if (load.length > 0) return await throughput(FULL);
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
    await throughput(FULL);
    await startUp();
  } finally {
    for (const child of load) child.kill('SIGKILL');
  }
}

async function throughput({ rounds, seconds, callers: counts }: Amount): Promise<void> {
  const magpie = await start([join(servers, 'echo-magpie.ts'), 'http']);
  const bare = await start([join(servers, 'bare-http.ts')]);
  const ours = await stdioCaller([join(servers, 'echo-magpie.ts'), 'stdio']);
  const theirs = await stdioCaller([join(servers, 'bare-stdio.ts')]);
  const [mcp = '', lowLevel = '', plain = ''] = bare.urls;
  const [own = ''] = magpie.urls;
  const [pid, barePid] = [magpie.pid, bare.pid];
  const mcpPairs = async (peer: string, url: string): Promise<[string, Side, Side][]> => [
    [
      `HTTP MCP, 2026 stateless, beside ${peer}`,
      { call: modernCall(own), pid },
      { call: modernCall(url), pid: barePid },
    ],
    [
      `HTTP MCP, 2025 session, beside ${peer}`,
      { call: await legacySession(own), pid },
      { call: await legacySession(url), pid: barePid },
    ],
  ];
  const pairs: [string, Side, Side][] = [
    ['stdio MCP, beside McpServer', ours, theirs],
    ...(await mcpPairs('McpServer', mcp)),
    ...(await mcpPairs('low-level Server', lowLevel)),
    [
      'REST, beside node:http',
      { call: plainGet(`${own}/echo?q=hello`), pid },
      { call: plainGet(`${plain}/?q=hello`), pid: barePid },
    ],
  ];
  const rows: string[][] = [];
  for (const [name, our, their] of pairs) {
    for (const callers of counts) {
      const rates: [Rate[], Rate[]] = [[], []];
      await Promise.all([rate(our, callers, seconds / 2), rate(their, callers, seconds / 2)]);
      for (let round = 0; round < rounds; round++) {
        rates[0].push(await rate(our, callers, seconds));
        rates[1].push(await rate(their, callers, seconds));
      }
      const [a = 0, b = 0] = rates.map((of) => median(of.map(({ calls }) => calls)));
      const [c = 0, d = 0] = rates.map((of) => Math.min(...of.map(({ each }) => each)));
      const times = [c.toFixed(1), d.toFixed(1), (d / c).toFixed(2)];
      rows.push([name, String(callers), whole(a), whole(b), (a / b).toFixed(2), ...times]);
    }
  }
  printTable(
    [
      ...['surface', 'callers', 'Magpie, calls/s', 'bare, calls/s', 'ratio'],
      ...['Magpie, processor µs a call', 'bare', 'ratio'],
    ],
    rows,
  );
  for (const child of [magpie, bare, ours, theirs]) child.stop();
}

/** Calls ended a second, and microseconds of the server's main thread for each. */
interface Rate {
  readonly calls: number;
  readonly each: number;
}

/** With `callers` calls always under way. */
async function rate({ call, pid }: Side, callers: number, seconds: number): Promise<Rate> {
  const before = busy(pid);
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
  const each = ((busy(pid) - before) * 1000) / ended;
  return { calls: ended / ((performance.now() - began) / 1000), each };
}

async function startUp(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const main = join(root, 'dist', 'src', 'main.js');
  const env = { ...process.env, MAGPIE_DATA: data, MAGPIE_PORT: '0' };
  const times: Record<string, StartTime[]> = {};
  const add = (name: string, value: StartTime) => {
    times[name] = [...(times[name] ?? []), value];
  };
  const bareStdio = asJavaScript('bare-stdio');
  const bareHttp = asJavaScript('bare-http');
  const first = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' };
  // The end of a process writes what it compiled.
  await stdioStart([main, 'stdio'], env);
  await httpStart([main, 'serve'], env);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  for (let round = 0; round < ROUNDS; round++) {
    add('stdio', await stdioStart([main, 'stdio'], env));
    add('stdio, the first', await stdioStart([main, 'stdio'], first));
    add('bare stdio', await stdioStart([bareStdio], env));
    add('http', await httpStart([main, 'serve'], env));
    add('http, the first', await httpStart([main, 'serve'], first));
    add('bare http', await httpStart([bareHttp], env));
  }
  const took = (name: string) => median((times[name] ?? []).map((time) => time.took));
  const least = (name: string) => Math.min(...(times[name] ?? []).map((time) => time.busy));
  const row = (kind: string, bare: string) => [
    ...[kind, whole(took(kind)), whole(took(bare)), (took(kind) / took(bare)).toFixed(2)],
    ...[whole(least(kind)), whole(least(bare)), (least(kind) / least(bare)).toFixed(2)],
  ];
  printTable(
    [
      ...['start to first tools/list', 'Magpie, ms', 'bare, ms', 'ratio'],
      ...['Magpie, processor ms', 'bare', 'ratio'],
    ],
    ['stdio', 'http'].flatMap((name) => [
      row(name, `bare ${name}`),
      row(`${name}, the first`, `bare ${name}`),
    ]),
  );
  const idle = await start([main, 'serve'], env);
  const bare = await start([bareHttp]);
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

/** A peer's program without its types, which would cost its start more than all its own code. */
function asJavaScript(name: string): string {
  const folder = join(root, 'node_modules', '.cache', 'magpie-bench');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, stripTypeScriptTypes(readFileSync(join(servers, `${name}.ts`), 'utf8')));
  return path;
}
