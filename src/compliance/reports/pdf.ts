import { STATUSES, type StandardResult } from '../assessment.ts';
import type { ReportForm, ReportMatter } from '../report.ts';
import { SEVERITY_COLOURS, STATUS_COLOURS } from './charts.ts';
import { controlsText, outlineOf, rowOf, STATUS_WORDS } from './outline.ts';
import { openPage, type Page } from './pdf-page.ts';

/** For auditors and archives: A4, in the standard fonts of PDF, which write Western languages only. */
export const pdfForm: ReportForm = {
  format: 'pdf',
  type: 'application/pdf',
  extension: 'pdf',
  async write(matter) {
    const page = await openPage(`Compliance report: ${matter.assessment.scope}`, matter.assessment.createdAt);
    fill(page, matter);
    return page.end();
  },
};

function fill(page: Page, matter: ReportMatter): void {
  const outline = outlineOf(matter);
  page.heading(outline.title, 22);
  page.text(outline.subtitle, { colour: '#5b6470' });
  page.heading('Summary', 15);
  page.text(outline.summary.join(' '));
  for (const { standard, counts, total } of outline.standards) {
    page.bar(
      standard.id,
      STATUSES.map((status) => [STATUS_COLOURS[status], counts[status] / Math.max(1, total)]),
    );
  }
  page.legend(STATUSES.map((status) => [STATUS_COLOURS[status], STATUS_WORDS[status]]));
  page.table(
    [
      ['Standard', 38],
      ['Passed', 11],
      ['Failed', 11],
      ['For a person', 14],
      ['Not assessed', 14],
      ['Judged', 12],
    ],
    outline.standards.map(rowOf),
  );
  const most = Math.max(1, ...outline.severities.map(([, count]) => count));
  for (const [severity, count] of outline.severities) {
    page.bar(`${severity}: ${count}`, [[SEVERITY_COLOURS[severity], count / most]]);
  }
  if (outline.changes.length > 0) {
    page.heading('Since the check before', 15);
    for (const change of outline.changes) page.text(`• ${change}`);
  }
  page.chapter('By risk');
  if (outline.risks.length === 0) page.text('Nothing was found that counts.');
  else {
    page.table(
      [
        ['Severity', 10],
        ['Finding', 24],
        ['Where', 20],
        ['What to do', 26],
        ['Controls', 20],
      ],
      outline.risks.map(({ severity, title, id, location, fix, controls }) => [
        severity,
        `${title} (${id})`,
        location,
        fix,
        controlsText(controls),
      ]),
    );
  }
  if (outline.moreRisks > 0) page.text(`${outline.moreRisks} more are in the JSON form.`);
  page.chapter('Control by control');
  for (const standard of outline.standards) controlsOf(page, standard);
  page.chapter('Evidence');
  for (const line of outline.evidence) page.text(`• ${line}`);
  page.heading('Seal', 15);
  page.text(outline.seal);
}

function controlsOf(page: Page, { standard, controls }: StandardResult): void {
  page.heading(`${standard.title}, ${standard.edition}`, 12);
  page.text(`${standard.source}. ${standard.license}.`, { colour: '#5b6470' });
  page.table(
    [
      ['Control', 13],
      ['What it asks for', 37],
      ['Status', 14],
      ['Why', 36],
    ],
    controls.map(({ id, title, status, reason }) => [id, title, STATUS_WORDS[status], reason]),
  );
}
