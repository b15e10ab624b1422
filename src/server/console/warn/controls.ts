import { html } from 'hono/html';
import type { Assessment, ControlResult, ControlStatus, EvidenceFinding } from '../../../compliance/types.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import type { Html } from '../../app/page.ts';
import { formatTimeUtc } from '../frame/format-times.ts';
import { severityTag } from '../frame/severity.ts';
import { STATUSES_BY_URGENCY, standardDisplayName, statusTag, statusWord } from './control-status.ts';

const PAGE_SIZE = 20;
const [MAX_FINDINGS, MAX_CHECKS] = [10, 20];

export interface ControlFilter {
  readonly standard?: string | undefined;
  readonly status?: ControlStatus | undefined;
  readonly from: number;
}

export function controlsHtml(check: Assessment, filter: ControlFilter): Html {
  const { id, standards, findings } = check;
  const { standard: chosen, status: wanted, from } = filter;
  const all = standards
    .filter(({ standard }) => chosen === undefined || standard.id === chosen)
    .flatMap(({ standard, controls }) => controls.map((control) => ({ standard: standard.id, control })));
  const counts = new Map(
    STATUSES_BY_URGENCY.map((status) => [
      status,
      all.filter(({ control }) => control.status === status).length,
    ]),
  );
  const fitting = all
    .filter(({ control }) => wanted === undefined || control.status === wanted)
    .toSorted(
      (a, b) => STATUSES_BY_URGENCY.indexOf(a.control.status) - STATUSES_BY_URGENCY.indexOf(b.control.status),
    );
  const byPrint = new Map(findings.map((finding) => [finding.fingerprint, finding]));
  const to = (given: Partial<ControlFilter>) => {
    const next = { ...filter, from: 0, ...given };
    const from = next.from > 0 ? String(next.from) : undefined;
    return `/app/compliance/one?${new URLSearchParams(omitUndefined({ id, standard: next.standard, status: next.status, from }))}#controls`;
  };
  const chip = (href: string, words: string, isChosen: boolean) =>
    html`<a class="chip" href="${href}"${isChosen ? html` aria-current="true"` : ''}>${words}</a>`;
  return html`<section class="panel" aria-labelledby="controls"><h2 id="controls">Controls</h2>
${standards.length > 1 ? html`<nav class="chips" aria-label="Standard">${chip(to({ standard: undefined }), 'All standards', chosen === undefined)}${standards.map(({ standard }) => chip(to({ standard: standard.id }), standardDisplayName(standard.id), chosen === standard.id))}</nav>` : ''}
<nav class="chips" aria-label="Status">${chip(to({ status: undefined }), `All ${all.length}`, wanted === undefined)}${STATUSES_BY_URGENCY.flatMap(
    (status) => {
      const count = counts.get(status) ?? 0;
      return count === 0 ? [] : chip(to({ status }), `${statusWord(status)} ${count}`, wanted === status);
    },
  )}</nav>
<ul class="lines">${fitting.slice(from, from + PAGE_SIZE).map(({ standard, control }) => controlHtml(check, standard, control, byPrint))}</ul>
${fitting.length > PAGE_SIZE ? html`<nav class="pages" aria-label="Pages of controls">${from > 0 ? html`<a class="button" rel="prev" href="${to({ from: Math.max(0, from - PAGE_SIZE) })}">Before</a>` : ''}<span class="quiet">${from + 1} to ${Math.min(from + PAGE_SIZE, fitting.length)} of ${formatCount(fitting.length, 'control')}</span>${from + PAGE_SIZE < fitting.length ? html`<a class="button" rel="next" href="${to({ from: from + PAGE_SIZE })}">Next</a>` : ''}</nav>` : ''}</section>`;
}

function controlHtml(
  { scope }: Assessment,
  standard: string,
  { id, title, group, status, reason, severity, checks, findings, found, accepted, at }: ControlResult,
  byPrint: ReadonlyMap<string, EvidenceFinding>,
): Html {
  const shown = findings.slice(0, MAX_FINDINGS).flatMap((print) => byPrint.get(print) ?? []);
  const attest = `/app/compliance/attestations?${new URLSearchParams({ standard, control: id, scope })}`;
  return html`<li class="entry control"><span>${statusTag(status)}</span><div><b>${id}</b> ${title}${severity ? html` ${severityTag(severity)}` : ''}<div class="where"><span>${standardDisplayName(standard)}</span>${isSaid(group, standardDisplayName(standard)) ? '' : html`<span>${group}</span>`}</div><p dir="auto">${escapeInvisibleLine(reason)}</p>
<details><summary>Evidence</summary><div class="sub">${
    checks.length > 0
      ? html`<p class="quiet">Checks: ${checks.slice(0, MAX_CHECKS).map((check) => html`<code>${check}</code> `)}${checks.length > MAX_CHECKS ? html`and ${checks.length - MAX_CHECKS} more` : ''}${at === undefined ? '' : html` · ${formatTimeUtc(at)}`}</p>`
      : html`<p class="quiet">No check of Magpie covers it.</p>`
  }${
    shown.length > 0
      ? html`<ul class="steps">${shown.map(({ severity: worst, title: name, location, fingerprint }) => html`<li>${severityTag(worst)} <span dir="auto">${escapeInvisibleLine(name)}</span> <code>${escapeInvisibleLine(location)}</code> <span class="quiet">${fingerprint.slice(0, 12)}</span></li>`)}</ul>`
      : ''
  }<p class="quiet">${formatCount(found, 'finding')} against it, ${accepted} accepted. <a href="${attest}">Judge it yourself</a></p></div></details></div></li>`;
}

function isSaid(group: string, name: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return letters(group) === letters(name);
}
