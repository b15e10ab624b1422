import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runMagpie } from './magpie.ts';

/** What a shell calls as `magpie`: `node <CLIENT> <socket> <words>`. */
export const CLIENT = fileURLToPath(new URL('./command-client.mjs', import.meta.url));

/** A command as the client sends it. */
interface Command {
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly folder: string;
  readonly stdin: string;
}

/**
 * Runs commands of a shell in this process, in the shell's folder and environment, since a process for each takes ten times as long. Each
 * runs alone: the folder is that of the whole process, and is as it was after each.
 */
export async function runCommandsHere(socket: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, async (connection) => {
    const { args, env, folder, stdin } = (await json(connection)) as Command;
    const before = process.cwd();
    process.chdir(folder);
    try {
      const ended = await runMagpie(args, env, {
        stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
      });
      connection.end(JSON.stringify(ended));
    } finally {
      process.chdir(before);
    }
  });
  server.listen(socket);
  await once(server, 'listening');
  return server;
}
