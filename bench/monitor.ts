import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { checks } from '../src/monitor/checks/list.ts';
import { monitorRoom } from '../test/helpers/monitor-room.ts';
import { printTable, whole } from './figures.ts';

/**
 * 1,000 pages of one local TLS server, watched with all checks of the interval (one request, four checks) in one
 * process, the server in another thread: how far probes are off their interval, and how many a second at most.
 */

const OWNER = 'bench';
const MB = 1024 * 1024;

/** `npm run bench -- monitor [seconds]`: 45 without; `--targets <n>` and their `--interval <ms>`; `--peer <folder>`: beside the uptime-kuma there. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      peer: { type: 'string' },
      targets: { type: 'string', default: '1000' },
      interval: { type: 'string', default: '10000' },
    },
  });
  if (values.peer !== undefined) {
    const { measurePeer } = await import('./monitor-peer.ts');
    return measurePeer(values.peer);
  }
  const [seconds, targets] = [Number(positionals[0] ?? 45), Number(values.targets)];
  process.stdout.write(`\n## monitor: ${targets} targets, ${seconds} s each\n\n`);
  const server = new Worker(new URL('./servers/tls-site.ts', import.meta.url));
  const [site] = (await once(server, 'message')) as [Site];
  const rows = [];
  for (const interval of [Number(values.interval), 100])
    rows.push(await round(site, targets, interval, seconds * 1000));
  await server.terminate();
  printTable(
    ['interval', 'probes/s', 'checks/s', 'off by, median', '95%', '99%', 'processor', 'resident MB, +'],
    rows,
  );
}

/** Where the server is, and the path of the authority that vouches for it. */
interface Site {
  readonly port: number;
  readonly authority: string;
}

async function round(
  { port, authority }: Site,
  targets: number,
  intervalMs: number,
  ms: number,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const urls = Array.from({ length: targets }, (_, at) => `https://localhost:${port}/${at}`);
  const times = new Map<string, number[]>(urls.map((url) => [url, []]));
  const timed = checks
    .filter(({ sort }) => sort === 'watch')
    .map((check) => ({
      ...check,
      run(...[target, probe]: Parameters<typeof check.run>) {
        if (check.name === 'reachability') times.get(target.name)?.push(performance.now());
        return check.run(target, probe);
      },
    }));
  const listed = `infrastructure:\n  all:\n    authority: ${authority}\n    urls:\n${urls.map((url) => `      - ${url}\n`).join('')}`;
  const before = process.memoryUsage.rss();
  const room = await monitorRoom({ folder, listed, checks: timed, atOnce: 32 });
  await room.startWorking();
  await room.startMonitor(OWNER, 'all', { intervalMs }, new AbortController().signal);
  // The first round comes at once, and is spread from the second on.
  await new Promise((resolve) => setTimeout(resolve, 1.6 * intervalMs));
  const warm = performance.now();
  const cpu = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const { user, system } = process.cpuUsage(cpu);
  const grown = process.memoryUsage.rss() - before;
  await room.end();
  rmSync(folder, { recursive: true });
  const counted = [...times.values()].map((all) => all.filter((at) => at >= warm));
  const probes = counted.reduce((sum, all) => sum + all.length, 0);
  const off = counted
    .flatMap((all) =>
      all.slice(1).map((at, index) => Math.abs(at - (all[index] ?? at) - intervalMs) / intervalMs),
    )
    .sort((a, b) => a - b);
  const at = (share: number) =>
    `${(100 * (off[Math.floor(share * (off.length - 1))] ?? Number.NaN)).toFixed(2)}%`;
  const isFastest = intervalMs === 100;
  const errors = isFastest ? ['-', '-', '-'] : [at(0.5), at(0.95), at(0.99)];
  return [
    isFastest ? 'as fast as it goes' : `${intervalMs / 1000} s`,
    whole((1000 * probes) / ms),
    whole((1000 * probes * timed.length) / ms),
    ...errors,
    `${whole((user + system) / 10 / ms)}%`,
    whole(grown / MB),
  ];
}
