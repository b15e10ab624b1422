import type { TreeScanner } from '../scanner.ts';

/** Scanners of whole trees, in the order whose words stay where two found the same. */
export const treeScanners: readonly TreeScanner[] = [];
