import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Passages and questions of a collection with their vectors, one after the other. */
export interface PeerTask {
  readonly passages: readonly { readonly id: string; readonly text: string }[];
  readonly passageVectors: readonly Float32Array[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly queryVectors: readonly Float32Array[];
}

export const PEERS = ['chroma', 'lancedb'] as const;
export type PeerResults = Readonly<Record<(typeof PEERS)[number], readonly (readonly string[])[]>>;

const PACKAGES = ['chromadb', 'lancedb'];
const SCRIPT = fileURLToPath(new URL('./peers.py', import.meta.url));

/**
 * The Python with the peers: of MAGPIE_BENCH_VENV, else of a virtual environment that is made here out of PyPI. Undefined, with a word on
 * stdout, where there is no Python or no network.
 */
export function peersPython(packages: readonly string[] = PACKAGES): string | undefined {
  const folder = process.env.MAGPIE_BENCH_VENV ?? join(tmpdir(), 'magpie-bench-peers');
  const python = join(folder, 'bin', 'python');
  try {
    if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder]);
    const needed = ['-m', 'pip', '-q', '--disable-pip-version-check', 'install', ...packages];
    if (!has(python, packages)) execFileSync(python, needed, { stdio: ['ignore', 'ignore', 'inherit'] });
    return python;
  } catch (error) {
    process.stdout.write(
      `\nwithout ${packages.join(' and ')}: ${error instanceof Error ? error.message : error}\n`,
    );
    return undefined;
  }
}

function has(python: string, packages: readonly string[]): boolean {
  try {
    execFileSync(python, ['-c', packages.map((name) => `import ${name}`).join('; ')], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The ids of passages that each peer finds, best first, for each question. */
export function askPeers(python: string, task: PeerTask): PeerResults {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-peers-'));
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  const bytes = (vectors: readonly Float32Array[]) =>
    Buffer.concat(
      vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    );
  try {
    write('passages.jsonl', lines(task.passages));
    write('queries.jsonl', lines(task.queries));
    write('vectors.f32', bytes(task.passageVectors));
    write('queries.f32', bytes(task.queryVectors));
    execFileSync(python, [SCRIPT, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as PeerResults;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
