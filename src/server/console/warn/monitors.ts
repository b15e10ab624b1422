import { html } from 'hono/html';
import { formatCount } from '../../../lib/text/format-count.ts';
import { formatPercent } from '../../../lib/text/format-percent.ts';
import type { MonitorFacts, MonitorHistory, MonitorService } from '../../../monitor/types.ts';
import type { Html } from '../../html.ts';
import type { OperationPipeline } from '../../invoke.ts';
import { type ConsolePage, formTokenField } from '../frame/frame.ts';
import { type ConsoleContext, formatRelativeTime, formatResponseTime, severityTag } from '../frame/page.ts';
import { checkChangeAllowed, explainNoAccess, formErrorMessage, noAccessHtml } from '../frame/page-access.ts';
import { clampRowOffset, parseRowOffset, rowPageLinks } from '../frame/paging.ts';
import { type ConsoleVisitor, putFlash } from '../frame/visitor.ts';
import { type MonitorFormValues, monitorFormHtml, NEW_MONITOR_VALUES } from './monitor-form.ts';
import { latencyHtml, monitorStateHtml, uptimeBarsHtml } from './uptime.ts';

const PAGE_SIZE = 20;

export function addMonitorsPage(parts: ConsoleContext): void {
  parts.get('/monitors', async (c, visitor) => {
    const what = (c.req.query('what') ?? '').slice(0, 2000);
    const asked = { ...NEW_MONITOR_VALUES, id: what };
    const from = parseRowOffset(c.req.query('from'));
    return monitorsPage(parts, visitor, { asked, open: what !== '' || c.req.query('new') === '1', from });
  });
}

export function monitorPageUrl(id: string): string {
  return `/app/monitors/one?${new URLSearchParams({ id })}`;
}

interface FormView {
  readonly asked: MonitorFormValues;
  readonly open: boolean;
  readonly from: number;
}

export async function monitorsPage(
  { pipe }: ConsoleContext,
  visitor: ConsoleVisitor,
  { asked, open, from: given }: FormView,
): Promise<ConsolePage> {
  const head = { title: 'Monitors', place: 'monitors' } as const;
  const why = explainNoAccess(pipe, visitor, 'listMonitors');
  if (why)
    return {
      ...head,
      about: 'Sites and servers that are watched.',
      body: noAccessHtml('Monitors are not open to you', why),
    };
  const room = await pipe.services.monitor();
  const owner = visitor.caller.id;
  const all = (await room.listMonitors(owner)).toSorted((a, b) => rank(a) - rank(b));
  const from = clampRowOffset(given, all.length);
  const shown = all.slice(from, from + PAGE_SIZE);
  const histories = await Promise.all(shown.map(({ id }) => room.readHistory(owner, id)));
  const unwatched = explainNoAccess(pipe, visitor, 'startMonitoring');
  const last = Math.max(0, ...all.map(({ lastRun = 0 }) => lastRun));
  return {
    ...head,
    about:
      all.length === 0
        ? 'Sites, servers and jobs, watched day and night.'
        : html`${all.length} watched${last > 0 ? html` · last probe ${formatRelativeTime(last)}` : ''}`,
    live: shown.some(isAwaitingFirstRun),
    action:
      unwatched || open || all.length === 0
        ? undefined
        : html`<a class="button main" href="/app/monitors?new=1#watch">Watch something</a>`,
    body: html`${all.length > 0 ? figures(all) : ''}
${all.length === 0 ? nothingWatched() : ''}${unwatched ? html`<p class="note">${unwatched}</p>` : open || all.length === 0 ? html`<section class="panel" aria-labelledby="watch"><h2 id="watch">Watch something</h2>${monitorFormHtml(asked, visitor)}</section>` : ''}
${all.length === 0 ? '' : html`<section class="panel" aria-label="Monitors"><p class="entry watched heads hide-s" aria-hidden="true"><span>Target</span><span>Now</span><span>90 days</span><span>Answers, 24 h</span><span class="end">30 days</span></p><ul class="lines" id="monitors" data-part>${shown.map((one, at) => line(one, histories[at]))}</ul></section>${rowPageLinks({ from, size: PAGE_SIZE, rows: all.length, noun: 'monitor' }, (to) => `/app/monitors?from=${to}`)}`}
${await publicPageHtml(room, pipe, visitor)}`,
  };
}

function nothingWatched(): Html {
  return html`<section class="panel empty"><h2>Nothing is watched yet</h2><p>Begin with a site of yours, or with <a href="/app/monitors?what=example.com#watch">example.com</a>. Magpie probes it every five minutes: whether it answers, how fast, and how its certificate, headers and cookies stand.</p></section>`;
}

function rank({ state, status }: MonitorFacts): number {
  if (state !== 'active') return 4;
  return ['down', 'alerting', 'degraded', 'active'].indexOf(status);
}

export function isAwaitingFirstRun({ state, lastRun }: MonitorFacts): boolean {
  return state === 'active' && lastRun === undefined;
}

