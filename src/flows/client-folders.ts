import { isAbsolute, resolve } from 'node:path';
import { badRequestError } from '../errors.ts';
import { quoteName } from '../lib/text/quote-name.ts';
import type { OperationContext } from '../operation.ts';
import type { ScanTerms } from '../security/types.ts';

const ADDRESS = /^(?:[a-z][a-z0-9+.-]+:|[^/\\\s@]+@)/i;

export function mayBeFolder(repository: unknown): boolean {
  return (
    typeof repository !== 'string' || !ADDRESS.test(repository.trim()) || /^file:/i.test(repository.trim())
  );
}

export function getFolderScanTerms({
  caller,
  folders,
}: Pick<OperationContext, 'caller' | 'folders'>): ScanTerms {
  return { anyFolder: caller.via === 'cli', folders };
}

/** Resolves a path in the client's folder. Throws `bad_request` if the client has several folders. */
export function resolveRepository(
  repository: string | undefined,
  { folders }: Pick<OperationContext, 'folders'>,
): string {
  const named = repository ?? '.';
  if (!mayBeFolder(named) || isAbsolute(named) || /^file:/i.test(named)) return named;
  const [folder, ...others] = folders;
  if (folder === undefined) {
    if (repository !== undefined) return repository;
    throw badRequestError('repository is required: a git URL, or a folder that may be scanned');
  }
  if (others.length > 0) {
    const list = folders.slice(0, 10).map(quoteName).join(', ');
    throw badRequestError(
      `repository ${quoteName(named)} may be in any of the ${folders.length} folders that the client works in: give the whole path of one (${list})`,
    );
  }
  return resolve(folder, named);
}
