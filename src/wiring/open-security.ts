import type { Config } from '../config/config.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import { moduleUrl } from '../lib/module-url.ts';
import type { Logger } from '../log.ts';
import { createRepositories } from '../security/git/repositories.ts';
import { fileScanners } from '../security/scanners/list.ts';
import { openTreeScanners } from '../security/scanners/trees.ts';
import { createSecurity } from '../security/security.ts';
import { createSqliteKeptStore } from '../security/stores/kept.ts';
import { createSqliteScanStore } from '../security/stores/scans.ts';
import type { Security } from '../security/types.ts';
import type { Database } from '../storage/sqlite.ts';

export interface OpenOptions {
  readonly config: Config;
  readonly db: Database;
  readonly log: Logger;
  readonly fetch: GuardedFetch;
}

/** The room with all its scanners, as configured. */
export function openSecurity({ config, db, log, fetch }: OpenOptions): Security {
  const repositories = createRepositories({
    folder: config.data,
    roots: config.scanRoots,
    allowHosts: config.allowHosts,
    tokens: config.gitTokens,
    searchPath: config.scannerPath,
    // The other half of the time is for searching what was fetched.
    limits: { fetchBytes: config.scanFetchBytes, fetchMs: config.scanTimeout / 2, files: config.scanFiles },
    sshKey: config.gitSshKey,
    sshAgent: config.gitSshAgent,
  });
  const room = createSecurity({
    store: createSqliteScanStore(db),
    kept: createSqliteKeptStore(db),
    openTree: repositories.open,
    fileScanners,
    scannerModule: moduleUrl('../security/scanners/list.ts', import.meta.url),
    treeScanners: openTreeScanners(config, fetch),
    log,
    atOnce: config.scansAtOnce,
    timeoutMs: config.scanTimeout,
    keep: config.scansKept,
  });
  return {
    ...room,
    async close() {
      await room.close();
      await repositories.close();
    },
  };
}
