import type { ComplianceReportFormat } from '../../lib/compliance/report-formats.ts';
import { writeHtmlReport } from './html.ts';
import { writeJsonReport } from './json.ts';
import { writeMarkdownReport } from './markdown.ts';
import { writeOscalResults } from './oscal.ts';
import { writeOscalComponent } from './oscal-component.ts';
import { writeOscalPlan } from './oscal-plan.ts';
import { writePdfReport } from './pdf.ts';
import type { ReportWriter } from './report.ts';

export const REPORT_WRITERS: Readonly<Record<ComplianceReportFormat, ReportWriter>> = {
  json: writeJsonReport,
  markdown: writeMarkdownReport,
  html: writeHtmlReport,
  pdf: writePdfReport,
  oscal: writeOscalResults,
  oscal_component: writeOscalComponent,
  oscal_poam: writeOscalPlan,
};
