import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** A primary and a standby that it waits for, of the test's own. */
export interface PostgresPair {
  readonly primary: string;
  readonly standby: string;
  /** Stops the primary and starts it again: `fast` ends its connections, `immediate` is a crash. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  /** Ends the primary as a lost machine does. */
  kill(): Promise<void>;
  /** Makes the standby the primary, as an operator does. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);

/** The programs of PostgreSQL refuse to run as root. */
export function asUser(program: string, args: string[]) {
  const rights = ['--reuid=nobody', '--regid=nogroup', '--clear-groups', program];
  return process.getuid?.() === 0 ? run('setpriv', [...rights, ...args]) : run(program, args);
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** `server` is any server of the same version: it says where the programs are. */
export async function makePair(server: string): Promise<PostgresPair> {
  const [found] = await query(server, "SELECT setting FROM pg_config WHERE name = 'BINDIR'");
  const program = (name: string, ...args: string[]) => asUser(join(String(found?.setting), name), args);
  const home = mkdtempSync(join(tmpdir(), 'magpie-pair-'));
  chmodSync(home, 0o777);
  const [first, second] = [join(home, 'primary'), join(home, 'standby')];
  const [port, otherPort] = [await freePort(), await freePort()];
  const urlOf = (at: number) => `postgres://magpie@127.0.0.1:${at}/postgres`;
  const control = (folder: string, ...args: string[]) =>
    program('pg_ctl', '-D', folder, '-w', '-t', '120', '-l', `${folder}.log`, ...args);
  const configure = (folder: string, ...lines: string[]) =>
    appendFileSync(join(folder, 'postgresql.conf'), `${lines.join('\n')}\n`);
  const own = (at: number) => [
    `port = ${at}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
  ];

  await program(
    'initdb',
    '-D',
    first,
    '-U',
    'magpie',
    '--auth=trust',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '--no-sync',
  );
  configure(first, ...own(port), 'fsync = off', 'max_connections = 50', 'shared_buffers = 32MB');
  await control(first, 'start');
  await program('pg_basebackup', '-d', urlOf(port), '-D', second, '-R', '--checkpoint=fast', '--no-sync');
  // A primary that was started again waits for it with each commit.
  configure(second, ...own(otherPort), "wal_retrieve_retry_interval = '200ms'");
  await control(second, 'start');
  // From here on a commit is answered when the standby has it.
  await query(urlOf(port), "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await query(urlOf(port), 'SELECT pg_reload_conf()');
  return {
    primary: urlOf(port),
    standby: urlOf(otherPort),
    restart: async (mode) => void (await control(first, '-m', mode, 'restart')),
    kill: async () => void (await control(first, '-m', 'immediate', 'stop')),
    async promote() {
      await query(urlOf(otherPort), "ALTER SYSTEM SET synchronous_standby_names = ''");
      await control(second, 'promote');
    },
    async remove() {
      for (const folder of [first, second]) await control(folder, '-m', 'immediate', 'stop').catch(() => {});
      rmSync(home, { recursive: true, force: true });
    },
  };
}
