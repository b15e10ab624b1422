import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Programs of ours run from here. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join('bench', 'main.ts');

export type Rows = readonly (readonly string[])[];

/** `npm run bench`, with these words after it. */
export function runBenches(words: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  return promisify(execFile)(process.execPath, [MAIN, ...words], { cwd: ROOT, env });
}

/** Runs the short forms of benches in one process; gives the rows of each one's tables, their heads among them. */
export async function runShortBenches(
  names: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, Rows>> {
  const { stdout } = await runBenches([...names, '--short'], env);
  const parts = stdout.split(/^# /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [name = '', ...lines] = part.split('\n');
      const rows = lines.filter((line) => line.startsWith('| '));
      return [name, rows.map((line) => line.slice(2, -2).split(' | ')).filter((row) => !row.includes('---'))];
    }),
  );
}

/** Few enough that one process of them ends in time on a busy machine. */
const AT_ONCE = 4;

/** The benches that run in one process, for each process. */
export function groupsOf(names: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(names.length / AT_ONCE) }, (_, at) =>
    names.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
}
