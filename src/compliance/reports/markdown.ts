import type { StandardResult } from '../assessing/assessment.ts';
import { listedGroup } from './group-words.ts';
import {
  APPENDIX,
  appendixNote,
  askedText,
  COUNT_HEADS,
  countsText,
  coveredIn,
  groupsOf,
  listed,
  type Outline,
  outlineOf,
  rowOf,
  STATUS_WORDS,
  uncoveredIn,
} from './outline.ts';
import { visible } from './print-text.ts';
import type { ReportForm } from './report.ts';
import { controlsText, placesText, timesText } from './risks.ts';

/** For tickets and repositories. Text from scanned files is escaped, so that it cannot add markup or lines. */
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
      plain(outline.summary.join(' ')),
      table(['Standard', ...COUNT_HEADS], outline.standards.map(rowOf)),
      ...(outline.changes.length > 0 ? ['## Since the check before', list(outline.changes)] : []),
      '## By risk',
      outline.risks.length === 0
        ? 'Nothing was found that counts.'
        : table(
            ['Severity', 'Finding', 'Where', 'What to do', 'Controls'],
            outline.risks.map((risk) => [
              risk.severity,
              timesText(risk),
              placesText(risk),
              risk.fix,
              controlsText(risk.controls),
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

function chapter(result: StandardResult, { why }: Outline): string[] {
  const { standard } = result;
  const note = appendixNote(result);
  return [
    `### ${plain(`${standard.title}, ${standard.edition}`)}`,
    `${countsText(result)}. Source: ${standard.source}. Words: ${plain(standard.license)}.`,
    ...(note ? [note] : []),
    ...groupsOf(coveredIn(result)).flatMap(([group, of]) => {
      const listing = listedGroup(group, of, why);
      const rows = of.map((control) => [
        control.id,
        askedText(control),
        STATUS_WORDS[control.status],
        listing.why(control),
      ]);
      return [`#### ${plain(listing.head)}`, table(['Control', 'What it asks for', 'Status', 'Why'], rows)];
    }),
  ];
}

function appendix({ standards }: Outline): string[] {
  const open = standards.filter((one) => uncoveredIn(one).length > 0);
  if (open.length === 0) return [];
  return [
    `## ${APPENDIX.title}`,
    APPENDIX.words,
    ...open.flatMap((one) => [
      `### ${plain(one.standard.title)}`,
      list(groupsOf(uncoveredIn(one)).map(([group, of]) => `${group}: ${listed(of)}`)),
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
  return visible(text).replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`);
}
