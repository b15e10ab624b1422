import { CONTROL_STATUSES } from '../assessing/assessment.ts';
import { SEVERITY_COLOURS, STATUS_COLOURS } from './charts.ts';
import { STATUS_TEXT_COLOURS } from './html-style.ts';
import {
  APPENDIX,
  buildReportOutline,
  COUNT_COLUMN_HEADS,
  formatCountRow,
  formatRequirement,
  formatStatusCounts,
  type ReportChapter,
  type ReportOutline,
  STATUS_WORDS,
} from './outline.ts';
import type { TableCell } from './pdf-table.ts';
import { openPdfWriter, type PdfWriter } from './pdf-writer.ts';
import { formatSeal, type ReportData } from './report.ts';
import { RISK_HEADS } from './risks.ts';

const COUNT_WIDTHS = [8, 7, 9, 9.5, 9, 10, 8, 9.5, 7, 7];
const RISK_WIDTHS = [9, 21, 23, 23, 24];

export async function writePdfReport(matter: ReportData): Promise<Uint8Array> {
  const page = await openPdfWriter({
    head: `Compliance report: ${matter.assessment.scope}`,
    title: `Compliance report: ${matter.assessment.scope}`,
    keywords: formatSeal(matter.key),
    at: matter.assessment.createdAt,
  });
  fill(page, matter);
  return page.end();
}

function fill(page: PdfWriter, matter: ReportData): void {
  const outline = buildReportOutline(matter);
  cover(page, outline);
  page.chapter('Summary');
  summary(page, outline);
  page.chapter('By risk');
  risks(page, outline);
  page.chapter('Control by control');
  if (outline.gaps !== undefined) page.text(outline.gaps);
  for (const chapter of outline.chapters) controlsOf(page, chapter);
  if (outline.judgements.length > 0) {
    page.chapter('Judgements of people');
    page.list(outline.judgements);
  }
  page.chapter('Evidence');
  page.list(outline.evidence);
  appendix(page, outline);
  page.heading('Seal', 2);
  for (const sentence of outline.sealed) page.text(sentence);
  page.text(outline.seal);
}

function cover(page: PdfWriter, { title, subtitle, summary: [first = ''] }: ReportOutline): void {
  page.heading(title, 1);
  page.text(subtitle, { soft: true });
  page.text(first);
  page.contents();
}

function appendix(page: PdfWriter, { chapters }: ReportOutline): void {
  const open = chapters.filter(({ uncovered }) => uncovered.length > 0);
  if (open.length === 0) return;
  page.chapter(APPENDIX.title);
  page.text(APPENDIX.words);
  for (const { result, uncovered } of open) {
    page.heading(result.standard.title, 3);
    for (const [group, of] of uncovered) page.runIn(group, of);
  }
}

function summary(page: PdfWriter, { summary: sentences, severities, standards, changes }: ReportOutline) {
  page.text(sentences.join(' '));
  const most = Math.max(1, ...severities.map(([, count]) => count));
  page.heading('Findings that count, by severity', 3);
  page.bars(
    severities.map(([severity, count]) => ({
      name: `${severity}: ${count}`,
      words: `${severity}: ${count}`,
      parts: [[SEVERITY_COLOURS[severity], count / most]],
    })),
  );
  page.heading('Controls of each standard by status', 3);
  page.bars(
    standards.map((result) => ({
      name: result.standard.id,
      words: `${result.standard.id}: ${formatStatusCounts(result)}`,
      parts: CONTROL_STATUSES.map((status) => [
        STATUS_COLOURS[status],
        result.counts[status] / Math.max(1, result.total),
      ]),
    })),
  );
  page.legend(CONTROL_STATUSES.map((status) => [STATUS_COLOURS[status], STATUS_WORDS[status]]));
  page.table(
    [['Standard', 16], ...COUNT_COLUMN_HEADS.map((head, at) => [head, COUNT_WIDTHS[at] ?? 9] as const)],
    standards.map((result) => [result.standard.id, ...formatCountRow(result).slice(1)]),
  );
  if (changes.length > 0) {
    page.heading('Since the previous check', 2);
    page.list(changes);
  }
}

function risks(page: PdfWriter, { risks: all, moreRisks }: ReportOutline): void {
  if (all.length === 0) {
    page.text('No finding counts against any control.');
    return;
  }
  page.table(
    RISK_HEADS.map((head, at) => [head, RISK_WIDTHS[at] ?? 24]),
    all,
  );
  if (moreRisks > 0) page.text(`${moreRisks} more are in the JSON form.`);
}

function controlsOf(page: PdfWriter, { result, note, groups }: ReportChapter): void {
  const { standard } = result;
  page.heading(`${standard.title}, ${standard.edition}`, 3);
  page.text(`${formatStatusCounts(result)}.${note ? ` ${note}` : ''}`);
  page.text(`${standard.source}. ${standard.license}.`, { soft: true });
  const rows = groups.flatMap(({ head, controls }): (readonly TableCell[])[] => [
    [head],
    ...controls.map(([control, why]) => [
      control.id,
      formatRequirement(control),
      { words: STATUS_WORDS[control.status], colour: STATUS_TEXT_COLOURS.onWhite[control.status] },
      why,
    ]),
  ]);
  if (rows.length === 0) return;
  page.table(
    [
      ['Control', 13],
      ['What it asks for', 30],
      ['Status', 12],
      ['Why', 45],
    ],
    rows,
  );
}
