import { html } from 'hono/html';
import type {
  Assessment,
  Compliance,
  ComplianceJob,
  ControlResult,
  ControlStatus,
  EvidenceFinding,
  Format,
} from '../../../compliance/types.ts';
import { badRequestError } from '../../../errors.ts';
import { REPORT_FILES, REPORT_FORMATS } from '../../../lib/compliance/report-formats.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import type { Html } from '../../html.ts';
import { type ConsolePage, formTokenField } from '../frame/frame.ts';
import { type ConsoleContext, formatRelativeTime, formatTimeUtc, severityTag } from '../frame/page.ts';
import { checkReadAllowed, explainNoAccess, noAccessHtml } from '../frame/page-access.ts';
import { parseRowOffset, rowPageLinks } from '../frame/paging.ts';
import type { ConsoleVisitor } from '../frame/visitor.ts';
import { addressOfCheck } from './compliance.ts';
import {
  coverageBar,
  coverageLegend,
  STATUSES_BY_URGENCY,
  standardDisplayName,
  statusTag,
  statusWord,
} from './control-status.ts';

/** The form that most people want comes first. */
const FORMATS = REPORT_FORMATS.toSorted((a, b) => Number(b === 'pdf') - Number(a === 'pdf'));
const MAX_CHANGES = 50;

export function addComplianceCheckPage(parts: ConsoleContext): void {
  const { pipe } = parts;
  parts.get('/compliance/one', async (c, visitor) => {
    const why = explainNoAccess(pipe, visitor, 'getComplianceCheck');
    const head = { title: 'Check', about: '', place: 'compliance' } as const;
    if (why) return { ...head, body: noAccessHtml('Compliance is not open to you', why) };
    const id = (c.req.query('id') ?? '').slice(0, 100);
    const room = await pipe.services.compliance();
    const job = await room.readJob(visitor.caller.id, id);
    if (job) return jobPage(job, visitor);
    const check = await room.readCheck(visitor.caller.id, id);
    return checkPage(room, visitor, check, {
      standard: check.standards.find(({ standard }) => standard.id === c.req.query('standard'))?.standard.id,
      status: STATUSES_BY_URGENCY.find((one) => one === c.req.query('status')),
      from: parseRowOffset(c.req.query('from')),
    });
  });
  parts.get('/compliance/report', async (c, visitor) => {
    checkReadAllowed(pipe, visitor, 'generateComplianceReport');
    const format = FORMATS.find((one) => one === c.req.query('format'));
    if (!format) throw badRequestError(`format takes one of ${FORMATS.join(', ')}`);
    const room = await pipe.services.compliance();
    const { content, signature, type, fileName } = await room.writeReport(
      visitor.caller.id,
      (c.req.query('id') ?? '').slice(0, 100),
      format,
    );
    const isSeal = c.req.query('seal') === '1';
    return new Response(
      isSeal ? new Uint8Array(signature) : typeof content === 'string' ? content : new Uint8Array(content),
      {
        headers: {
          'Content-Type': isSeal ? 'application/octet-stream' : type,
          'Content-Disposition': `attachment; filename="${fileName}${isSeal ? '.sig' : ''}"`,
        },
      },
    );
  });
}

function jobPage(
  { id, scope, createdAt, state, progress, reason }: ComplianceJob,
  visitor: ConsoleVisitor,
): ConsolePage {
  return {
    title: scope,
    about: html`Check of ${formatTimeUtc(createdAt)}`,
    place: 'compliance',
    live: state === 'running',
    body: html`${
      state === 'failed'
        ? html`<section class="panel"><h2><span class="tag bad">Failed</span> The check did not come to its end</h2><p dir="auto">${escapeInvisibleLine(reason ?? '')}</p></section>`
        : html`<section class="panel"><div class="busy" id="progress" data-part aria-live="polite"><h2>Checking</h2><progress aria-label="Progress of the check"></progress><p class="quiet"><span dir="auto">${escapeInvisibleLine(progress || 'It begins in a moment.')}</span> · begun ${formatRelativeTime(createdAt)}</p></div><div><a class="button" href="">Refresh</a></div></section>`
    }${foot(id, visitor)}`,
  };
}

