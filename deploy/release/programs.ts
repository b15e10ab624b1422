import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const execute = promisify(execFile);
/** npm, found beside the Node.js that runs this or on the path; each program is over after ten minutes. */
const OPTIONS = {
  env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  maxBuffer: 64 * 1024 * 1024,
  timeout: 600_000,
};

/**
 * Runs a program and gives what it printed, without the line ends around it.
 *
 * @throws {Error} with what the program said, when it fails.
 */
export async function run(program: string, args: readonly string[], cwd: string = ROOT): Promise<string> {
  try {
    return (await execute(program, [...args], { ...OPTIONS, cwd })).stdout.trim();
  } catch (error) {
    const { stderr = '', stdout = '', message } = error as Error & { stderr?: string; stdout?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stderr.trim() || stdout.trim() || message}`);
  }
}

export const npm = (args: readonly string[], cwd?: string) => run('npm', args, cwd);
