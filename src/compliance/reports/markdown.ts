import type { StandardResult } from '../assessing/assessment.ts';
import {
  APPENDIX,
  buildReportOutline,
  COUNT_COLUMN_HEADS,
  formatAppendixNote,
  formatControlList,
  formatCountRow,
  formatRequirement,
  formatStatusCounts,
  groupControls,
  listCoveredControls,
  listUncoveredControls,
  type ReportOutline,
  STATUS_WORDS,
} from './outline.ts';
import { escapeInvisibleCharacters } from './print-text.ts';
import type { ReportForm } from './report.ts';
import { buildReportGroup } from './report-groups.ts';
import { formatControlNames, formatRiskCount, formatRiskLocations } from './risks.ts';

export const markdownForm: ReportForm = {
  format: 'markdown',
  type: 'text/markdown',
  extension: 'md',
  async write(matter) {
    const outline = buildReportOutline(matter);
    const parts = [
      `# ${outline.title}`,
      plain(outline.subtitle),
      '## Summary',
      plain(outline.summary.join(' ')),
      table(['Standard', ...COUNT_COLUMN_HEADS], outline.standards.map(formatCountRow)),
      ...(outline.changes.length > 0 ? ['## Since the check before', list(outline.changes)] : []),
      '## By risk',
      outline.risks.length === 0
        ? 'Nothing was found that counts.'
        : table(
            ['Severity', 'Finding', 'Where', 'What to do', 'Controls'],
            outline.risks.map((risk) => [
              risk.severity,
              formatRiskCount(risk),
              formatRiskLocations(risk),
              risk.fix,
              formatControlNames(risk.controls),
            ]),
          ),
      ...(outline.moreRisks > 0 ? [`${outline.moreRisks} more are in the JSON form.`] : []),
      '## Control by control',
      ...(outline.gaps === undefined ? [] : [outline.gaps]),
      ...outline.standards.flatMap((one) => chapter(one, outline)),
      ...(outline.judgements.length > 0 ? ['## Judgements of people', list(outline.judgements)] : []),
      '## Evidence',
      list(outline.evidence),
      ...appendix(outline),
      '## Seal',
      ...outline.sealed.map(plain),
      `\`${outline.seal}\``,
    ];
    return `${parts.join('\n\n')}\n`;
  },
};

function chapter(result: StandardResult, { why }: ReportOutline): string[] {
  const { standard } = result;
  const note = formatAppendixNote(result);
  return [
    `### ${plain(`${standard.title}, ${standard.edition}`)}`,
    `${formatStatusCounts(result)}. Source: ${standard.source}. Words: ${plain(standard.license)}.`,
    ...(note ? [note] : []),
    ...groupControls(listCoveredControls(result)).flatMap(([group, of]) => {
      const listing = buildReportGroup(group, of, why);
      const rows = of.map((control) => [
        control.id,
        formatRequirement(control),
        STATUS_WORDS[control.status],
        listing.why(control),
      ]);
      return [`#### ${plain(listing.head)}`, table(['Control', 'What it asks for', 'Status', 'Why'], rows)];
    }),
  ];
}

function appendix({ standards }: ReportOutline): string[] {
  const open = standards.filter((one) => listUncoveredControls(one).length > 0);
  if (open.length === 0) return [];
  return [
    `## ${APPENDIX.title}`,
    APPENDIX.words,
    ...open.flatMap((one) => [
      `### ${plain(one.standard.title)}`,
      list(
        groupControls(listUncoveredControls(one)).map(([group, of]) => `${group}: ${formatControlList(of)}`),
      ),
    ]),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${plain(item)}`).join('\n');
}

function plain(text: string): string {
  return escapeInvisibleCharacters(text).replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`);
}
