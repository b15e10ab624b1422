import { createImporting } from '../knowledge/importing.ts';
import { IMPORT_KINDS } from '../knowledge/imports/kinds.ts';
import { createFolderExport } from '../knowledge/markdown-folder.ts';
import { readOwnFile } from '../knowledge/own-file.ts';
import { createSyncing } from '../knowledge/syncing.ts';
import type { Intake, Knowledge } from '../knowledge/types.ts';
import type { Foundation } from './foundation.ts';

/** What takes in exports, with every kind that there is, keeps folders in step, and writes them. */
export async function openIntake({ log, stores }: Foundation, knowledge: Knowledge): Promise<Intake> {
  const folders = await (await stores()).folders();
  return {
    importSource: createImporting({ knowledge, kinds: IMPORT_KINDS, log }),
    exportFolder: createFolderExport(knowledge),
    readFile: readOwnFile,
    ...createSyncing({ knowledge, folders }),
  };
}
