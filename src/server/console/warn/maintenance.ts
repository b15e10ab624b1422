import { html } from 'hono/html';
import type { MaintenanceWindow, Monitored } from '../../../monitor/types.ts';
import type { SubmittedForm } from '../../app/form.ts';
import type { Html } from '../../app/page.ts';
import { putFlash } from '../frame/flash.ts';
import { formatTimeUtc } from '../frame/format-times.ts';
import { formTokenField } from '../frame/frame.ts';
import type { ConsoleContext } from '../frame/page.ts';
import { checkChangeAllowed, formErrorMessage } from '../frame/page-access.ts';
import type { Visitor } from '../frame/visitor.ts';
import { addressOfMonitor } from './monitors.ts';

export function maintenanceHtml({ id, probing }: Pick<Monitored, 'id' | 'probing'>, visitor: Visitor): Html {
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
      return addressOfMonitor(id);
    } catch (thrown) {
      const hidden = html`${formTokenField(visitor)}<input type="hidden" name="id" value="${id}">`;
      return {
        title: 'Maintenance',
        about: html`Times without alerts of <bdi>${id}</bdi>`,
        place: 'monitors',
        alert: formErrorMessage(thrown),
        body: html`<section class="panel">${addForm(hidden, (name) => form.field(name))}</section><p><a class="button" href="${addressOfMonitor(id)}">Back to the monitor</a></p>`,
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
