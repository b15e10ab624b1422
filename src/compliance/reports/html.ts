import { STATUSES, type StandardResult } from '../assessment.ts';
import type { ReportForm } from '../report.ts';
import { STATUS_COLOURS, severityChart, statusChart } from './charts.ts';
import { controlsText, outlineOf, rowOf, STATUS_WORDS } from './outline.ts';

const STYLE = `
:root { font: 15px/1.45 system-ui, sans-serif; color: #1d2127; background: #fff; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #d5d9df; }
table { border-collapse: collapse; width: 100%; margin: .8rem 0; font-size: .88rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid #e3e6ea; overflow-wrap: anywhere; }
thead { display: table-header-group; } tr { break-inside: avoid; }
svg { width: 100%; height: auto; margin: .6rem 0; } .subtitle, footer { color: #5b6470; }
.status { white-space: nowrap; font-weight: 600; } code { overflow-wrap: anywhere; font-size: .8rem; }
${STATUSES.map((status) => `.${status} { color: ${STATUS_COLOURS[status]}; }`).join('\n')}
@media print { :root { font-size: 10pt; } body { max-width: none; margin: 0; } h2.chapter { break-before: page; } @page { margin: 16mm; } }
`;

/** One page with all in it: no script, nothing fetched, charts as inline SVG; prints as it reads. */
export const htmlForm: ReportForm = {
  format: 'html',
  type: 'text/html',
  extension: 'html',
  async write(matter) {
    const outline = outlineOf(matter);
    const legend = STATUSES.map(
      (status) => `<span class="status ${status}">■ ${STATUS_WORDS[status]}</span>`,
    ).join(' &nbsp; ');
    const body = [
      `<h1>${escaped(outline.title)}</h1><p class="subtitle">${escaped(outline.subtitle)}</p>`,
      `<h2>Summary</h2><p>${escaped(outline.summary.join(' '))}</p>`,
      `${statusChart(outline.standards)}<p>${legend}</p>`,
      table(
        ['Standard', 'Passed', 'Failed', 'For a person', 'Not assessed', 'Judged by checks'],
        outline.standards.map((one) => rowOf(one).map(escaped)),
      ),
      severityChart(outline.severities),
      outline.changes.length > 0 ? `<h2>Since the check before</h2>${list(outline.changes)}` : '',
      '<h2 class="chapter">By risk</h2>',
      outline.risks.length === 0
        ? '<p>Nothing was found that counts.</p>'
        : table(
            ['Severity', 'Finding', 'Where', 'What to do', 'Controls'],
            outline.risks.map(({ severity, title, id, location, fix, controls }) =>
              [severity, `${title} (${id})`, location, fix, controlsText(controls)].map(escaped),
            ),
          ),
      outline.moreRisks > 0 ? `<p>${outline.moreRisks} more are in the JSON form.</p>` : '',
      '<h2 class="chapter">Control by control</h2>',
      ...outline.standards.map(chapter),
      `<h2 class="chapter">Evidence</h2>${list(outline.evidence)}`,
      `<h2>Seal</h2><p><code>${escaped(outline.seal)}</code></p>`,
    ];
    return [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escaped(`${outline.title}: ${matter.assessment.scope}`)}</title><style>${STYLE}</style></head><body>`,
      ...body,
      '</body></html>\n',
    ].join('\n');
  },
};

function chapter({ standard, controls }: StandardResult): string {
  const rows = controls.map(({ id, title, status, reason }) => [
    escaped(id),
    escaped(title),
    `<span class="status ${status}">${STATUS_WORDS[status]}</span>`,
    escaped(reason),
  ]);
  const source = `<a href="${escaped(standard.source)}">${escaped(standard.source)}</a>`;
  return `<h3>${escaped(`${standard.title}, ${standard.edition}`)}</h3><p class="subtitle">${source}. ${escaped(standard.license)}.</p>${table(['Control', 'What it asks for', 'Status', 'Why'], rows)}`;
}

/** Cells are HTML already. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('\n')}</tbody></table>`;
}

function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;
}

function escaped(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
