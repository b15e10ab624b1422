import type { ControlResult, StandardResult } from '../assessment.ts';
import type { ReportForm } from '../report.ts';
import { controlsText, outlineOf, rowOf, STATUS_WORDS } from './outline.ts';

/** For tickets and repositories. What is quoted of scanned files can make neither markup nor lines of its own. */
export const markdownForm: ReportForm = {
  format: 'markdown',
  type: 'text/markdown',
  extension: 'md',
  async write(matter) {
    const outline = outlineOf(matter);
    const parts = [
      `# ${outline.title}`,
      plain(outline.subtitle),
      '## Summary',
      outline.summary.join(' '),
      table(
        ['Standard', 'Passed', 'Failed', 'For a person', 'Not assessed', 'Judged by checks'],
        outline.standards.map(rowOf),
      ),
      ...(outline.changes.length > 0 ? ['## Since the check before', list(outline.changes)] : []),
      '## By risk',
      outline.risks.length === 0
        ? 'Nothing was found that counts.'
        : table(
            ['Severity', 'Finding', 'Where', 'What to do', 'Controls'],
            outline.risks.map((risk) => [
              risk.severity,
              `${risk.title} (${risk.id})`,
              risk.location,
              risk.fix,
              controlsText(risk.controls),
            ]),
          ),
      ...(outline.moreRisks > 0 ? [`${outline.moreRisks} more are in the JSON form.`] : []),
      '## Control by control',
      ...outline.standards.flatMap(chapter),
      '## Evidence',
      list(outline.evidence),
      '## Seal',
      `\`${outline.seal}\``,
    ];
    return `${parts.join('\n\n')}\n`;
  },
};

function chapter({ standard, controls }: StandardResult): string[] {
  return [
    `### ${plain(`${standard.title}, ${standard.edition}`)}`,
    `Source: ${standard.source}. Words: ${plain(standard.license)}.`,
    table(['Control', 'What it asks for', 'Status', 'Why'], controls.map(rowOfControl)),
  ];
}

function rowOfControl({ id, title, status, reason }: ControlResult): string[] {
  return [id, title, STATUS_WORDS[status], reason];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${plain(item)}`).join('\n');
}

/** One line of text that Markdown takes as text. */
function plain(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`);
}
