import { htmlReportForm } from './html.ts';
import { jsonForm } from './json.ts';
import { markdownForm } from './markdown.ts';
import { oscalForm } from './oscal.ts';
import { pdfReportForm } from './pdf.ts';
import type { ReportForm } from './report.ts';

export const REPORT_FORMS: readonly ReportForm[] = [
  jsonForm,
  markdownForm,
  htmlReportForm,
  pdfReportForm,
  oscalForm,
];
