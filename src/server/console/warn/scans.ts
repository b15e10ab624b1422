import { html } from 'hono/html';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { SEVERITIES } from '../../../lib/severity.ts';
import type { Scan } from '../../../security/types.ts';
import type { SubmittedForm } from '../../app/form.ts';
import type { Html } from '../../html.ts';
import { type ConsolePage, formTokenField } from '../frame/frame.ts';
import { type ConsoleContext, formatTimeUtc, severityTag } from '../frame/page.ts';
import { checkChangeAllowed, explainNoAccess, formErrorMessage, noAccessHtml } from '../frame/page-access.ts';
import { clampRowOffset, parseRowOffset, rowPageLinks } from '../frame/paging.ts';
import { type ConsoleVisitor, putFlash } from '../frame/visitor.ts';

const PAGE_SIZE = 20;

type ScanFormValues = ReturnType<typeof askedOf>;

export function addScansPages(parts: ConsoleContext): void {
  parts.get('/scans', async (c, visitor) => {
    const value = (name: string) => (c.req.query(name) ?? '').slice(0, 2000);
    const isFirst = value('repository') === '';
    const asked: ScanFormValues = {
      repository: value('repository'),
      branch: value('branch'),
      deep: value('deep') === '1',
      dependencies: isFirst || value('dependencies') === '1',
    };
    return scansPage(parts, visitor, asked, parseRowOffset(value('from')));
  });
  parts.post('/scans/start', async (c, visitor, form) => {
    const asked = askedOf(form);
    const input = {
      repository: asked.repository,
      ...omitUndefined({ branch: asked.branch || undefined }),
      options: { deep_scan: asked.deep, include_dependencies: asked.dependencies },
      background: true,
    };
    try {
      const { data } = await parts.call<{ data: { scan_id: string } }>(c, visitor, 'scan', input);
      return scanPageUrl(data.scan_id);
    } catch (thrown) {
      return { ...(await scansPage(parts, visitor, asked, 0)), alert: formErrorMessage(thrown) };
    }
  });
  parts.post('/scans/delete', async (c, visitor, form) => {
    checkChangeAllowed(parts.pipe, visitor, 'scan');
    await (await parts.pipe.services.security()).removeScan(
      visitor.caller.id,
      form.field('id').slice(0, 100),
    );
    putFlash(c, 'The scan is deleted, with what it found.');
    return '/app/scans';
  });
}

export const scanPageUrl = (id: string): string => `/app/scans/one?${new URLSearchParams({ id })}`;

function askedOf(form: SubmittedForm) {
  return {
    repository: form.field('repository').trim(),
    branch: form.field('branch').trim(),
    deep: form.field('deep') === '1',
    dependencies: form.field('dependencies') === '1',
  };
}

async function scansPage(
  { pipe }: ConsoleContext,
  visitor: ConsoleVisitor,
  asked: ScanFormValues,
  given: number,
): Promise<ConsolePage> {
  const head = {
    title: 'Scans',
    about: 'Leaked passwords, insecure code and vulnerable packages in your repositories.',
    place: 'scans',
  } as const;
  const unread = explainNoAccess(pipe, visitor, 'getScan');
  if (unread) return { ...head, body: noAccessHtml('Scans are not open to you', unread) };
  const scans = await (await pipe.services.security()).listScans(visitor.caller.id);
  const unstarted = explainNoAccess(pipe, visitor, 'scan');
  const from = clampRowOffset(given, scans.length);
  const shown = scans.slice(from, from + PAGE_SIZE);
  return {
    ...head,
    live: shown.some(isScanRunning),
    body: html`${unstarted ? html`<p class="panel quiet"><span>${unstarted}</span></p>` : startForm(asked, scans, visitor)}
${
  scans.length === 0
    ? html`<section class="panel empty"><h2>Nothing is scanned yet</h2><p>Begin with a small one that is made to be insecure: <a href="/app/scans?${new URLSearchParams({ repository: EXAMPLE, dependencies: '1' })}">${EXAMPLE}</a>. The link fills the form.</p></section>`
    : html`<section class="panel" aria-label="Scans"><ul class="lines" id="scans" data-part>${shown.map(line)}</ul></section>${rowPageLinks({ from, size: PAGE_SIZE, rows: scans.length, noun: 'scan' }, (to) => `/app/scans?from=${to}`)}`
}`,
  };
}

const EXAMPLE = 'https://github.com/snyk-labs/nodejs-goof.git';

export function isScanRunning({ state }: Pick<Scan, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

function startForm(
  { repository, branch, deep, dependencies }: ScanFormValues,
  scans: readonly Scan[],
  visitor: ConsoleVisitor,
): Html {
  const box = (name: string, label: string, on: boolean) =>
    html`<label class="chip"><input type="checkbox" name="${name}" value="1" ${on ? 'checked' : ''}>${label}</label>`;
  const ofRepositories = scans.filter(({ report }) => !report?.assistants);
  const known = [...new Set(ofRepositories.map(({ request }) => request.repository))].slice(0, 20);
  return html`<section class="panel" aria-labelledby="start"><h2 id="start">Scan a repository</h2>
<form method="post" action="/app/scans/start">${formTokenField(visitor)}
<label>Git URL, or a folder of this machine<input name="repository" value="${repository}" maxlength="2000" required placeholder="https://github.com/you/shop.git" list="repositories" autocomplete="off" spellcheck="false" aria-describedby="folders"></label>
<datalist id="repositories">${known.map((one) => html`<option value="${one}"></option>`)}</datalist>
<p class="hint" id="folders">Folders are those that <code>MAGPIE_SCAN_ROOTS</code> allows, with all below them.</p>
<label>Branch, tag or commit <span class="hint">(its main branch when left out)</span><input name="branch" value="${branch}" maxlength="250" autocomplete="off" spellcheck="false"></label>
<div class="chips" role="group" aria-label="How far">${box('deep', 'Deep: data flow and history', deep)}${box('dependencies', 'Packages with known holes', dependencies)}</div>
<div><button class="main">Start the scan</button></div></form></section>`;
}

function line(scan: Scan): Html {
  const { id, request, createdAt, state } = scan;
  const kinds = [
    request.branch && `at ${request.branch}`,
    request.deep && 'deep',
    request.dependencies && 'packages',
  ];
  return html`<li class="entry scan"><div><h2><a href="${scanPageUrl(id)}"><bdi>${request.repository}</bdi></a></h2>
<div class="where">${formatTimeUtc(createdAt)}${kinds.filter(Boolean).map((kind) => html`<span>${kind}</span>`)}</div>
${state === 'failed' ? html`<p class="quiet">${scan.reason ?? ''}</p>` : ''}</div>
<div class="end chips">${outcome(scan)}</div></li>`;
}

function outcome({ state, counts, progress }: Scan): Html {
  if (state === 'failed') return html`<span class="tag bad">Failed</span>`;
  if (state !== 'completed' || !counts) {
    return html`<span class="quiet">${progress?.message ?? ''}</span><span class="tag info">${state === 'queued' ? 'Waiting' : 'Running'}</span>`;
  }
  const found = SEVERITIES.filter((severity) => counts[severity] > 0);
  if (found.length === 0) return html`<span class="tag good">Nothing found</span>`;
  return html`${found.map((severity) => severityTag(severity, counts[severity]))}`;
}
