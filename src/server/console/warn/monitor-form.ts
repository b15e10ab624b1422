import { html } from 'hono/html';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import type { MonitorFacts } from '../../../monitor/types.ts';
import type { SubmittedForm } from '../../app/form.ts';
import type { Html } from '../../html.ts';
import { formTokenField } from '../frame/frame.ts';
import type { ConsoleVisitor } from '../frame/visitor.ts';

const FIELDS = [
  'id',
  'interval',
  'threshold',
  'webhook',
  'name',
  'group',
  'status',
  'contains',
  'lacks',
  'json',
  'within',
  'retries',
  'grace',
] as const;
export type MonitorFormValues = Readonly<Record<(typeof FIELDS)[number], string>>;

const NOTHING = Object.fromEntries(FIELDS.map((name) => [name, ''])) as MonitorFormValues;
export const NEW_MONITOR_VALUES: MonitorFormValues = { ...NOTHING, interval: '300', threshold: '7' };

export function readMonitorForm(form: SubmittedForm): MonitorFormValues {
  return Object.fromEntries(FIELDS.map((name) => [name, form.field(name).trim()])) as MonitorFormValues;
}

/** Fills the form for a monitor. The webhook is left out, because its address may contain a password. */
export function formValuesOfMonitor({ id, intervalMs, threshold, probing }: MonitorFacts): MonitorFormValues {
  const { expect = {}, name = '', group = '', retries, graceMs } = probing;
  const text = (value: number | undefined) => (value === undefined ? '' : String(value));
  const lines = (texts: readonly string[] = []) => texts.join('\n');
  return {
    ...NOTHING,
    ...{ id, name, group, interval: text(intervalMs / 1000), threshold: text(threshold) },
    ...{ status: expect.status ?? '', within: text(expect.responseMs), retries: text(retries) },
    ...{ contains: lines(expect.contains), lacks: lines(expect.lacks), json: lines(expect.json) },
    grace: text(graceMs === undefined ? undefined : graceMs / 1000),
  };
}

/** Converts the form to options. An empty field removes an option of an existing monitor. */
export function toMonitoringOptions(
  wanted: MonitorFormValues,
  isWatched: boolean,
  noWebhook: boolean,
): Record<string, unknown> {
  const number = (text: string) => (text === '' ? undefined : Number(text.replace(',', '.')));
  const lines = (text: string) => {
    const given = text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return given.length > 0 ? given : undefined;
  };
  const expect = omitUndefined({
    ...{ status: wanted.status || undefined, response_ms: number(wanted.within) },
    ...{ contains: lines(wanted.contains), lacks: lines(wanted.lacks), json: lines(wanted.json) },
  });
  const label = (text: string) => (text === '' && !isWatched ? undefined : text);
  return omitUndefined({
    ...{ scan_interval: number(wanted.interval), alert_threshold: number(wanted.threshold) },
    webhook: noWebhook ? '' : wanted.webhook || undefined,
    expect: isWatched || Object.keys(expect).length > 0 ? expect : undefined,
    ...{ name: label(wanted.name), group: label(wanted.group) },
    ...{ retries: number(wanted.retries), grace: number(wanted.grace) },
  });
}

export function monitorFormHtml(
  wanted: MonitorFormValues,
  visitor: ConsoleVisitor,
  watched?: Pick<MonitorFacts, 'webhook'>,
): Html {
  const field = (name: keyof MonitorFormValues, label: string, attributes: Html | string = '') =>
    html`<label>${label}<input name="${name}" value="${wanted[name]}" autocomplete="off" spellcheck="false" ${attributes}></label>`;
  const lines = (name: 'contains' | 'lacks' | 'json', label: string, example: string) =>
    html`<label>${label} <span class="hint">one a line</span><textarea name="${name}" rows="2" maxlength="10000" spellcheck="false" placeholder="${example}">${wanted[name]}</textarea></label>`;
  const expected = [
    wanted.status,
    wanted.within,
    wanted.contains,
    wanted.lacks,
    wanted.json,
    wanted.retries,
    wanted.grace,
  ].some(Boolean);
  return html`<form method="post" action="/app/monitors/watch">${formTokenField(visitor)}
${
  watched
    ? html`<input type="hidden" name="id" value="${wanted.id}"><input type="hidden" name="watched" value="1">`
    : html`${field('id', 'What to watch', html`maxlength="2000" required placeholder="shop.example" aria-describedby="kinds"`)}
<p class="hint" id="kinds">A site or page, <code>tcp://mail.example:25</code>, <code>dns:shop.example</code>, <code>ping:shop.example</code>, <code>heartbeat:nightly-backup</code>, or a name of the inventory.</p>`
}
${field('webhook', 'Send alerts to', html`maxlength="2000" placeholder="${watched?.webhook ? `${watched.webhook} (stays when left empty)` : 'https://hooks.example/in, mailto:you@example.org, ntfy://ntfy.sh/topic'}"`)}
${watched?.webhook ? html`<label class="chip"><input type="checkbox" name="nowebhook" value="1">Send nothing to it any longer</label>` : ''}
<details${watched ? html` open` : ''}><summary>Its name, how often it is probed, and what alerts</summary><div class="sub">
<div class="pair">${field('name', 'Name, if you like', html`maxlength="60"`)}${field('group', 'Group', html`maxlength="60"`)}${field('interval', 'Seconds between probes', html`inputmode="numeric"`)}${field('threshold', 'Alert from (0 to 10)', html`inputmode="decimal"`)}</div></div></details>
<details${expected ? html` open` : ''}><summary>What the answer has to be</summary><div class="sub">
<div class="pair">${field('status', 'Statuses', html`maxlength="300" placeholder="200-299"`)}${field('within', 'Milliseconds at most', html`inputmode="numeric"`)}${field('retries', 'Probes that confirm a failure', html`inputmode="numeric" placeholder="1"`)}${field('grace', 'Seconds a heartbeat may be late', html`inputmode="numeric" placeholder="60"`)}</div>
<div class="pair">${lines('contains', 'Has the text', 'Basket')}${lines('lacks', 'Has not the text', 'sold out')}${lines('json', 'Holds in its JSON', '$.state == "ok"')}</div></div></details>
<div><button class="main">${watched ? 'Change it' : 'Watch it'}</button></div></form>`;
}
