import { CONTROL_STATUSES, type ControlResult } from '../assessing/assessment.ts';
import { drawSeverityChart, drawStatusChart } from './charts.ts';
import { REPORT_CSS } from './html-style.ts';
import {
  APPENDIX,
  buildReportOutline,
  COUNT_COLUMN_HEADS,
  formatCountRow,
  formatStatusCounts,
  type ReportChapter,
  type ReportOutline,
  STATUS_WORDS,
} from './outline.ts';
import { escapeInvisibleCharacters } from './print-text.ts';
import type { ReportData } from './report.ts';
import { RISK_HEADS } from './risks.ts';

export async function writeHtmlReport(matter: ReportData): Promise<string> {
  const outline = buildReportOutline(matter);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(`${outline.title}: ${matter.assessment.scope}`)}</title><style>${REPORT_CSS}</style></head><body>`,
    `<a class="skip" href="#summary">To the summary</a><header><h1>${outline.title}</h1><p class="soft">${foreign(outline.subtitle)}</p></header>`,
    contents(outline),
    '<main>',
    ...summary(outline),
    '<h2 class="chapter" id="risks">By risk</h2>',
    ...risks(outline),
    `<h2 class="chapter" id="controls">Control by control</h2>${outline.gaps === undefined ? '' : `<p>${outline.gaps}</p>`}`,
    ...outline.chapters.map(chapter),
    ...(outline.judgements.length > 0
      ? [`<h2 class="chapter" id="judgements">Judgements of people</h2>${list(outline.judgements)}`]
      : []),
    `<h2 class="chapter" id="evidence">Evidence</h2>${list(outline.evidence)}`,
    ...appendix(outline),
    `<h2 id="seal">Seal</h2>${outline.sealed.map((one) => `<p>${escaped(one)}</p>`).join('')}`,
    `<p><code>${escaped(outline.seal)}</code></p>`,
    '</main></body></html>\n',
  ].join('\n');
}

function contents({ changes, chapters, judgements }: ReportOutline): string {
  const entries = [
    ['summary', 'Summary'],
    ...(changes.length > 0 ? [['changes', 'Since the previous check']] : []),
    ['risks', 'By risk'],
    ['controls', 'Control by control'],
    ...(judgements.length > 0 ? [['judgements', 'Judgements of people']] : []),
    ['evidence', 'Evidence'],
    ...(chapters.some(({ uncovered }) => uncovered.length > 0) ? [['appendix', 'Appendix']] : []),
    ['seal', 'Seal'],
  ];
  return `<nav aria-label="Contents"><ul>${entries.map(([id, words]) => `<li><a href="#${id}">${words}</a></li>`).join('')}</ul></nav>`;
}

function summary({ summary: sentences, standards, severities, changes }: ReportOutline): string[] {
  const legend = CONTROL_STATUSES.map(
    (status) => `<span class="status ${status}">■ ${STATUS_WORDS[status]}</span>`,
  ).join(' &nbsp; ');
  const rows = standards.map((one) => {
    const [name = '', ...figures] = formatCountRow(one).map(escaped);
    return `<tr><th scope="row">${name}</th>${figures.map((figure, at) => `<td class="number" data-head="${COUNT_COLUMN_HEADS[at]}">${figure}</td>`).join('')}</tr>`;
  });
  return [
    `<h2 id="summary">Summary</h2><p>${escaped(sentences.join(' '))}</p>`,
    `${drawSeverityChart(severities)}${drawStatusChart(standards)}<p>${legend}</p>`,
    `<table class="counts"><caption hidden>Controls of each standard</caption><thead><tr><th scope="col">Standard</th>${COUNT_COLUMN_HEADS.map((head) => `<th scope="col" class="number">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
    changes.length > 0 ? `<h2 id="changes">Since the previous check</h2>${list(changes)}` : '',
  ];
}

function risks({ risks: all, moreRisks }: ReportOutline): string[] {
  if (all.length === 0) return ['<p>No finding counts against any control.</p>'];
  const rows = all.map(
    ([severity, ...cells]) =>
      `<tr><td>${severity}</td>${cells.map((cell) => `<td>${foreign(cell)}</td>`).join('')}</tr>`,
  );
  return [
    table('risks', RISK_HEADS, [`<tbody>${rows.join('\n')}</tbody>`]),
    moreRisks > 0 ? `<p>${moreRisks} more are in the JSON form.</p>` : '',
  ];
}

function chapter({ result, note, groups }: ReportChapter): string {
  const { standard } = result;
  const bodies = groups.map(({ head, controls }) => {
    const rows = controls.map(
      ([control, why]) =>
        `<tr><th scope="row">${escaped(control.id)}</th><td>${asked(control)}</td><td class="status ${control.status}">${STATUS_WORDS[control.status]}</td><td>${foreign(why)}</td></tr>`,
    );
    return `<tbody><tr><th colspan="4" scope="rowgroup" class="group">${escaped(head)}</th></tr>\n${rows.join('\n')}</tbody>`;
  });
  return [
    `<h3 id="${standard.id}">${escaped(`${standard.title}, ${standard.edition}`)}</h3>`,
    `<p>${formatStatusCounts(result)}.${note ? ` <a href="#open-${standard.id}">${note}</a>` : ''}</p>`,
    `<p class="soft"><a href="${escaped(standard.source)}">${escaped(standard.source)}</a>. ${escaped(standard.license)}.</p>`,
    bodies.length > 0 ? table('controls', ['Control', 'What it asks for', 'Status', 'Why'], bodies) : '',
  ].join('\n');
}

function appendix({ chapters }: ReportOutline): string[] {
  const open = chapters.filter(({ uncovered }) => uncovered.length > 0);
  if (open.length === 0) return [];
  return [
    `<h2 class="chapter" id="appendix">${APPENDIX.title}</h2><p>${APPENDIX.words}</p>`,
    ...open.map(({ result: { standard }, uncovered }) => {
      const groups = uncovered.map(
        ([group, of]) => `<p><strong>${escaped(group)}</strong>: ${escaped(of)}</p>`,
      );
      return `<h3 id="open-${standard.id}">${escaped(standard.title)}</h3>${groups.join('\n')}`;
    }),
  ];
}

const asked = ({ title, text }: ControlResult): string =>
  `${escaped(title)}${text ? `<br><span class="soft">${escaped(text)}</span>` : ''}`;

const table = (name: string, heads: readonly string[], bodies: readonly string[]): string =>
  `<table class="${name}"><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>${bodies.join('\n')}</table>`;

const list = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${foreign(item)}</li>`).join('')}</ul>`;

const foreign = (text: string): string => `<bdi>${escaped(text)}</bdi>`;

const escaped = (text: string): string =>
  escapeInvisibleCharacters(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
