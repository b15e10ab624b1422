import type { FileScanner } from '../scans/scanner.ts';
import { createAgentsScanner } from './agents.ts';
import { createInfrastructureScanner } from './infrastructure.ts';
import { createSecretsScanner } from './secrets.ts';
import { createSourceScanner } from './source.ts';

/** Scanners of single files, run in worker threads. If several report one defect, the first one's text is kept. */
export const fileScanners: readonly FileScanner[] = [
  createSecretsScanner(),
  createInfrastructureScanner(),
  createSourceScanner(),
  createAgentsScanner(),
];
