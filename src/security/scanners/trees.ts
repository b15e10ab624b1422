import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { AppError, tooLargeError, unavailableError, upstreamError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { limitProcessGroup } from '../../lib/workers/process-time.ts';
import type { TreeScanContext, TreeScanner } from '../scans/scanner.ts';
import type { Fetch } from './dependencies/advisories/ask.ts';
import { createRegistries } from './dependencies/registries/ask-registries.ts';
import { createSources } from './dependencies/sources.ts';
import { createDependenciesScanner } from './dependencies.ts';
import { EXTERNAL_PROGRAMS, type ExternalProgram, SCANNER_STEERING_FILES } from './external/program.ts';
import { sarifFindings } from './external/sarif-findings.ts';

export function openTreeScanners(config: Config, fetch: Fetch): readonly TreeScanner[] {
  const {
    advisories,
    data,
    osvUrl,
    npmRegistryUrl: npmUrl,
    advisoriesDays: days,
    privatePackages,
    denyLicenses,
  } = config;
  const mirrors = config.registryUrls.map((one) => one.split(/=(.*)/s, 2));
  const registries = createRegistries({ fetch, urls: { npm: npmUrl, ...Object.fromEntries(mirrors) } });
  const mayAsk =
    config.packageFacts === 'on' && !advisories.some((one) => one === 'offline' || one === 'off');
  return [
    createDependenciesScanner({
      sources: createSources({ chosen: advisories, folder: data, fetch, osvUrl, npmUrl, days }),
      privateNames: privatePackages,
      deniedLicenses: denyLicenses,
      registries: () => (mayAsk ? registries : undefined),
    }),
    ...createExternalScanners({
      programs: config.scanners,
      searchPath: config.scannerPath,
      folder: join(data, 'scanner-work'),
    }),
  ];
}

interface ExternalOptions {
  readonly programs: readonly string[];
  readonly searchPath: string;
  readonly folder: string;
  readonly timeoutMs?: number;
}

const MAX_REPORT_BYTES = 128 << 20;
const TIMEOUT_MS = 600_000;
const MAX_STDERR_CHARACTERS = 400;

export const createExternalScanners = (options: ExternalOptions): TreeScanner[] =>
  EXTERNAL_PROGRAMS.filter(({ name }) => options.programs.includes(name)).map((program) => ({
    name: program.name,
    scan: (scan) => scanWith(program, options, scan),
  }));

async function scanWith(program: ExternalProgram, options: ExternalOptions, scan: TreeScanContext) {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(options.folder, `${program.name}-`));
  try {
    const [files, home, out] = [join(work, basename(work)), join(work, 'home'), join(work, 'out')];
    await Promise.all([mkdir(home), mkdir(out)]);
    const unwritten = await scan.tree.materialise(files, scan.signal);
    if (unwritten > 0) {
      const what = `${program.name} is not given ${formatCount(unwritten, 'file')} whose names could do harm on a disk`;
      scan.miss('unreadable', what, 'rename them');
    }
    for (const { path } of scan.tree.files) {
      if (SCANNER_STEERING_FILES.has(path.slice(path.lastIndexOf('/') + 1)))
        await rm(join(files, path), { force: true });
    }
    scan.progress(`${program.name} is reading the files`);
    const report = program.reportName ? join(out, program.reportName) : join(out, 'report.sarif');
    await run(program, program.args(files, program.reportName ? out : report), {
      ...options,
      cwd: home,
      signal: scan.signal,
    });
    const bytes = (await stat(report).catch(() => undefined))?.size;
    if (bytes === undefined) throw upstreamError(`${program.name} wrote no report`);
    if (bytes > MAX_REPORT_BYTES)
      throw tooLargeError(`the report of ${program.name} is over ${MAX_REPORT_BYTES} bytes`);
    const { name, ...known } = program;
    return sarifFindings(await readFile(report, 'utf8'), { ...known, program: name, folder: files });
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface ScannerRun extends ExternalOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Runs a program in its own process group until it ends. The program does not get Magpie's environment variables. */
async function run(
  program: ExternalProgram,
  args: readonly string[],
  { searchPath, cwd, signal, timeoutMs = TIMEOUT_MS }: ScannerRun,
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(program.name, [...args], {
    cwd,
    env: { PATH: searchPath, HOME: cwd, TMPDIR: cwd, LC_ALL: 'C.UTF-8', NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
  };
  let said = '';
  let late = false;
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said = (said + piece).slice(-MAX_STDERR_CHARACTERS);
  });
  const unwatch = limitProcessGroup(child.pid, timeoutMs, () => {
    late = true;
    kill();
  });
  signal.addEventListener('abort', kill, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', (cause) => reject(unavailableError(notThere(program.name), { cause })));
      child.on('exit', kill);
      child.on('close', resolve);
    });
    signal.throwIfAborted();
    if (late)
      throw new AppError('timeout', `${program.name} took longer than ${Math.round(timeoutMs / 1000)} s`);
    if (code === null || !program.ended.includes(code)) {
      const last = said.replaceAll(dirname(cwd), '').trim().split('\n').at(-1) ?? '';
      const reaches = program.reaches === undefined ? '' : ` (${program.reaches})`;
      throw upstreamError(
        `${program.name} failed with ${code ?? 'a signal'}: ${last || 'it says nothing'}${reaches}`,
      );
    }
  } finally {
    unwatch();
    signal.removeEventListener('abort', kill);
  }
}

const notThere = (name: string): string =>
  `${name} is switched on but is not installed where Magpie runs: install it, add its folder to MAGPIE_SCANNER_PATH, or take it out of MAGPIE_SCANNERS`;
