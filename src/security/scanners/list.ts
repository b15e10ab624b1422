import type { FileScanner } from '../scans/scanner.ts';
import { createAgentsScanner } from './agents.ts';
import { createInfrastructureScanner } from './infrastructure.ts';
import { createSecretsScanner } from './secrets.ts';
import { createSourceScanner } from './source.ts';

export const fileScanners: readonly FileScanner[] = [
  createSecretsScanner(),
  createInfrastructureScanner(),
  createSourceScanner(),
  createAgentsScanner(),
];
