import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { badRequestError, forbiddenError, notFoundError } from '../../../errors.ts';
import { withoutCredentials } from '../../scans/scan.ts';
import { isBelow } from './local-repository.ts';

/**
 * Resolves the path of a folder or file. `ceiling` is the allowed folder that contains the path. The search
 * for `.git` stops at `ceiling`. Throws AppError `forbidden` outside allowed folders, `not_found` if missing.
 */
export async function resolveAllowedPlace(path: string, roots: readonly string[], anyFolder: boolean) {
  if (!anyFolder && roots.length === 0) {
    throw forbiddenError(
      'no folder of this machine may be scanned: give a git URL; or open the folder in the assistant, if that shares its folders ' +
        '(roots) with servers; or set MAGPIE_SCAN_ROOTS to the folder where the server is started, for an assistant in "env" of its configuration',
    );
  }
  if (!anyFolder && !isAbsolute(path)) {
    throw badRequestError(
      `repository ${quotePathForError(path)} is neither a git URL nor the absolute path of a folder`,
    );
  }
  const asked = resolve(path);
  const real = await realpath(asked).catch(() => undefined);
  const ceilings = anyFolder
    ? ['/']
    : await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  const ceiling = ceilings.find((root) => root !== undefined && real !== undefined && isBelow(real, root));
  if (real === undefined || ceiling === undefined) {
    const missing = real === undefined && (anyFolder || roots.some((root) => isBelow(asked, resolve(root))));
    if (missing) throw notFoundError(`there is no folder or file ${quotePathForError(path)}: check the path`);
    throw forbiddenError(
      `${quotePathForError(path)} is in none of the folders that may be scanned: the operator can add one to MAGPIE_SCAN_ROOTS`,
    );
  }
  const facts = await stat(real);
  if (!facts.isDirectory() && !facts.isFile())
    throw badRequestError(`${quotePathForError(path)} is neither a folder nor a file`);
  return { place: real, isFile: facts.isFile(), ceiling };
}

/** Quotes a path for an error message. Removes credentials, because the path may be a mistyped URL. */
export function quotePathForError(path: string): string {
  const shown = withoutCredentials(path);
  return JSON.stringify(shown.length > 200 ? `${shown.slice(0, 197)}...` : shown);
}
