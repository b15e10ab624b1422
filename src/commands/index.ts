import type { Command } from '../command.ts';
import { addParts } from './add.ts';
import { backUpDataFolder, restoreDataFolder } from './backup.ts';
import { complianceCommand } from './compliance.ts';
import { doctorCommand } from './doctor.ts';
import { testEngines } from './engines-test.ts';
import { indexPages } from './index-pages.ts';
import { createKey, listKeys, rotateKey } from './keys/key.ts';
import { revokeAllKeys, revokeKey, revokeUploadLinks } from './keys/key-revoke.ts';
import { keyUsage } from './keys/key-usage.ts';
import { exportEntries, importEntries } from './knowledge/kb.ts';
import { checkStoredData } from './knowledge/kb-check.ts';
import { mergeEntries, showDuplicates } from './knowledge/kb-duplicates.ts';
import { syncFolder } from './knowledge/kb-sync.ts';
import { restoreEntries, showTrash } from './knowledge/kb-trash.ts';
import { addEmbeddingModel, listEmbeddingModels, removeEmbeddingModel } from './knowledge/model.ts';
import { uploadFiles } from './knowledge/upload.ts';
import { deleteUserData, exportUserData } from './knowledge/user.ts';
import { migrateData } from './migrate.ts';
import { monitorCommand } from './monitor.ts';
import { updateAdvisories } from './scanning/advisories.ts';
import { testRules } from './scanning/rules-test.ts';
import { listScans, scanRepository } from './scanning/scan.ts';
import { setupAssistants } from './setup.ts';
import { takeTour } from './tour.ts';

export const commands: readonly Command[] = [
  setupAssistants,
  doctorCommand,
  takeTour,
  testEngines,
  indexPages,
  exportEntries,
  importEntries,
  syncFolder,
  showDuplicates,
  mergeEntries,
  showTrash,
  restoreEntries,
  checkStoredData,
  backUpDataFolder,
  restoreDataFolder,
  migrateData,
  addParts,
  addEmbeddingModel,
  listEmbeddingModels,
  removeEmbeddingModel,
  uploadFiles,
  revokeUploadLinks,
  scanRepository,
  listScans,
  testRules,
  monitorCommand,
  complianceCommand,
  updateAdvisories,
  createKey,
  listKeys,
  keyUsage,
  rotateKey,
  revokeKey,
  revokeAllKeys,
  exportUserData,
  deleteUserData,
];
