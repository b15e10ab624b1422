import { AppError } from '../../errors.ts';
import { runGit } from './process.ts';

/** First git version that reads settings from environment variables (`GIT_CONFIG_COUNT`). */
const MIN_VERSION = [2, 31] as const;

export async function requireGit(folder: string, searchPath: string, signal: AbortSignal): Promise<void> {
  const around = { searchPath, home: folder, gitDir: folder, cwd: folder, signal };
  const { out } = await runGit({ ...around, args: ['version'] });
  const [, major = '0', minor = '0'] = /^git version (\d+)\.(\d+)/.exec(out.toString()) ?? [];
  const newer = Number(major) - MIN_VERSION[0] || Number(minor) - MIN_VERSION[1];
  if (newer >= 0) return;
  throw new AppError(
    'unavailable',
    `git ${major}.${minor} is too old: Magpie needs ${MIN_VERSION.join('.')} or newer; install it, or set MAGPIE_SCANNER_PATH to its folder`,
  );
}
