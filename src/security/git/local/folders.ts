import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '../../../errors.ts';
import { withoutCredentials } from '../../scans/scan.ts';
import { isBelow } from './local-repository.ts';

/** A folder that may be scanned. */
export interface AllowedFolder {
  /** A real path. */
  readonly folder: string;
  /** Nothing above it is read; a real path. */
  readonly ceiling: string;
}

/**
 * The real path of a folder, when it lies in one of the roots whatever links lead there. AppError `forbidden` for all
 * else, the same whether it is there or not; `not_found` for what is missing inside a root.
 */
export async function allowedFolder(
  path: string,
  roots: readonly string[],
  any: boolean,
): Promise<AllowedFolder> {
  if (!any && roots.length === 0) {
    throw new AppError(
      'forbidden',
      'no folder of this machine may be scanned: give a git URL; or open the folder in the assistant, if that shares its folders ' +
        '(roots) with servers; or set MAGPIE_SCAN_ROOTS to the folder where the server is started, for an assistant in "env" of its configuration',
    );
  }
  if (!any && !isAbsolute(path)) {
    throw new AppError(
      'bad_request',
      `repository ${shownPath(path)} is neither a git URL nor the absolute path of a folder`,
    );
  }
  const asked = resolve(path);
  const real = await realpath(asked).catch(() => undefined);
  const ceilings = any
    ? ['/']
    : await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  const ceiling = ceilings.find((root) => root !== undefined && real !== undefined && isBelow(real, root));
  if (real === undefined || ceiling === undefined) {
    const missing = real === undefined && (any || roots.some((root) => isBelow(asked, resolve(root))));
    if (missing) throw new AppError('not_found', `there is no folder ${shownPath(path)}: check the path`);
    throw new AppError(
      'forbidden',
      `${shownPath(path)} is in none of the folders that may be scanned: the operator can add one to MAGPIE_SCAN_ROOTS`,
    );
  }
  if (!(await stat(real)).isDirectory()) {
    throw new AppError('bad_request', `${shownPath(path)} is a file: give the folder that it is in`);
  }
  return { folder: real, ceiling };
}

/** A path for an error text: it may be an address with a password in it, that was mistyped. */
export function shownPath(path: string): string {
  const shown = withoutCredentials(path);
  return JSON.stringify(shown.length > 200 ? `${shown.slice(0, 197)}...` : shown);
}
