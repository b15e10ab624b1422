import { html } from 'hono/html';
import type {
  AssessmentSummary,
  Compliance,
  ComplianceJob,
  StandardName,
} from '../../../compliance/types.ts';
import { escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import type { Html } from '../../app/page.ts';
import { putFlash } from '../frame/flash.ts';
import { type ConsolePage, formTokenField } from '../frame/frame.ts';
import { type ConsoleContext, formatTimeUtc } from '../frame/page.ts';
import { checkChangeAllowed, explainNoAccess, formErrorMessage, noAccessHtml } from '../frame/page-access.ts';
import { parseRowOffset } from '../frame/paging.ts';
import type { Visitor } from '../frame/visitor.ts';
import { coverageBar, coverageLegend, standardDisplayName } from './control-status.ts';

const PAGE_SIZE = 15;
const PROPOSED = 30;

interface Asked {
  readonly standards: readonly string[];
  readonly scope: string;
}

type Started = { readonly data: { readonly check_id: string } };

export function addCompliancePages(parts: ConsoleContext): void {
  const { services } = parts.pipe;
  parts.get('/compliance', async (c, visitor) => {
    const scope = (c.req.query('scope') ?? '').slice(0, 2000);
    const standards = (c.req.query('standards') ?? '').split(',').filter(Boolean);
    return compliancePage(parts, visitor, { scope, standards }, parseRowOffset(c.req.query('from')));
  });
  parts.post('/compliance/check', async (c, visitor, form) => {
    const known = (await services.compliance()).listStandards();
    const asked = {
      scope: form.field('scope').trim(),
      standards: known.flatMap(({ id }) => (form.field(`standard-${id}`) === '1' ? id : [])),
    };
    try {
      const input = { standards: asked.standards, scope: asked.scope };
      const wishes = { whole: false, later: true };
      const { data } = await parts.call<Started>(c, visitor, 'checkCompliance', input, wishes);
      return addressOfCheck(data.check_id);
    } catch (thrown) {
      const alert = asked.standards.length === 0 ? 'Choose a standard at least.' : formErrorMessage(thrown);
      return { ...(await compliancePage(parts, visitor, asked, 0)), alert };
    }
  });
  parts.post('/compliance/delete', async (c, visitor, form) => {
    checkChangeAllowed(parts.pipe, visitor, 'checkCompliance');
    await (await services.compliance()).removeCheck(visitor.caller.id, form.field('id').slice(0, 100));
    putFlash(c, 'The check is deleted.');
    return '/app/compliance';
  });
}

export function addressOfCheck(id: string): string {
  return `/app/compliance/one?${new URLSearchParams({ id })}`;
}

async function compliancePage(
  parts: ConsoleContext,
  visitor: Visitor,
  asked: Asked,
  given: number,
): Promise<ConsolePage> {
  const { pipe } = parts;
  const head = {
    title: 'Compliance',
    about:
      'What your repositories and sites show of a standard’s controls, and what a person still has to judge.',
    place: 'compliance',
  } as const;
  const why = explainNoAccess(pipe, visitor, 'checkCompliance');
  if (why) return { ...head, body: noAccessHtml('Compliance is not open to you', why) };
  const room = await pipe.services.compliance();
  const owner = visitor.caller.id;
  const [checks, jobs, scopes] = await Promise.all([
    room.listChecks(owner),
    room.listJobs(owner),
    scopesOf(parts, visitor, room),
  ]);
  const from = Math.min(Math.max(given, 0), Math.max(checks.length - 1, 0));
  return {
    ...head,
    live: jobs.some(({ state }) => state === 'running'),
    action: html`<a class="button" href="/app/compliance/attestations">Attestations</a>`,
    body: html`${checkForm(asked, room.listStandards(), scopes, visitor)}
${jobs.length > 0 ? html`<section class="panel" aria-label="Checks without results"><ul class="lines" id="jobs" data-part>${jobs.slice(0, PAGE_SIZE).map(jobLine)}</ul></section>` : ''}
${
  checks.length === 0
    ? html`<section class="panel empty"><h2>Nothing is checked yet</h2><p>Begin with <a href="/app/compliance?${new URLSearchParams({ standards: 'owasp-top-10-2025,slsa', scope: scopes[0] ?? 'https://github.com/snyk-labs/nodejs-goof.git' })}">OWASP Top 10 and SLSA for ${scopes[0] ?? 'a repository that is made to be insecure'}</a>. The link fills the form.</p></section>`
    : html`<section class="panel" aria-label="Checks"><ul class="lines">${checks.slice(from, from + PAGE_SIZE).map(checkLine)}</ul></section>${pages(from, checks.length)}`
}`,
  };
}

async function scopesOf(
  { pipe }: ConsoleContext,
  visitor: Visitor,
  room: Compliance,
): Promise<readonly string[]> {
  const owner = visitor.caller.id;
  const [scans, monitors, checks] = await Promise.all([
    explainNoAccess(pipe, visitor, 'getScan') ? [] : (await pipe.services.security()).listScans(owner),
    explainNoAccess(pipe, visitor, 'listMonitors') ? [] : (await pipe.services.monitor()).listMonitors(owner),
    room.listChecks(owner),
  ]);
  const all = [
    ...scans.map(({ request }) => request.repository),
    ...monitors.map(({ id }) => id),
    ...checks.map(({ scope }) => scope),
  ];
  return [...new Set(all)].slice(0, PROPOSED);
}

function checkForm(
  { standards, scope }: Asked,
  known: readonly StandardName[],
  scopes: readonly string[],
  visitor: Visitor,
): Html {
  const chosen = new Set(standards);
  return html`<section class="panel" aria-labelledby="check"><h2 id="check">Check something</h2><form method="post" action="/app/compliance/check">${formTokenField(visitor)}
<label>What to check<input name="scope" value="${scope}" maxlength="2000" required list="scopes" autocomplete="off" spellcheck="false" placeholder="https://github.com/you/shop.git" aria-describedby="scope-kinds"></label>
<datalist id="scopes">${scopes.map((one) => html`<option value="${one}"></option>`)}</datalist>
<p class="hint" id="scope-kinds">A repository, a site that is watched, the id of a scan, or <code>all</code> for everything that you scan and watch.</p>
<fieldset><legend>Against which standards</legend><div class="chips">${known.map(
    ({ id, title, edition }) =>
      html`<label class="chip" title="${title}, ${edition}"><input type="checkbox" name="standard-${id}" value="1"${chosen.has(id) ? html` checked` : ''}>${standardDisplayName(id)}</label>`,
  )}</div></fieldset><div><button class="main">Check it</button></div></form></section>`;
}

function jobLine({ id, scope, createdAt, state, progress, reason }: ComplianceJob): Html {
  const failed = state === 'failed';
  return html`<li class="entry scan"><div><h2><a href="${addressOfCheck(id)}"><bdi>${scope}</bdi></a></h2><div class="where">${formatTimeUtc(createdAt)}<span dir="auto">${escapeInvisibleLine(failed ? (reason ?? '') : progress || 'it begins')}</span></div></div><div class="end"><span class="tag ${failed ? 'bad' : 'info'}">${failed ? 'Failed' : 'Running'}</span></div></li>`;
}

function checkLine({ id, scope, createdAt, standards, counts }: AssessmentSummary): Html {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);

  return html`<li class="entry checked"><div><h2><a href="${addressOfCheck(id)}"><bdi>${scope}</bdi></a></h2><div class="where">${formatTimeUtc(createdAt)}${standards.map((standard) => html`<span>${standardDisplayName(standard)}</span>`)}</div></div><div class="sub">${coverageBar(counts, total)}${coverageLegend(counts)}</div></li>`;
}

function pages(from: number, total: number): Html | string {
  if (total <= PAGE_SIZE) return '';
  const to = (start: number) => `/app/compliance?${new URLSearchParams({ from: String(start) })}`;
  return html`<nav class="pages" aria-label="Pages">${from > 0 ? html`<a class="button" rel="prev" href="${to(Math.max(0, from - PAGE_SIZE))}">Newer</a>` : ''}
<span class="quiet">${from + 1} to ${Math.min(from + PAGE_SIZE, total)} of ${formatCount(total, 'check')}</span>
${from + PAGE_SIZE < total ? html`<a class="button" rel="next" href="${to(from + PAGE_SIZE)}">Older</a>` : ''}</nav>`;
}
