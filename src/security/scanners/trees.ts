import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { TreeScanner } from '../scanner.ts';
import { createExternalScanners } from './external.ts';

/** Scanners of whole trees, in the order whose words stay where two found the same: our own before those of others. */
export function openTreeScanners(config: Config): readonly TreeScanner[] {
  return createExternalScanners({
    programs: config.scanners,
    searchPath: config.scannerPath,
    folder: join(config.data, 'scanner-work'),
  });
}
