import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { AppError, badRequestError, forbiddenError } from '../../errors.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import { buildEntryKey } from '../entries/new-entry.ts';
import { readSyncedFile } from '../syncing/sync-files.ts';
import type { LocalFile, LocalFileOptions } from '../types.ts';
import { fitToEntryLimits } from './fit-to-entry-limits.ts';
import { readNoteFile } from './notes/note-file.ts';

/** Reads a local file as an entry's text. Throws `bad_request`, `forbidden`, `too_large` or `unsupported`. */
export async function readLocalFile(
  path: string,
  { within, read, signal }: LocalFileOptions,
): Promise<LocalFile> {
  const real = await realpath(resolve(path)).catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT' || cause.code === 'ENOTDIR'
        ? 'does not exist'
        : `cannot be used (${cause.code})`;
    throw badRequestError(`path: ${path} ${why}`, { cause });
  });
  if (within !== undefined) checkPlace(real, path, await realpath(within));
  const name = real.slice(dirname(real).length).replaceAll(sep, '');
  const { body } = await readSyncedFile(dirname(real), name).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      error.code === 'not_found' ? 'bad_request' : error.code,
      `path: ${path} ${error.message}`,
      { cause: error },
    );
  });
  const warnings: string[] = [];
  const warn = (why: string) => void warnings.push(`Not read as it should be: ${why}.`);
  const { warning, leftOut = {}, ...note } = await readNoteFile(name, body, { read, signal, warn });
  for (const [why, count] of Object.entries(leftOut)) warnings.push(`Left out: ${count} ${why}.`);
  if (warning) warnings.push(`In line ${warning.line}: ${warning.why}.`);
  if (isBlankText(note.text)) throw new AppError('unsupported', `path: ${path} has no text`);
  const { text, title = '', tags = [], source } = fitToEntryLimits({ ...note, source: note.source ?? real });
  return {
    path: real,
    key: buildEntryKey(real),
    text,
    title,
    tags,
    source: source || real,
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
  };
}

function checkPlace(real: string, path: string, within: string): void {
  const inside = relative(within, real);
  const parts = inside.split(sep);
  if (
    inside !== '' &&
    parts[0] !== '..' &&
    !parts.some((part) => part.startsWith('.')) &&
    !inside.startsWith(sep)
  )
    return;
  throw forbiddenError(
    `path: ${path} is not a file that an assistant may keep: it takes one below ${within} that is in no hidden folder; ` +
      'at a terminal, magpie upsert --path takes any',
  );
}
