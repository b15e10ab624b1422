import { createImporting } from '../../knowledge/importing/importing.ts';
import { readLocalFile } from '../../knowledge/importing/local-file.ts';
import { withPassword } from '../../knowledge/importing/pdf-password.ts';
import { IMPORT_KINDS } from '../../knowledge/imports/kinds.ts';
import { createFolderExport } from '../../knowledge/syncing/markdown-folder.ts';
import { createSyncing } from '../../knowledge/syncing/syncing.ts';
import type { FileExchange, Knowledge, PageReader } from '../../knowledge/types.ts';
import type { ServicesFoundation } from '../foundation.ts';

export async function openFileExchange(
  { config, log, stores }: ServicesFoundation,
  knowledge: Knowledge,
): Promise<FileExchange> {
  const folders = await (await stores()).folders();
  const importSource = createImporting({ knowledge, kinds: IMPORT_KINDS, log });
  const { syncFolder, ...syncing } = createSyncing({ knowledge, folders });
  const unlocked = <Options extends { readonly read: PageReader; readonly password?: string | undefined }>(
    options: Options,
  ) => ({ ...options, read: withPassword(options.read, options.password ?? config.pdfPassword) });
  return {
    ...syncing,
    importSource: (owner, source, options) => importSource(owner, source, unlocked(options)),
    syncFolder: (owner, folder, options) => syncFolder(owner, folder, unlocked(options)),
    exportFolder: createFolderExport(knowledge),
    readFile: (path, options) => readLocalFile(path, unlocked(options)),
  };
}
