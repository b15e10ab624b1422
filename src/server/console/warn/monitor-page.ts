import { html } from 'hono/html';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import { formatPercent } from '../../../lib/text/format-percent.ts';
import type {
  MaintenanceWindow,
  MonitorFacts,
  MonitorFinding,
  MonitorHistory,
  TargetIncident,
} from '../../../monitor/types.ts';
import type { SubmittedForm } from '../../app/form.ts';
import { type Html, renderBackticksAsCode } from '../../html.ts';
import { type ConsolePage, formTokenField } from '../frame/frame.ts';
import {
  type ConsoleContext,
  cweLink,
  formatRelativeTime,
  formatResponseTime,
  formatTimeSpan,
  formatTimeUtc,
  severityTag,
} from '../frame/page.ts';
import { checkChangeAllowed, explainNoAccess, formErrorMessage, noAccessHtml } from '../frame/page-access.ts';
import { type ConsoleVisitor, putFlash } from '../frame/visitor.ts';
import { formValuesOfMonitor, type MonitorFormValues, monitorFormHtml } from './monitor-form.ts';
import { isAwaitingFirstRun, monitorPageUrl } from './monitors.ts';
import { latencyHtml, monitorStateHtml, uptimeBarsHtml } from './uptime.ts';

const [SHOWN, MOST] = [20, 500];

export function addMonitorPage(parts: ConsoleContext): void {
  parts.get('/monitors/one', (c, visitor) =>
    monitorPage(parts, visitor, {
      id: (c.req.query('id') ?? '').slice(0, 2000),
      show: Math.trunc(Number(c.req.query('show'))) || 0,
    }),
  );
  parts.post('/monitors/act', async (c, visitor, form) => {
    const id = form.field('id');
    const act = ACTS[form.field('act') as keyof typeof ACTS];
    if (act) await parts.call(c, visitor, act.operation, { infrastructure_id: id, ...act.input });
    if (act) putFlash(c, act.said);
    return act === ACTS.forget ? '/app/monitors' : monitorPageUrl(id);
  });
  parts.post('/monitors/resend', async (c, visitor, form) => {
    const id = form.field('id');
    const { data } = await parts.call<ResendAnswer>(c, visitor, 'resendNotices', { infrastructure_id: id });
    const left = data.outdated > 0 ? ` ${data.outdated} are left out: a later one has arrived.` : '';
    putFlash(c, `${data.resent} sent again.${left}`);
    return monitorPageUrl(id);
  });
}

type ResendAnswer = { readonly data: { readonly resent: number; readonly outdated: number } };

const ACTS = {
  pause: { operation: 'stopMonitoring', input: { pause: true }, said: 'Paused: alerts stay as they are.' },
  stop: { operation: 'stopMonitoring', input: {}, said: 'Stopped: its alerts have ended.' },
  resume: { operation: 'startMonitoring', input: {}, said: 'Watched again.' },
  forget: {
    operation: 'stopMonitoring',
    input: { forget: true },
    said: 'The monitor is deleted, with all it found.',
  },
} as const;

