import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const MAX_OUTPUT_BYTES = 400_000_000;

export type Kind = 'secrets' | 'source' | 'infrastructure';

/** What a program found, as far as it can be compared. */
export interface Found {
  /** From the folder. */
  readonly path: string;
  readonly line: number;
  /** Numbers of weaknesses: 89 for CWE-89. */
  readonly cwe: readonly number[];
  readonly severity: string;
}

/** One run of a program on a folder. */
export interface Ran {
  readonly found: readonly Found[];
  /** Of the machine's clock, and of the processor in the program and what it started; both in seconds. */
  readonly seconds: number;
  readonly processor: number;
}

export interface Program {
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** Why it cannot run here; undefined where it can. */
  absent(): string | undefined;
  run(folder: string, kind: Kind): Ran;
}

interface Told {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly needs?: string;
  command(folder: string, out: string, kind: Kind): readonly string[];
  /** What it wrote, as JSON. */
  read(answer: never, folder: string, kind: Kind): Found[];
}

/** Folder with semgrep's rules, which it has none of without a network. */
const RULES = process.env.MAGPIE_BENCH_SEMGREP_RULES;

const ALL: readonly Told[] = [
  {
    name: 'magpie',
    kinds: ['secrets', 'source', 'infrastructure'],
    command: (folder, _, kind) => [
      process.execPath,
      MAIN,
      'scan',
      folder,
      ...(kind === 'source' ? ['--deep'] : []),
      '--format',
      'json',
    ],
    read: (answer: { data: { vulnerabilities: Ours[] } }, _, kind) =>
      // What two scanners found together is named by both: `secrets, source`.
      answer.data.vulnerabilities.filter(({ scanner }) => scanner.split(', ').includes(kind)).map(ofOurs),
  },
  {
    name: 'gitleaks',
    kinds: ['secrets'],
    command: (folder, out) => [
      'gitleaks',
      'dir',
      folder,
      '-f',
      'json',
      '-r',
      out,
      '--no-banner',
      '--exit-code',
      '0',
    ],
    read: (answer: { File: string; StartLine: number }[], folder) =>
      answer.map(({ File, StartLine }) => plain(relative(folder, File), StartLine)),
  },
  {
    name: 'detect-secrets',
    kinds: ['secrets'],
    command: (folder) => ['detect-secrets', '-C', folder, 'scan', '--all-files', '.'],
    read: (answer: { results: Record<string, { line_number: number }[]> }) =>
      Object.entries(answer.results).flatMap(([path, all]) =>
        all.map(({ line_number }) => plain(path, line_number)),
      ),
  },
  {
    name: 'bandit',
    kinds: ['source'],
    command: (folder, out) => ['bandit', '-q', '-r', folder, '-f', 'json', '-o', out],
    read: (answer: { results: Bandit[] }, folder) =>
      answer.results.map(({ filename, line_number, issue_severity, issue_cwe }) => ({
        path: relative(folder, resolve(filename)),
        line: line_number,
        cwe: issue_cwe?.id === undefined ? [] : [issue_cwe.id],
        severity: issue_severity.toLowerCase(),
      })),
  },
  {
    name: 'njsscan',
    kinds: ['source'],
    command: (folder, out) => ['njsscan', '--json', '-o', out, folder],
    read: (answer: Record<'nodejs' | 'templates', Record<string, Njs>>, folder) =>
      [answer.nodejs, answer.templates].flatMap((part) =>
        Object.values(part ?? {}).flatMap(({ files = [], metadata }) =>
          files.map(({ file_path, match_lines }) => ({
            path: relative(folder, file_path),
            line: match_lines[0],
            cwe: numbers(metadata.cwe),
            severity: metadata.severity.toLowerCase(),
          })),
        ),
      ),
  },
  {
    name: 'semgrep',
    kinds: ['source'],
    ...(RULES === undefined ? { needs: 'MAGPIE_BENCH_SEMGREP_RULES, a folder with rules' } : {}),
    command: (folder, out) => [
      'semgrep',
      'scan',
      '--config',
      RULES ?? '',
      '--json',
      '-o',
      out,
      '--metrics',
      'off',
      '--no-git-ignore',
      '-q',
      folder,
    ],
    read: (answer: { results: Semgrep[] }, folder) =>
      answer.results.map(({ path, start, extra }) => ({
        path: relative(folder, resolve(path)),
        line: start.line,
        cwe: [extra.metadata?.cwe ?? []].flat().flatMap(numbers),
        severity: extra.severity.toLowerCase(),
      })),
  },
  {
    name: 'checkov',
    kinds: ['infrastructure'],
    command: (folder) => ['checkov', '-d', folder, '--skip-download', '--quiet', '--compact', '-o', 'json'],
    read: (answer: Checkov | Checkov[]) =>
      [answer]
        .flat()
        .flatMap(({ results }) =>
          (results?.failed_checks ?? []).map(({ file_path, file_line_range }) =>
            plain(file_path.replace(/^\//, ''), file_line_range[0]),
          ),
        ),
  },
];

interface Ours {
  readonly scanner: string;
  readonly location: string;
  readonly severity: string;
  readonly cwe?: readonly string[];
}
interface Bandit {
  readonly filename: string;
  readonly line_number: number;
  readonly issue_severity: string;
  readonly issue_cwe?: { readonly id?: number };
}
interface Njs {
  readonly files?: readonly { readonly file_path: string; readonly match_lines: readonly [number, number] }[];
  readonly metadata: { readonly cwe: string; readonly severity: string };
}
interface Semgrep {
  readonly path: string;
  readonly start: { readonly line: number };
  readonly extra: {
    readonly severity: string;
    readonly metadata?: { readonly cwe?: string | readonly string[] };
  };
}
interface Checkov {
  readonly results?: {
    readonly failed_checks: readonly {
      readonly file_path: string;
      readonly file_line_range: readonly [number, number];
    }[];
  };
}

function ofOurs({ location, severity, cwe = [] }: Ours): Found {
  const colon = location.lastIndexOf(':');
  return {
    path: location.slice(0, colon),
    line: Number(location.slice(colon + 1)),
    cwe: cwe.flatMap(numbers),
    severity,
  };
}

function plain(path: string, line: number): Found {
  return { path: path.replace(/^\.\//, ''), line, cwe: [], severity: '' };
}

function numbers(text: string): number[] {
  return [...text.matchAll(/CWE-(\d+)/gi)].map(([, number]) => Number(number));
}

/** Every program that finds something of the kind, ours first. */
export function programsOf(kind: Kind): Program[] {
  return ALL.filter(({ kinds }) => kinds.includes(kind)).map((one) => ({
    name: one.name,
    kinds: one.kinds,
    absent() {
      if (one.name === 'magpie') return undefined;
      if (one.needs !== undefined) return `needs ${one.needs}`;
      const { status } = spawnSync('sh', ['-c', `command -v ${one.name}`]);
      return status === 0 ? undefined : 'not installed';
    },
    run: (folder, of) => runProgram(one, folder, of),
  }));
}

/** The processor's time is that of the program and of all that it has started and waited for, as the shell counts it. */
function runProgram(program: Told, folder: string, kind: Kind): Ran {
  const place = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const out = join(place, 'out.json');
  try {
    const script =
      'TIMEFORMAT="%R %U %S"; out=$1; shift; { time timeout 900 "$@" > "$out.stdout" 2> /dev/null; } 2>&1 || true';
    const command = program.command(folder, out, kind);
    const told = execFileSync('bash', ['-c', script, 'bench', out, ...command], {
      env: { ...process.env, MAGPIE_DATA: join(place, 'data'), SEMGREP_ENABLE_VERSION_CHECK: '0' },
      maxBuffer: MAX_OUTPUT_BYTES,
      encoding: 'utf8',
    });
    const [seconds = 0, user = 0, system = 0] = told.trim().split(/\s+/).slice(-3).map(Number);
    const text = [out, `${out}.stdout`].map((file) => read(file)).find((one) => one.trim() !== '') ?? '';
    const found = program.read(JSON.parse(text) as never, folder, kind);
    return { found, seconds, processor: user + system };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