function foot(id: string, visitor: ConsoleVisitor): Html {
  return html`<div class="row"><a class="button" href="/app/compliance">All checks</a><details class="sure"><summary>Delete</summary><form method="post" action="/app/compliance/delete">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><p>Delete this check and its results?</p><div><button class="bad">Yes, delete it</button></div></form></details></div>`;
}

async function checkPage(
  room: Compliance,
  visitor: ConsoleVisitor,
  check: Assessment,
  filter: ControlFilter,
): Promise<ConsolePage> {
  const { id, scope, createdAt, subjects, standards } = check;
  const report = (format: Format, seal = false) =>
    `/app/compliance/report?${new URLSearchParams({ id, format, ...(seal ? { seal: '1' } : {}) })}`;
  const again = new URLSearchParams({
    scope,
    standards: standards.map(({ standard }) => standard.id).join(','),
  });
  return {
    title: scope,
    about: html`Checked ${formatTimeUtc(createdAt)} · ${formatCount(subjects.length, 'repository or site', 'repositories and sites')}`,
    place: 'compliance',
    action: html`<div class="row"><a class="button" href="/app/compliance?${again}">Check again</a><a class="button main" href="${report('pdf')}" download>Report as PDF</a></div>`,
    body: html`<div class="grid wide">${standards.map(({ standard, counts, total }) => {
      const judged = total === 0 ? 0 : Math.round((100 * (counts.pass + counts.fail)) / total);
      const href = `${addressOfCheck(id)}&${new URLSearchParams({ standard: standard.id })}`;
      return html`<section class="panel" aria-label="${standard.title}"><div><h2><a href="${href}#controls">${standardDisplayName(standard.id)}</a></h2><p class="quiet">${standard.title}, ${standard.edition} · ${formatCount(total, 'control')}, ${judged}% judged by checks</p></div>${coverageBar(counts, total)}${coverageLegend(counts)}</section>`;
    })}</div>
<section class="panel" aria-labelledby="report"><h2 id="report">Report</h2><ul class="lines reports">${FORMATS.map(
      (format) =>
        html`<li><a class="button" href="${report(format)}" download>${REPORT_FILES[format].name}</a><a class="quiet" href="${report(format, true)}" download>seal of ${REPORT_FILES[format].name}</a></li>`,
    )}</ul><p class="quiet">A seal proves that its file is as this server has written it: <code>magpie compliance verify</code> says so.</p></section>
${await changesHtml(room, visitor.caller.id, id)}${controlsHtml(check, filter)}
${foot(id, visitor)}`,
  };
}

async function changesHtml(room: Compliance, owner: string, id: string): Promise<Html | string> {
  const comparison = await room.compareChecks(owner, id);
  if (!comparison) return '';
  const { since, changes, appeared, gone, accepted } = comparison;
  return html`<details class="panel"><summary>Since the check before: ${formatCount(changes.length, 'control')} changed, ${formatCount(appeared.length, 'finding')} new, ${gone.length} gone</summary><div class="sub">
<p class="quiet">${formatCount(accepted.length, 'finding')} accepted since. <a href="${addressOfCheck(since)}">The check before</a></p>
${
  changes.length === 0
    ? ''
    : html`<ul class="lines">${changes
        .slice(0, MAX_CHANGES)
        .map(
          ({ standard, control, title, before, now, reason }) =>
            html`<li class="entry control">${statusTag(now)}<div><b>${control}</b> ${title}<div class="where"><span>${standardDisplayName(standard)}</span>${before ? html`<span>was</span>${statusTag(before)}` : html`<span>new in the standard</span>`}${reason ? html`<span dir="auto">${escapeInvisibleLine(reason)}</span>` : ''}</div></div></li>`,
        )}</ul>${changes.length > MAX_CHANGES ? html`<p class="quiet">and ${changes.length - MAX_CHANGES} more, in the report</p>` : ''}`
}</div></details>`;
}

const PAGE_SIZE = 20;
const [MAX_FINDINGS, MAX_CHECKS] = [10, 20];

interface ControlFilter {
  readonly standard?: string | undefined;
  readonly status?: ControlStatus | undefined;
  readonly from: number;
}

function controlsHtml(check: Assessment, filter: ControlFilter): Html {
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
${rowPageLinks({ from, size: PAGE_SIZE, rows: fitting.length, noun: 'control' }, (next) => to({ from: next }))}</section>`;
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