export async function monitorPage(
  { pipe }: ConsoleContext,
  visitor: ConsoleVisitor,
  view: { readonly id: string; readonly show: number; readonly asked?: MonitorFormValues },
): Promise<ConsolePage> {
  const why = explainNoAccess(pipe, visitor, 'getMonitoringStatus');
  const head = { title: 'Monitor', about: '', place: 'monitors' } as const;
  if (why) return { ...head, body: noAccessHtml('Monitors are not open to you', why) };
  const room = await pipe.services.monitor();
  const monitor = await room.getMonitor(visitor.caller.id, view.id);
  const history = await room.readHistory(visitor.caller.id, monitor.id, true);
  const most = Math.min(Math.max(view.show, SHOWN), MOST);
  const longest = Math.max(monitor.findings.length, monitor.alerts.length, history?.incidents.length ?? 0);
  const mayChange = explainNoAccess(pipe, visitor, 'startMonitoring') === undefined;
  const { id, probing, intervalMs, lastRun, trouble } = monitor;
  return {
    title: probing.name ?? id,
    about: html`${monitorStateHtml(monitor)} ${probing.name ? html`<bdi>${id}</bdi> · ` : ''}every ${formatTimeSpan(intervalMs)}${lastRun === undefined ? '' : html` · last probe ${formatRelativeTime(lastRun)}`}`,
    place: 'monitors',
    live: isAwaitingFirstRun(monitor),
    action: mayChange ? actions(monitor, visitor) : undefined,
    body: html`${trouble ? html`<p class="note" dir="auto">${trouble}</p>` : ''}${isAwaitingFirstRun(monitor) ? html`<p class="note" role="status">The first probe is under way. <a href="${monitorPageUrl(id)}">Refresh</a></p>` : ''}
${history ? pastHtml(history) : ''}${findingsHtml(monitor, most)}${targetsHtml(monitor)}${alertsHtml(monitor, most)}${history ? incidentsHtml(history.incidents, most) : ''}
${longest > most && most < MOST ? html`<p><a class="button" href="/app/monitors/one?${new URLSearchParams(omitUndefined({ id, show: String(most * 5) }))}">Show more of each</a></p>` : ''}
${notificationsHtml(monitor, visitor, mayChange)}${mayChange ? html`${maintenanceHtml(monitor, visitor)}<details class="panel" id="options"${view.asked ? html` open` : ''}><summary>How it is watched</summary>${monitorFormHtml(view.asked ?? formValuesOfMonitor(monitor), visitor, monitor)}</details>` : ''}
<div class="row"><a class="button" href="/app/monitors">All monitors</a>${mayChange ? deletion(monitor, visitor) : ''}</div>`,
  };
}

function actions({ id, state }: MonitorFacts, visitor: ConsoleVisitor): Html {
  const button = (act: keyof typeof ACTS, label: string, look = '') =>
    html`<button class="${look}" name="act" value="${act}">${label}</button>`;
  return html`<form class="row" method="post" action="/app/monitors/act">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}">${
    state === 'active'
      ? html`${button('pause', 'Pause')}${button('stop', 'Stop')}`
      : button('resume', 'Watch it again', 'main')
  }</form>`;
}

function deletion({ id }: MonitorFacts, visitor: ConsoleVisitor): Html {
  return html`<details class="sure"><summary>Delete</summary><form method="post" action="/app/monitors/act">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><p>Delete this monitor, its history and what it found?</p><div><button class="bad" name="act" value="forget">Yes, delete it</button></div></form></details>`;
}

function pastHtml({ windows, days, hours }: MonitorHistory): Html {
  const ninety = windows.find(({ name }) => name === '90d');
  const time = (ms: number | undefined) => (ms === undefined ? '–' : formatResponseTime(ms));
  const times = hours.map(({ p50 }) => p50);
  return html`<section class="panel" aria-labelledby="past"><h2 id="past">How it was</h2>
<div>${uptimeBarsHtml(days, ninety?.uptime, true)}<p class="ends" aria-hidden="true"><span>90 days ago</span><span>today</span></p></div>
<div>${latencyHtml(hours, true)}${times.length > 0 ? html`<p class="ends" aria-hidden="true"><span>24 hours ago</span><span>${formatResponseTime(Math.min(...times))} to ${formatResponseTime(Math.max(...times))}</span><span>now</span></p>` : ''}</div>
<div class="scroll" tabindex="0" role="region" aria-label="Uptime and response times"><table><thead><tr><th scope="col">Last</th><th scope="col">Uptime</th><th scope="col" class="num">Half in</th><th scope="col" class="num">95% in</th><th scope="col" class="num hide-s">99% in</th></tr></thead><tbody>${windows.map(
    ({ name, uptime, known, p50, p95, p99 }) =>
      html`<tr><th scope="row">${WINDOWS[name]}</th><td class="share-cell">${uptime === undefined ? 'not known yet' : formatPercent(uptime)}${uptime !== undefined && known < 0.99 ? html` <span class="quiet">of the time that is known (${known < 0.005 ? 'under 1%' : formatPercent(known)})</span>` : ''}</td><td class="num">${time(p50)}</td><td class="num">${time(p95)}</td><td class="num hide-s">${time(p99)}</td></tr>`,
  )}</tbody></table></div></section>`;
}

