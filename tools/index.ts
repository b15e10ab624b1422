import type { Operation } from '../src/operation.ts';
import { automationrpa } from './automationrpa.ts';
import { browse, browseByUrl, browsegiant } from './browse.ts';
import { checkCompliance } from './check-compliance.ts';
import { deleteEntry } from './delete-entry.ts';
import { document, pdfpro } from './document.ts';
import { generateComplianceReport } from './generate-compliance-report.ts';
import { getComplianceCheck } from './get-compliance-check.ts';
import { getMonitoringStatus } from './get-monitoring-status.ts';
import { getScan } from './get-scan.ts';
import { help } from './help.ts';
import { hybrid } from './hybrid.ts';
import { list } from './list.ts';
import { listEntries } from './list-entries.ts';
import { listMonitors } from './list-monitors.ts';
import { listpdfs } from './listpdfs.ts';
import { metadatakb } from './metadatakb.ts';
import { pdfload } from './pdfload.ts';
import { pdfsearch, query, queryUsersKnowledgeBase } from './query.ts';
import { resendNotices } from './resend-notices.ts';
import { resetOperation, resetUsersKnowledgeBase } from './reset.ts';
import { scan } from './scan.ts';
import { search, searchgiant } from './search.ts';
import { startMonitoring } from './start-monitoring.ts';
import { stopMonitoring } from './stop-monitoring.ts';
import { ultrafastsearch } from './ultrafastsearch.ts';
import { updateEntry } from './update-entry.ts';
import { insert, upsert, upsertjson, upsertToUsersKnowledgeBase } from './upsert.ts';

export const operations: readonly Operation[] = [
  search,
  searchgiant,
  ultrafastsearch,
  hybrid,
  browse,
  browsegiant,
  browseByUrl,
  upsert,
  insert,
  upsertToUsersKnowledgeBase,
  upsertjson,
  query,
  pdfsearch,
  queryUsersKnowledgeBase,
  metadatakb,
  listEntries,
  updateEntry,
  deleteEntry,
  resetOperation,
  resetUsersKnowledgeBase,
  listpdfs,
  document,
  pdfpro,
  pdfload,
  automationrpa,
  scan,
  getScan,
  startMonitoring,
  getMonitoringStatus,
  stopMonitoring,
  listMonitors,
  resendNotices,
  checkCompliance,
  getComplianceCheck,
  generateComplianceReport,
  list,
  help,
];
