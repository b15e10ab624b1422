import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { makeOnce } from '../../src/lib/concurrency/once.ts';
import { createLog } from '../../src/log.ts';
import { fileScanners as realScanners } from '../../src/security/scanners/list.ts';
import { createFileScanPool, type FileScanPool } from '../../src/security/scans/file-scan-pool.ts';
import type { TreeScanner } from '../../src/security/scans/scanner.ts';
import { hashScannerCode } from '../../src/security/scans/scanner-code.ts';
import { createSecurity, type SecurityOptions } from '../../src/security/security.ts';
import { createFindingCache } from '../../src/security/stores/finding-cache.ts';
import { createScanStore } from '../../src/security/stores/scans.ts';
import type { OpenFileTree, PastFile, TreeOpener } from '../../src/security/trees/tree.ts';
import type { SecurityService } from '../../src/security/types.ts';
import type { Database } from '../../src/storage/sqlite.ts';
import { fileScanners } from './file-scanners.ts';
import { openTestDatabase } from './test-database.ts';

/** A room on its own database, with the tests' scanners by name. */
export interface ScanRoom {
  readonly room: SecurityService;
  readonly db: Database;
  /** What was read of trees so far. */
  readonly reads: string[];
  /** Trees that were opened and not closed. */
  open(): number;
  close(): Promise<void>;
}

export interface ScanRoomOptions extends Partial<Omit<SecurityOptions, 'fileScanners'>> {
  readonly folder: string;
  readonly scanners?: readonly string[];
  /** Magpie's own scanners of files instead of the tests'. */
  readonly real?: true;
  readonly past?: readonly PastFile[];
  readonly trees?: readonly TreeScanner[];
}

const scannerModule = (real: true | undefined) =>
  new URL(real ? '../../src/security/scanners/list.ts' : './file-scanners.ts', import.meta.url);

/** The code is the same for all rooms of a process: it is read once. */
const [codeOfTests, codeOfMagpie] = [undefined, true as const].map((real) =>
  makeOnce(() => hashScannerCode(scannerModule(real))),
);

const FILE_MS = 10_000;
const desks = new Map<true | undefined, FileScanPool>();

/** Workers that all rooms of a process share, since most scans take less than the start of a worker. */
function sharedDesk(real: true | undefined): FileScanPool {
  const desk = desks.get(real) ?? createFileScanPool({ module: scannerModule(real), fileMs: FILE_MS });
  desks.set(real, desk);
  return { ...desk, close: async () => {} };
}

export async function scanRoom({
  folder,
  scanners = ['marks'],
  past = [],
  real,
  ...options
}: ScanRoomOptions): Promise<ScanRoom> {
  const db = await openTestDatabase({ folder });
  const reads: string[] = [];
  let open = 0;
  const openTree: TreeOpener = async (request, watch) => {
    const tree = await folderTree(request.repository, past, reads, watch.signal);
    open++;
    return {
      ...tree,
      async close() {
        open--;
      },
    };
  };
  const room = createSecurity({
    store: createScanStore(db),
    kept: createFindingCache(db),
    openTree,
    fileScanners: real ? realScanners : fileScanners.filter(({ name }) => scanners.includes(name)),
    scannerModule: scannerModule(real),
    code: real ? codeOfMagpie : codeOfTests,
    // Workers of its own where a file has other bounds.
    desk: options.fileMs === undefined ? sharedDesk(real) : undefined,
    treeScanners: options.trees ?? [],
    log: createLog('silent'),
    atOnce: 2,
    timeoutMs: 60_000,
    keep: 10,
    ...options,
  });
  return {
    room,
    db,
    reads,
    open: () => open,
    async close() {
      await room.close();
      db.close();
    },
  };
}

/** A folder of plain files as a tree. */
async function folderTree(
  root: string,
  past: readonly PastFile[],
  reads: string[],
  signal: AbortSignal,
): Promise<OpenFileTree> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const full = join(entry.parentPath, entry.name);
        const content = await readFile(full);
        const path = relative(root, full);
        return { path, bytes: content.length, blob: createHash('sha1').update(content).digest('hex') };
      }),
  );
  signal.throwIfAborted();
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    files,
    left: [],
    gaps: [],
    commit: 'c0ffee',
    read(file) {
      reads.push(file.path);
      return readFile(join(root, file.path));
    },
    materialise: async () => 0,
    async *history() {
      yield* past;
    },
    close: async () => {},
  };
}