const WINDOWS = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const;
const MAX_TARGETS = 50;

function targetsHtml({ targets }: MonitorFacts): Html | string {
  if (targets.length === 0) return '';
  return html`<section class="panel" aria-labelledby="targets"><h2 id="targets">What is probed</h2><ul class="lines">${targets
    .slice(0, MAX_TARGETS)
    .map(({ name, up, grade, measures, trouble, nextRun, lastRun }) => {
      const { certificate_days: left, total_ms: ms } = measures;
      const facts = [
        typeof ms === 'number' && `answered in ${formatResponseTime(ms)}`,
        typeof left === 'number' && `certificate: ${Math.floor(left)} days left`,
        grade && `headers ${grade.grade}`,
        measures.registration,
        measures.shown !== undefined && `shows ${measures.shown}`,
      ].filter(Boolean);
      return html`<li class="entry control"><span>${up === undefined ? html`<span class="tag">–</span>` : html`<span class="tag ${up ? 'good' : 'bad'}">${up ? 'Up' : 'Down'}</span>`}</span><div><b><bdi>${name}</bdi></b><div class="where">${facts.map((fact) => html`<span>${fact}</span>`)}${lastRun ? html`<span>at ${formatTimeUtc(lastRun)}</span>` : ''}${nextRun ? html`<span>next ${formatRelativeTime(nextRun)}</span>` : ''}</div>${Object.entries(trouble).map(([check, reason]) => html`<p class="quiet" dir="auto">${check} saw nothing: ${reason}</p>`)}</div></li>`;
    })}</ul>${targets.length > MAX_TARGETS ? html`<p class="quiet">and ${targets.length - MAX_TARGETS} more</p>` : ''}</section>`;
}

function findingsHtml({ findings, lastRun }: MonitorFacts, most: number): Html {
  if (findings.length === 0) {
    return html`<section class="panel" aria-labelledby="found"><h2 id="found">Findings</h2><p>${lastRun === undefined ? 'Nothing is known yet.' : 'Nothing is wrong with it.'}</p></section>`;
  }
  return html`<section class="panel" aria-label="Findings">${findings.slice(0, most).map(findingHtml)}</section>`;
}

function findingHtml(finding: MonitorFinding): Html {
  const { id, severity, score, title, description, fix, target, cwe = [] } = finding;
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
  noted: 'a change',
} as const;

function alertsHtml({ alerts, threshold }: MonitorFacts, most: number): Html {
  return html`<section class="panel" aria-labelledby="alerts"><h2 id="alerts">Alerts</h2>${
    alerts.length === 0
      ? html`<p>None: nothing has reached ${threshold} of 10.</p>`
      : html`<ul class="lines">${alerts
          .slice(0, most)
          .map(({ finding, raisedAt, clearedAt, reason, flapping }) => {
            const open = clearedAt === undefined;
            return html`<li class="entry control"><span><span class="tag ${open ? 'bad' : ''}">${open ? 'Open' : reason === 'noted' ? 'Changed' : 'Ended'}</span></span><div><b dir="auto">${escapeInvisibleLine(finding.title)}</b>${changeHtml(finding)}<div class="where"><bdi>${finding.target}</bdi><span>from ${formatTimeUtc(raisedAt)}${clearedAt === undefined || clearedAt === raisedAt ? '' : html` to ${formatTimeUtc(clearedAt)}`}</span>${reason ? html`<span>${WHY_ENDED[reason]}</span>` : ''}${flapping ? html`<span>comes and goes</span>` : ''}</div></div></li>`;
          })}</ul>`
  }</section>`;
}

function changeHtml({ change }: MonitorFinding): Html | string {
  if (!change) return '';
  return html`<p dir="auto"><del>${escapeInvisibleLine(change.before)}</del> <ins>${escapeInvisibleLine(change.after)}</ins></p>`;
}

