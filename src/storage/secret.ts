import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, unavailableError } from '../errors.ts';
import { makeFolder } from '../lib/make-folder.ts';

const SECRET_BYTES = 32;

/** Returns the secret that signs links. Creates it at first use, readable only by Magpie's system user. */
export async function loadSigningSecret(folder: string): Promise<Buffer> {
  const path = join(folder, 'secret');
  try {
    return (await existing(path)) ?? (await made(folder, path));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const { code = '' } = cause as NodeJS.ErrnoException;
    const why = `the file ${path} cannot be used (${code}): set MAGPIE_DATA to a folder that can be written`;
    throw unavailableError(why, { cause });
  }
}

async function existing(path: string): Promise<Buffer | undefined> {
  const secret = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (secret === undefined || secret.length === SECRET_BYTES) return secret;
  throw unavailableError(`the file ${path} is damaged: delete it, and a new one is made`);
}

/** Links a complete temporary file to `path`, so that processes that start together get the same secret. */
async function made(folder: string, path: string): Promise<Buffer> {
  makeFolder(folder);
  await writeBeside(path, randomBytes(SECRET_BYTES), async (temporary) => {
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  });
  return readFile(path);
}

export async function keepSigningSecret(folder: string, secret: Uint8Array): Promise<void> {
  const path = join(folder, 'secret');
  await writeBeside(path, secret, (temporary) => rename(temporary, path));
}

async function writeBeside(path: string, secret: Uint8Array, publish: (temporary: string) => Promise<void>) {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(temporary, secret, { mode: 0o600, flag: 'wx', flush: true });
    await publish(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}
