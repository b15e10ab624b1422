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
import { escapeInvisibleCharacters } from './print-text.ts';
import type { ReportData } from './report.ts';
import { RISK_HEADS } from './risks.ts';

export async function writeMarkdownReport(matter: ReportData): Promise<string> {
  const outline = buildReportOutline(matter);
  const parts = [
    `# ${outline.title}`,
    plain(outline.subtitle),
    '## Summary',
    plain(outline.summary.join(' ')),
    table(['Standard', ...COUNT_COLUMN_HEADS], outline.standards.map(formatCountRow)),
    ...(outline.changes.length > 0 ? ['## Since the check before', list(outline.changes)] : []),
    '## By risk',
    outline.risks.length === 0 ? 'Nothing was found that counts.' : table(RISK_HEADS, outline.risks),
    ...(outline.moreRisks > 0 ? [`${outline.moreRisks} more are in the JSON form.`] : []),
    '## Control by control',
    ...(outline.gaps === undefined ? [] : [outline.gaps]),
    ...outline.chapters.flatMap(chapter),
    ...(outline.judgements.length > 0 ? ['## Judgements of people', list(outline.judgements)] : []),
    '## Evidence',
    list(outline.evidence),
    ...appendix(outline),
    '## Seal',
    ...outline.sealed.map(plain),
    `\`${outline.seal}\``,
  ];
  return `${parts.join('\n\n')}\n`;
}

function chapter({ result, note, groups }: ReportChapter): string[] {
  const { standard } = result;
  return [
    `### ${plain(`${standard.title}, ${standard.edition}`)}`,
    `${formatStatusCounts(result)}. Source: ${standard.source}. Words: ${plain(standard.license)}.`,
    ...(note ? [note] : []),
    ...groups.flatMap(({ head, controls }) => {
      const rows = controls.map(([control, why]) => [
        control.id,
        formatRequirement(control),
        STATUS_WORDS[control.status],
        why,
      ]);
      return [`#### ${plain(head)}`, table(['Control', 'What it asks for', 'Status', 'Why'], rows)];
    }),
  ];
}

function appendix({ chapters }: ReportOutline): string[] {
  const open = chapters.filter(({ uncovered }) => uncovered.length > 0);
  if (open.length === 0) return [];
  return [
    `## ${APPENDIX.title}`,
    APPENDIX.words,
    ...open.flatMap(({ result, uncovered }) => [
      `### ${plain(result.standard.title)}`,
      list(uncovered.map(([group, of]) => `${group}: ${of}`)),
    ]),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const list = (items: readonly string[]): string => items.map((item) => `- ${plain(item)}`).join('\n');

const plain = (text: string): string =>
  escapeInvisibleCharacters(text).replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`);