function incidentsHtml(incidents: readonly TargetIncident[], most: number): Html {
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

function notificationsHtml(
  { id, deliveries, deadLetters, webhook }: MonitorFacts,
  visitor: ConsoleVisitor,
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

function maintenanceHtml({ id, probing }: Pick<MonitorFacts, 'id' | 'probing'>, visitor: ConsoleVisitor) {
  const windows = probing.maintenance ?? [];
  const hidden = html`${formTokenField(visitor)}<input type="hidden" name="id" value="${id}">`;
  return html`<section class="panel" aria-labelledby="maintenance"><h2 id="maintenance">Maintenance</h2>
${
  windows.length === 0
    ? html`<p>No times without alerts.</p>`
    : html`<ul class="lines">${windows.map((window, at) => html`<li class="entry scan"><span>${windowWords(window)}</span><form class="end" method="post" action="/app/monitors/maintenance">${hidden}<button name="remove" value="${at}" class="small bad" aria-label="Remove the time ${at + 1}">Remove</button></form></li>`)}</ul>`
}
<details><summary>Add a time without alerts</summary>${addForm(hidden, () => '')}</details></section>`;
}

function addForm(hidden: Html, value: (name: string) => string): Html {
  return html`<form method="post" action="/app/monitors/maintenance">${hidden}
<fieldset><legend>Once, in UTC</legend><div class="pair"><label>From<input type="datetime-local" name="from" value="${value('from')}"></label><label>To<input type="datetime-local" name="to" value="${value('to')}"></label></div></fieldset>
<fieldset><legend>Or again and again</legend><div class="pair"><label>When it begins, as cron has it<input name="cron" value="${value('cron')}" maxlength="100" placeholder="0 2 * * sun" spellcheck="false"></label><label>Minutes<input name="minutes" value="${value('minutes')}" inputmode="numeric"></label><label>Time zone<input name="zone" value="${value('zone')}" maxlength="100" placeholder="UTC" spellcheck="false"></label></div></fieldset>
<div><button class="main">Add it</button></div></form>`;
}

function windowWords(window: MaintenanceWindow): Html {
  if ('from' in window) return html`${formatTimeUtc(window.from)} to ${formatTimeUtc(window.to)}`;
  return html`<code>${window.cron}</code> for ${window.minutes} minutes, ${window.zone ?? 'UTC'}`;
}

export function addMaintenanceForm(parts: ConsoleContext): void {
  parts.post('/monitors/maintenance', async (c, visitor, form) => {
    checkChangeAllowed(parts.pipe, visitor, 'startMonitoring');
    const id = form.field('id');
    const room = await parts.pipe.services.monitor();
    try {
      const before = ((await room.getMonitor(visitor.caller.id, id)).probing.maintenance ?? []).map(given);
      const removed = form.field('remove');
      const maintenance =
        removed === '' ? [...before, windowOf(form)] : before.filter((_, at) => String(at) !== removed);
      const input = { infrastructure_id: id, monitoring_options: { maintenance } };
      await parts.call(c, visitor, 'startMonitoring', input);
      putFlash(c, removed === '' ? 'The time without alerts is added.' : 'The time is removed.');
      return monitorPageUrl(id);
    } catch (thrown) {
      const hidden = html`${formTokenField(visitor)}<input type="hidden" name="id" value="${id}">`;
      return {
        title: 'Maintenance',
        about: html`Times without alerts of <bdi>${id}</bdi>`,
        place: 'monitors',
        alert: formErrorMessage(thrown),
        body: html`<section class="panel">${addForm(hidden, (name) => form.field(name))}</section><p><a class="button" href="${monitorPageUrl(id)}">Back to the monitor</a></p>`,
      };
    }
  });
}

function given(window: MaintenanceWindow): Record<string, unknown> {
  if (!('from' in window)) return { ...window };
  return { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() };
}

function windowOf(form: SubmittedForm): Record<string, unknown> {
  const [from, to, cron, minutes, zone] = ['from', 'to', 'cron', 'minutes', 'zone'].map((name) =>
    form.field(name).trim(),
  );
  const moment = (text: string) => (/T\d\d:\d\d$/.test(text) ? `${text}:00Z` : `${text}Z`);
  return {
    ...(from ? { from: moment(from) } : {}),
    ...(to ? { to: moment(to) } : {}),
    ...(cron ? { cron } : {}),
    ...(minutes ? { minutes: Number(minutes) } : {}),
    ...(zone ? { zone } : {}),
  };
}
