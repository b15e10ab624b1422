import { createImporting } from '../knowledge/importing.ts';
import { IMPORT_KINDS } from '../knowledge/imports/kinds.ts';
import type { Intake, Knowledge } from '../knowledge/types.ts';
import type { Foundation } from './foundation.ts';

/** What takes in exports, with every kind that there is. */
export async function openIntake({ log }: Foundation, knowledge: Knowledge): Promise<Intake> {
  return { importSource: createImporting({ knowledge, kinds: IMPORT_KINDS, log }) };
}
