import { html } from 'hono/html';
import type { Assessment, Compliance, ComplianceJob, Format } from '../../../compliance/types.ts';
import { AppError } from '../../../errors.ts';
import { escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import type { Html } from '../../app/page.ts';
import { formatRelativeTime, formatTimeUtc } from '../frame/format-times.ts';
import { type ConsolePage, formTokenField } from '../frame/frame.ts';
import type { ConsoleContext } from '../frame/page.ts';
import { checkReadAllowed, explainNoAccess, noAccessHtml } from '../frame/page-access.ts';
import { parseRowOffset } from '../frame/paging.ts';
import type { Visitor } from '../frame/visitor.ts';
import { addressOfCheck } from './compliance.ts';
import {
  coverageBar,
  coverageLegend,
  STATUSES_BY_URGENCY,
  standardDisplayName,
  statusTag,
} from './control-status.ts';
import { type ControlFilter, controlsHtml } from './controls.ts';

const FORMATS = ['pdf', 'html', 'markdown', 'json', 'oscal'] as const satisfies readonly Format[];
const NAMES: Readonly<Record<Format, string>> = {
  pdf: 'PDF',
  html: 'HTML',
  markdown: 'Markdown',
  json: 'JSON',
  oscal: 'OSCAL',
};
const MAX_CHANGES = 50;

export function addCheckPage(parts: ConsoleContext): void {
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
    if (!format) throw new AppError('bad_request', `format takes one of ${FORMATS.join(', ')}`);
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
  visitor: Visitor,
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

function foot(id: string, visitor: Visitor): Html {
  return html`<div class="row"><a class="button" href="/app/compliance">All checks</a><details class="sure"><summary>Delete</summary><form method="post" action="/app/compliance/delete">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><p>Delete this check and its results?</p><div><button class="bad">Yes, delete it</button></div></form></details></div>`;
}

async function checkPage(
  room: Compliance,
  visitor: Visitor,
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
        html`<li><a class="button" href="${report(format)}" download>${NAMES[format]}</a><a class="quiet" href="${report(format, true)}" download>seal of ${NAMES[format]}</a></li>`,
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
