import { html } from 'hono/html';
import type { ControlStatus, StatusCounts } from '../../../compliance/types.ts';
import type { Html } from '../../html.ts';
import looks from './control-looks.json' with { type: 'json' };

const LOOKS: Readonly<Record<ControlStatus, (typeof looks)['pass']>> = looks;
export const STATUSES_BY_URGENCY = Object.keys(looks) as ControlStatus[];

export const statusWord = (status: ControlStatus): string => LOOKS[status].word;

export function statusTag(status: ControlStatus): Html {
  return html`<span class="tag ${LOOKS[status].tag}">${LOOKS[status].word}</span>`;
}

const [WIDTH, HEIGHT] = [1000, 10];

export function coverageBar(counts: StatusCounts, total: number): Html {
  const names = 'pass attested no_findings exception fail manual not_assessed not_applicable';
  const order = names.split(' ') as ControlStatus[];
  let at = 0;
  const words = order.flatMap((status) =>
    counts[status] > 0 ? `${counts[status]} ${statusWord(status).toLowerCase()}` : [],
  );
  const parts = order.map((status) => {
    const width = total === 0 ? 0 : (WIDTH * counts[status]) / total;
    const x = at;
    at += width;
    return width === 0
      ? ''
      : html`<path class="${LOOKS[status].fill}-fill" d="M${x.toFixed(1)} 0h${width.toFixed(1)}v${HEIGHT}h-${width.toFixed(1)}z"/>`;
  });
  return html`<svg class="share" role="img" aria-label="Of ${total} controls: ${words.join(', ')}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${parts}</svg>`;
}

export function coverageLegend(counts: StatusCounts): Html {
  return html`<ul class="legend">${STATUSES_BY_URGENCY.flatMap((status) =>
    counts[status] === 0
      ? []
      : html`<li><svg viewBox="0 0 9 9" aria-hidden="true"><path class="${LOOKS[status].fill}-fill" d="M0 0h9v9h-9z"/></svg><b>${counts[status]}</b> ${statusWord(status).toLowerCase()}</li>`,
  )}</ul>`;
}

const PLAIN = /^(?:top|controls|scorecard|checks)$/;

/** Formats a standard's id, for example `pci-dss` as `PCI DSS`. */
export function standardDisplayName(id: string): string {
  return id
    .split('-')
    .map((word) =>
      PLAIN.test(word) ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word.toUpperCase(),
    )
    .join(' ')
    .replace('OPENSSF', 'OpenSSF')
    .replace('800 53', '800-53')
    .replace('GDPR 32', 'GDPR Art. 32');
}
