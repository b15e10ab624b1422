import type { Command } from '../command.ts';
import { addParts } from './add.ts';
import { updateAdvisories } from './advisories.ts';
import { revokeApp } from './app-revoke.ts';
import { backUpFolder, restoreFolder } from './backup.ts';
import { complianceCommand } from './compliance.ts';
import { examine } from './doctor.ts';
import { testEngines } from './engines-test.ts';
import { indexPages } from './index-pages.ts';
import { exportEntries } from './kb.ts';
import { checkKept } from './kb-check.ts';
import { mergeEntries, showDuplicates } from './kb-duplicates.ts';
import { importEntries } from './kb-import.ts';
import { syncFolder } from './kb-sync.ts';
import { restoreEntries, showTrash } from './kb-trash.ts';
import { createKey, rotateKey } from './key.ts';
import { listKeys } from './key-list.ts';
import { revokeAllKeys, revokeKey } from './key-revoke.ts';
import { keyUsage } from './key-usage.ts';
import { migrateData } from './migrate.ts';
import { addModel, listModels, removeModel } from './model.ts';
import { monitorCommand } from './monitor.ts';
import { testRules } from './rules-test.ts';
import { scanRepository } from './scan.ts';
import { listScans } from './scans.ts';
import { setupAssistants } from './setup.ts';
import { takeTour } from './tour.ts';
import { uploadFiles } from './upload.ts';
import { deleteUserData, exportUserData } from './user.ts';

/** Every command of the terminal that is not an operation, in the order of `magpie --help`. */
export const commands: readonly Command[] = [
  setupAssistants,
  examine,
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
  checkKept,
  backUpFolder,
  restoreFolder,
  migrateData,
  addParts,
  addModel,
  listModels,
  removeModel,
  uploadFiles,
  revokeApp,
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
