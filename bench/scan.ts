import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config/config.ts';
import { createLog } from '../src/log.ts';
import { createFoundation } from '../src/wiring/foundation.ts';
import { openSecurity } from '../src/wiring/open/open-security.ts';
import { median, printTable, whole } from './figures.ts';
import { scoreAgents } from './scan-agents.ts';
import { benchmarkTable, scoreBenchmarkPython } from './scan-benchmark-python.ts';
import { scoreLeakyRepo } from './scan-leaky-repo.ts';
import { comparePeers } from './scan-peers.ts';
import { scoreSemgrepRules } from './scan-semgrep.ts';
import { compareWorkflows } from './scan-workflows.ts';

const PACKAGES = ['undici', 'zod', 'hono', 'openai', 'cheerio', 'keyv', 'pino', 'yaml', 'semver', 'jose'];
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));

/**
 * Scans: files/s and MB/s of a large tree beside a bare read of the same files, first and again; what is reported
 * in ten well-known packages; recall and precision on the public corpora whose folders are given:
 * `npm run bench -- scan <leaky-repo> <BenchmarkPython>`. `peers`, `semgrep`, `agents` or `workflows` as the first word: see scan-peers.ts, scan-semgrep.ts,
 * scan-agents.ts and scan-workflows.ts (`workflows <checkout of zizmor> --half odd|even|all`). `--rounds <n>`: 3 without;
 * `--packages <names>`: others than the ten, with commas between.
 */
export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'agents') return scoreAgents(args.slice(1));
  const { values, positionals: folders } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      packages: { type: 'string' },
      half: { type: 'string' },
      by: { type: 'string' },
    },
  });
  const packages = values.packages?.split(',') ?? PACKAGES;
  const [first, ...places] = folders;
  if (first === 'peers') return comparePeers(places);
  if (first === 'semgrep') {
    for (const folder of places) await scoreSemgrepRules(folder, values.half, values.by);
    return;
  }
  if (first === 'workflows') return compareWorkflows(places[0] ?? '.', values.half ?? 'odd');
  await speed(packages, Number(values.rounds));
  await ordinary(packages);
  for (const folder of folders) {
    if (existsSync(join(folder, '.leaky-meta'))) await leaky(folder);
    else if (existsSync(join(folder, 'testcode'))) await benchmarkPython(folder);
    else process.stdout.write(`\n${folder} is neither leaky-repo nor BenchmarkPython\n`);
  }
}

interface Round {
  readonly files: number;
  readonly bytes: number;
  readonly read: number;
  readonly first: number;
  readonly second: number;
}

/** The project's own packages as a folder without git: some thousand files of everybody's code. */
async function speed(packages: readonly string[], count: number): Promise<void> {
  const rounds: Round[] = [];
  for (let i = 0; i < count; i++) rounds.push(await round(packages));
  const [any] = rounds;
  if (!any) return;
  const of = (pick: (one: Round) => number) => median(rounds.map(pick));
  const rate = (ms: number) => [
    whole((any.files / ms) * 1000),
    (any.bytes / 1000 / ms).toFixed(1),
    (of(({ read }) => read) / ms).toFixed(2),
  ];
  process.stdout.write(
    `\nscan of ${whole(any.files)} files, ${whole(any.bytes / 1e6)} MB, all scanners of files\n`,
  );
  printTable(
    ['', 'files/s', 'MB/s', 'of a bare read'],
    [
      ['bare read', ...rate(of(({ read }) => read))],
      ['first scan', ...rate(of(({ first }) => first))],
      ['second scan', ...rate(of(({ second }) => second))],
    ],
  );
  const share = median(rounds.map(({ first, second }) => second / first));
  process.stdout.write(`second scan in ${share.toFixed(2)} of the first one's time\n`);
}

async function round(packages: readonly string[]): Promise<Round> {
  const folder = copyOf(packages);
  const data = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  try {
    let [start, files, bytes] = [performance.now(), 0, 0];
    for (const path of filesIn(folder)) {
      bytes += readFileSync(path).length;
      files++;
    }
    const read = performance.now() - start;
    const scan = await opened(data);
    start = performance.now();
    await scan(folder);
    const first = performance.now() - start;
    start = performance.now();
    await scan(folder);
    const second = performance.now() - start;
    await scan.close();
    return { files, bytes, read, first, second };
  } finally {
    for (const one of [folder, data]) rmSync(one, { recursive: true, force: true });
  }
}

/** Under another name than node_modules, which scans leave out. */
function copyOf(packages: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  for (const name of packages) execFileSync('cp', ['-R', join(MODULES, name), join(folder, name)]);
  return folder;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

async function opened(data: string) {
  const config = loadConfig({ data }, {});
  const base = createFoundation(
    config,
    createLog('silent', () => {}),
  );
  const room = await openSecurity(base);
  const scan = async (repository: string) => {
    const request = { repository, deep: false, dependencies: false };
    const done = await room.scan(
      'bench',
      request,
      { anyFolder: true },
      { signal: AbortSignal.timeout(600_000), progress: () => {} },
    );
    return room.listFindings('bench', done.id);
  };
  return Object.assign(scan, {
    async close() {
      await room.close();
      await base.fetch.close();
      await base.closeStores();
    },
  });
}

/** What is reported where nothing much should be. */
async function ordinary(packages: readonly string[]): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const scan = await opened(data);
  const rows: string[][] = [];
  for (const name of packages) {
    const folder = copyOf([name]);
    const findings = await scan(folder);
    const of = (kind: string) => String(findings.filter(({ scanners }) => scanners.includes(kind)).length);
    rows.push([name, of('secrets'), of('source'), of('infrastructure')]);
    rmSync(folder, { recursive: true, force: true });
  }
  await scan.close();
  rmSync(data, { recursive: true, force: true });
  process.stdout.write('\nreported in ordinary packages\n');
  printTable(['package', 'secrets', 'source', 'infrastructure'], rows);
}

async function leaky(folder: string): Promise<void> {
  const { risky, found, informative, wrong } = await scoreLeakyRepo(folder);
  const precision = found / (found + informative + wrong);
  process.stdout.write('\nsecrets of Plazmaz/leaky-repo (gitleaks’ rules find 21 risky ones)\n');
  printTable(
    ['risky', 'found', 'informative besides', 'wrong', 'precision'],
    [[risky, found, informative, wrong, precision.toFixed(3)].map(String)],
  );
}

async function benchmarkPython(folder: string): Promise<void> {
  const all = await scoreBenchmarkPython(folder);
  const unseen = await scoreBenchmarkPython(folder, (number) => number % 2 === 0);
  process.stdout.write(`\nOWASP BenchmarkPython (bandit: +0.160)\n${benchmarkTable(all)}\n`);
  process.stdout.write(`half that was not worked on: ${unseen.macro.toFixed(3)}\n`);
}
