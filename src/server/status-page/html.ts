import { html } from 'hono/html';
import { formatPercent } from '../../lib/text/format-percent.ts';
import type {
  ServiceGroup,
  ServiceIncident,
  ServiceState,
  StatusPage,
  StatusPageService,
} from '../../monitor/types.ts';
import { VERSION } from '../../version.ts';
import type { Html } from '../html.ts';
import { uptimeLevel } from './uptime-level.ts';

const OF_ALL: Readonly<Record<ServiceState, string>> = {
  up: 'Everything works',
  partly: 'Some of it does not work',
  down: 'It does not work',
  maintenance: 'Under maintenance',
  unknown: 'Not known at present',
};
const OF_ONE: Readonly<Record<ServiceState, string>> = {
  up: 'Works',
  partly: 'Partly down',
  down: 'Down',
  maintenance: 'Maintenance',
  unknown: 'Not known',
};
const WINDOWS = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const;
const [BAR_STEP, BAR_WIDTH, BAR_HEIGHT] = [4, 3, 28];

export function statusHtml(page: StatusPage, path: string): Html {
  const { title, state, asOf, groups, incidents } = page;
  const count = groups.reduce((sum, { services }) => sum + services.length, 0);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}: ${OF_ALL[state].toLowerCase()}</title>
<link rel="stylesheet" href="/status/style.css?v=${VERSION}">
<link rel="alternate" type="application/json" href="${path}.json">
</head>
<body>
<a class="skip" href="#services">Skip to the services</a>
<header>
<h1 dir="auto">${title}</h1>
<p class="state ${state}">${OF_ALL[state]}</p>
<p class="quiet">As of ${timeOf(asOf)}. Load the page again for how it stands now.</p>
</header>
<main id="services">
${count === 0 ? html`<p>Nothing is watched yet.</p>` : groups.map((group, at) => groupHtml(group, at))}
<section aria-labelledby="incidents">
<h2 id="incidents">Incidents of 90 days</h2>
${incidents.length === 0 ? html`<p>None.</p>` : html`<ul class="incidents">${incidents.map(incidentHtml)}</ul>`}
</section>
</main>
<footer><p class="quiet">Uptime is the share of the time that was watched. Days and times are UTC.
<a href="${path}.json">The same as JSON</a></p></footer>
</body>
</html>`;
}

function groupHtml({ name, state, services }: ServiceGroup, at: number): Html {
  return html`<section aria-labelledby="group-${at}">
<h2 id="group-${at}"><bdi>${name ?? 'Services'}</bdi> <span class="tag ${state}">${OF_ONE[state]}</span></h2>
<ul class="services">${services.map(serviceHtml)}</ul>
</section>`;
}

function serviceHtml({ name, address, state, maintenanceUntil, windows, days }: StatusPageService): Html {
  const facts = windows.flatMap(({ name: window, uptime, p50, p95 }) => {
    if (uptime === undefined) return [];
    const times =
      window === '24h' && p50 !== undefined ? html`, answers in ${p50} ms, 95% of them in ${p95} ms` : '';
    return [html`<li>${WINDOWS[window]}: <b>${formatPercent(uptime)}</b>${times}</li>`];
  });
  const bad = days.filter(({ uptime }) => uptime !== undefined && uptime < 1);
  return html`<li>
<h3><bdi>${name}</bdi> <span class="tag ${state}">${OF_ONE[state]}</span></h3>
${address === undefined ? '' : html`<p class="quiet address">${address}</p>`}
${maintenanceUntil === undefined ? '' : html`<p class="quiet">Maintenance until ${timeOf(maintenanceUntil)}</p>`}
${barsHtml(days, windows.find((one) => one.name === '90d')?.uptime)}
<p class="ends" aria-hidden="true"><span>90 days ago</span><span>today</span></p>
${facts.length > 0 ? html`<ul class="facts" aria-label="Uptime">${facts}</ul>` : ''}
${
  bad.length === 0
    ? ''
    : html`<details><summary>Days with downtime: ${bad.length}</summary>
<ul class="days">${bad.toReversed().map(({ day, uptime = 0 }) => html`<li><time datetime="${day}">${day}</time> ${formatPercent(uptime)}</li>`)}</ul></details>`
}
</li>`;
}

function barsHtml(days: StatusPageService['days'], uptime: number | undefined): Html {
  const known = days.filter((day) => day.uptime !== undefined).length;
  const words =
    uptime === undefined
      ? 'Uptime of 90 days: not known yet'
      : `Uptime of 90 days: ${formatPercent(uptime)}; ${known} of 90 days are known`;
  return html`<svg class="bars" role="img" aria-label="${words}" viewBox="0 0 ${days.length * BAR_STEP} ${BAR_HEIGHT}" preserveAspectRatio="none">
${days.map(
  ({ day, uptime: share }, at) =>
    html`<rect class="${uptimeLevel(share)}" x="${at * BAR_STEP}" width="${BAR_WIDTH}" height="${BAR_HEIGHT}"><title>${day}: ${share === undefined ? 'not known' : formatPercent(share)}</title></rect>`,
)}
</svg>`;
}

function incidentHtml({ service, from, to, why }: ServiceIncident): Html {
  const end = to === undefined ? html`<b>until now</b>` : html`to ${timeOf(to)} (${lengthOf(to - from)})`;
  return html`<li><b><bdi>${service}</bdi></b> was down from ${timeOf(from)} ${end}${why ? html`<br><span class="quiet">${why}</span>` : ''}</li>`;
}

function timeOf(time: number): Html {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
}

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];

function lengthOf(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return `${(ms / HOUR_MS).toFixed(1)} h`;
}
