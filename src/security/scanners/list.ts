import type { FileScanner } from '../scans/scanner.ts';
import { createInfrastructureScanner } from './infrastructure.ts';
import { createSecretsScanner } from './secrets.ts';
import { createSourceScanner } from './source.ts';

/** Scanners of single files, in the order whose words stay where two found the same; loaded in worker threads. */
export const fileScanners: readonly FileScanner[] = [
  createSecretsScanner(),
  createInfrastructureScanner(),
  createSourceScanner(),
];