function figures(all: readonly MonitorFacts[]): Html {
  const active = all.filter(({ state }) => state === 'active');
  const shares = active.flatMap(({ uptime }) => uptime ?? []);
  const mean = shares.length > 0 ? shares.reduce((sum, one) => sum + one, 0) / shares.length : undefined;
  const down = active.filter(({ status }) => status === 'down').length;
  const days = active.flatMap((one) => daysToCertificateExpiry(one) ?? []);
  const grades = active.flatMap(({ targets }) => targets.flatMap(({ grade }) => grade ?? []));
  const worst = grades.toSorted((a, b) => a.score - b.score)[0];
  const left = days.length > 0 ? Math.min(...days) : undefined;
  const card = (value: string, words: string, ink = '') =>
    html`<div class="panel stat"><b class="${ink}">${value}</b><small>${words}</small></div>`;
  return html`<div class="grid many">${card(mean === undefined ? '–' : formatPercent(mean), 'up, 30 days')}${card(String(down), 'down now', down > 0 ? 'bad-ink' : '')}
${card(left === undefined ? '–' : formatCount(left, 'day'), 'to the next certificate’s end', left !== undefined && left < 15 ? 'warn-ink' : '')}${card(worst?.grade ?? '–', 'worst grade of headers')}</div>`;
}

export function daysToCertificateExpiry({ targets }: Pick<MonitorFacts, 'targets'>): number | undefined {
  const days = targets.flatMap(({ measures: { certificate_days: left } }) =>
    typeof left === 'number' ? left : [],
  );
  return days.length > 0 ? Math.floor(Math.min(...days)) : undefined;
}

function line(monitor: MonitorFacts, history: MonitorHistory | undefined): Html {
  const { id, probing, findings, uptime } = monitor;
  const [worst] = findings;
  const days = daysToCertificateExpiry(monitor);
  const facts = [
    probing.name && id,
    probing.group,
    days !== undefined && `certificate ${formatCount(days, 'day')}`,
  ].filter(Boolean);
  const ninety = history?.windows.find(({ name }) => name === '90d');
  const latest = history?.hours.at(-1);
  return html`<li class="entry watched"><div><h2><a href="${monitorPageUrl(id)}"><bdi>${probing.name ?? id}</bdi></a></h2>
<div class="where">${facts.map((fact) => html`<span dir="auto">${fact}</span>`)}${worst ? html`<span>${severityTag(worst.severity)} ${worst.title}</span>` : ''}</div></div>
<div>${monitorStateHtml(monitor)}</div>
<div class="bars-cell">${history ? uptimeBarsHtml(history.days, ninety?.uptime) : html`<span class="quiet">over 20 targets: open it</span>`}</div>
<div class="hide-s">${history ? latencyHtml(history.hours) : ''}${latest ? html`<small>${formatResponseTime(latest.p50)}</small>` : ''}</div>
<div class="end"><small class="only-s">30 days up </small>${uptime === undefined ? '–' : formatPercent(uptime)}</div></li>`;
}

async function publicPageHtml(room: MonitorService, pipe: OperationPipeline, visitor: ConsoleVisitor) {
  const page = await room.getPage(visitor.caller.id);
  const mayChange = explainNoAccess(pipe, visitor, 'startMonitoring') === undefined;
  if (!page && !mayChange) return '';
  return html`<section class="panel" aria-labelledby="public"><h2 id="public">Status page</h2>
${page ? html`<p>Everyone who has its address sees how these monitors stand: <a href="/status/${page.slug}">/status/${page.slug}</a></p>` : html`<p>A page for everyone who has its address, with states and bars of 90 days. It names nothing but what you call your monitors.</p>`}
${
  mayChange
    ? html`<details><summary>${page ? 'Change it' : 'Make one'}</summary><form method="post" action="/app/monitors/page">${formTokenField(visitor)}
<div class="pair"><label>Heading<input name="title" maxlength="100" value="${page?.title ?? ''}" placeholder="Status of our shop"></label><label>Last part of its address <span class="hint">(unguessable when left out)</span><input name="slug" maxlength="60" value="${page?.slug ?? ''}" spellcheck="false"></label></div>
<label class="chip"><input type="checkbox" name="addresses" value="1"${page?.addresses ? html` checked` : ''}>Show addresses, and why something was down</label>
<div class="row"><button class="main">${page ? 'Change it' : 'Make the page'}</button>${page ? html`<button class="bad" name="end" value="1">End the page</button>` : ''}</div></form></details>`
    : ''
}</section>`;
}

export function addStatusPageForm(parts: ConsoleContext): void {
  parts.post('/monitors/page', async (c, visitor, form) => {
    checkChangeAllowed(parts.pipe, visitor, 'startMonitoring');
    const room = await parts.pipe.services.monitor();
    if (form.field('end') === '1') {
      await room.removePage(visitor.caller.id);
      putFlash(c, 'The status page is gone.');
      return '/app/monitors';
    }
    const [title, slug] = ['title', 'slug'].map((name) => form.field(name).trim() || undefined);
    try {
      const page = await room.setPage(visitor.caller.id, {
        title,
        slug,
        addresses: form.field('addresses') === '1',
      });
      putFlash(c, `The status page is at /status/${page.slug}.`);
      return '/app/monitors';
    } catch (thrown) {
      return {
        title: 'Status page',
        about: 'It is as it was.',
        place: 'monitors',
        alert: formErrorMessage(thrown),
        body: html`<section class="panel"><form method="post" action="/app/monitors/page">${formTokenField(visitor)}<label>Heading<input name="title" maxlength="100" value="${title ?? ''}"></label>
<label>Last part of its address<input name="slug" maxlength="60" value="${slug ?? ''}" spellcheck="false"></label><input type="hidden" name="addresses" value="${form.field('addresses')}"><div class="row"><button class="main">Try again</button><a class="button" href="/app/monitors">Back</a></div></form></section>`,
      };
    }
  });
}
