import { environmentOf } from '../../config/config.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createRepositoryAccess } from '../../security/git/remote/repositories.ts';
import { fileScanners } from '../../security/scanners/list.ts';
import { openTreeScanners } from '../../security/scanners/trees.ts';
import { createSecurity } from '../../security/security.ts';
import { createTokenVerifier } from '../../security/verifying/verify.ts';
import type { ServicesFoundation } from '../foundation.ts';
import type { Stores } from '../stores.ts';

export interface SecurityFoundation extends Pick<ServicesFoundation, 'config' | 'fetch' | 'log'> {
  stores(): Promise<Pick<Stores, 'scans' | 'keptResults' | 'sharedJobs'>>;
}

export async function openSecurity({ config, fetch, log, stores }: SecurityFoundation) {
  const set = await stores();
  const [store, kept, shared] = await Promise.all([set.scans(), set.keptResults(), set.sharedJobs?.()]);
  const repositories = createRepositoryAccess({
    folder: config.data,
    roots: config.scanRoots,
    allowHosts: config.allowHosts,
    tokens: config.gitTokens,
    searchPath: config.scannerPath,
    limits: { fetchBytes: config.scanFetchBytes, fetchMs: config.scanTimeout / 2, files: config.scanFiles },
    sshKey: config.gitSshKey,
    sshAgent: config.gitSshAgent,
  });
  const room = createSecurity({
    store,
    kept,
    shared,
    openTree: repositories.open,
    fileScanners,
    scannerModule: moduleUrl('../../security/scanners/list.ts', import.meta.url),
    treeScanners: openTreeScanners(config, fetch),
    machine: { platform: process.platform, env: environmentOf(config), node: process.execPath },
    verify: createTokenVerifier({ fetch }),
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
