import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { CommandContext } from '../../command.ts';
import { AppError, asAppError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { documentedCommand } from '../documented-command.ts';

const MAX_TRIES = 3;

export const uploadFiles = documentedCommand('upload', {
  words: ['files'],
  flags: {
    files: z.array(z.string().min(1)).min(1).max(1000),
    collection: z.string().optional(),
  },
  effect: () => 'write',
  keepsTexts: true,
  async run({ files, collection }, ctx) {
    let failed = 0;
    for (const path of files) {
      if (ctx.signal.aborted) return 'stopped';
      try {
        const added = await addFile(path, collection, ctx);
        const { name, pages, parts } = added;
        const words = `${name}: added, ${formatCount(pages, 'page')} in ${formatCount(parts, 'part')}`;
        await ctx.print(ctx.json ? JSON.stringify(added) : words);
      } catch (thrown) {
        if (ctx.signal.aborted) return 'stopped';
        failed++;
        const error = reasonOf(thrown, path);
        await ctx.print(ctx.json ? JSON.stringify({ file: path, error }) : error, 'warning');
      }
    }
    return failed > 0 ? 'failed' : 'done';
  },
});

async function addFile(path: string, collection: string | undefined, ctx: CommandContext) {
  const room = await ctx.services.documents();
  const name = basename(path);
  const add = async (password?: string) => {
    ctx.progress(`reading ${name}`);
    return room.addDocument(ctx.caller.id, name, createReadStream(path), ctx.signal, {
      password,
      collection,
    });
  };
  let failure: unknown;
  for (let tries = 0; tries <= MAX_TRIES; tries++) {
    const password = tries === 0 ? undefined : await ctx.askPassword(name, tries);
    if (tries > 0 && password === undefined) break;
    try {
      return await add(password);
    } catch (thrown) {
      if (!/is an encrypted PDF/.test(asAppError(thrown).message)) throw thrown;
      failure = thrown;
    }
  }
  throw failure;
}

function reasonOf(thrown: unknown, path: string): string {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `${path}: there is no such file`;
  if (code === 'EISDIR') return `${path} is a folder: name its files`;
  if (code === 'EACCES') return `${path} cannot be opened by this user`;
  return thrown instanceof AppError ? thrown.message : `${path}: ${asAppError(thrown).message}`;
}
