import { html } from 'hono/html';
import { escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import type { Incident, Monitored, MonitorFinding } from '../../../monitor/types.ts';
import { type Html, renderBackticksAsCode } from '../../app/page.ts';
import { formatTimeSpan, formatTimeUtc } from '../frame/format-times.ts';
import { formTokenField } from '../frame/frame.ts';
import { cweLink, severityTag } from '../frame/severity.ts';
import type { Visitor } from '../frame/visitor.ts';

export function findingsHtml({ findings, lastRun }: Monitored, most: number): Html {
  if (findings.length === 0) {
    return html`<section class="panel" aria-labelledby="found"><h2 id="found">Findings</h2><p>${lastRun === undefined ? 'Nothing is known yet.' : 'Nothing is wrong with it.'}</p></section>`;
  }
  return html`<section class="panel" aria-label="Findings">${findings.slice(0, most).map(findingHtml)}</section>`;
}

function findingHtml({
  id,
  severity,
  score,
  title,
  description,
  fix,
  target,
  cwe = [],
}: MonitorFinding): Html {
  return html`<article class="finding"><h2>${severityTag(severity)}<span dir="auto">${escapeInvisibleLine(title)}</span></h2>
<div class="where"><bdi>${target}</bdi><code>${id}</code><span>${score} of 10</span>${cwe.map(cweLink)}</div>
<p dir="auto">${renderBackticksAsCode(escapeInvisibleLine(description))}</p><div class="fix"><b>How to mend it</b><p dir="auto">${renderBackticksAsCode(escapeInvisibleLine(fix))}</p></div></article>`;
}

const WHY_ENDED = {
  recovered: 'mended',
  below_threshold: 'below the threshold now',
  target_removed: 'no longer watched',
  monitor_stopped: 'the monitor was stopped',
  monitor_removed: 'the monitor was deleted',
} as const;

export function alertsHtml({ alerts, threshold }: Monitored, most: number): Html {
  return html`<section class="panel" aria-labelledby="alerts"><h2 id="alerts">Alerts</h2>${
    alerts.length === 0
      ? html`<p>None: nothing has reached ${threshold} of 10.</p>`
      : html`<ul class="lines">${alerts
          .slice(0, most)
          .map(({ finding, raisedAt, clearedAt, reason, flapping }) => {
            const open = clearedAt === undefined;
            return html`<li class="entry control"><span><span class="tag ${open ? 'bad' : ''}">${open ? 'Open' : 'Ended'}</span></span><div><b dir="auto">${escapeInvisibleLine(finding.title)}</b><div class="where"><bdi>${finding.target}</bdi><span>from ${formatTimeUtc(raisedAt)}${clearedAt === undefined ? '' : html` to ${formatTimeUtc(clearedAt)}`}</span>${reason ? html`<span>${WHY_ENDED[reason]}</span>` : ''}${flapping ? html`<span>comes and goes</span>` : ''}</div></div></li>`;
          })}</ul>`
  }</section>`;
}

export function incidentsHtml(incidents: readonly Incident[], most: number): Html {
  return html`<section class="panel" aria-labelledby="incidents"><h2 id="incidents">Incidents of 90 days</h2>${
    incidents.length === 0
      ? html`<p>None.</p>`
      : html`<ul class="lines">${incidents
          .slice(0, most)
          .map(
            ({ target, from, to, why }) =>
              html`<li class="entry control"><span>${to === undefined ? html`<span class="tag bad">Down now</span>` : formatTimeSpan(to - from)}</span><div><bdi>${target}</bdi><div class="where"><span>from ${formatTimeUtc(from)}${to === undefined ? '' : html` to ${formatTimeUtc(to)}`}</span><span dir="auto">${escapeInvisibleLine(why)}</span></div></div></li>`,
          )}</ul>`
  }</section>`;
}

const MAX_LETTERS = 20;

export function notificationsHtml(
  { id, deliveries, deadLetters, webhook }: Monitored,
  visitor: Visitor,
  mayChange: boolean,
): Html {
  const { sent, waiting, dead } = deliveries;
  return html`<section class="panel" aria-labelledby="sent"><h2 id="sent">Notifications</h2>
<p>${webhook ? html`To <bdi>${webhook}</bdi> and where the operator has set. ` : 'To where the operator has set; the options below add a place of your own. '}<b>${sent}</b> sent, <b>${waiting}</b> waiting, <b>${dead}</b> did not arrive.</p>
${
  deadLetters.length === 0
    ? ''
    : html`<ul class="lines">${deadLetters
        .slice(0, MAX_LETTERS)
        .map(
          ({ channel, notification, attempts, trouble }) =>
            html`<li class="entry control"><span class="tag bad">${attempts} tries</span><div><b dir="auto">${escapeInvisibleLine(notification.alert.finding.title)}</b><div class="where"><bdi>${channel}</bdi><span dir="auto">${escapeInvisibleLine(trouble)}</span></div></div></li>`,
        )}</ul>${mayChange ? html`<form method="post" action="/app/monitors/resend">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><div><button>Send them again</button></div></form>` : ''}`
}</section>`;
}
