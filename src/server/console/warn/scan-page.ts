import { html } from 'hono/html';
import { forbiddenError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { SEVERITIES, type Severity } from '../../../lib/severity.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import type { Finding, Scan, SecurityService } from '../../../security/types.ts';
import { type Html, renderBackticksAsCode } from '../../html.ts';
import { type ConsolePage, formTokenField } from '../frame/frame.ts';
import {
  advisoryLink,
  type ConsoleContext,
  cweLink,
  formatRelativeTime,
  formatTimeUtc,
  severityCount,
  severityTag,
} from '../frame/page.ts';
import { explainNoAccess, noAccessHtml } from '../frame/page-access.ts';
import { parseRowOffset } from '../frame/paging.ts';
import type { ConsoleVisitor } from '../frame/visitor.ts';
import { isScanRunning, scanPageUrl } from './scans.ts';

const PAGE_SIZE = 20;
const STEP = 500;
const MAX_GAPS = 20;

interface Filter {
  readonly severity?: Severity | undefined;
  readonly scanner: string;
  readonly path: string;
  readonly from: number;
}

export function addScanPage(parts: ConsoleContext): void {
  const { pipe } = parts;
  parts.get('/scans/one', async (c, visitor) => {
    const why = explainNoAccess(pipe, visitor, 'getScan');
    const head = { title: 'Scan', about: '', place: 'scans' } as const;
    if (why) return { ...head, body: noAccessHtml('Scans are not open to you', why) };
    const room = await pipe.services.security();
    const scan = await room.readScan(visitor.caller.id, c.req.query('id') ?? '');
    const value = (name: string) => (c.req.query(name) ?? '').trim().slice(0, 500);
    return scanPage(parts, visitor, room, scan, {
      severity: SEVERITIES.find((one) => one === value('severity')),
      scanner: value('scanner'),
      path: value('path'),
      from: parseRowOffset(value('from')),
    });
  });
  parts.get('/scans/file', async (c, visitor) => {
    const why = explainNoAccess(pipe, visitor, 'getScan');
    if (why) throw forbiddenError('this needs getScan, which your key or this server does not allow');
    const id = (c.req.query('id') ?? '').slice(0, 100);
    const room = await pipe.services.security();
    const bill = c.req.query('form') === 'cyclonedx';
    const text = await room.writeReport(visitor.caller.id, id, bill ? 'cyclonedx' : 'sarif');
    return new Response(text, {
      headers: {
        'Content-Type': bill ? 'application/vnd.cyclonedx+json' : 'application/sarif+json',
        'Content-Disposition': `attachment; filename="scan-${id}.${bill ? 'cdx.json' : 'sarif'}"`,
      },
    });
  });
}

async function scanPage(
  { pipe }: ConsoleContext,
  visitor: ConsoleVisitor,
  room: SecurityService,
  scan: Scan,
  filter: Filter,
): Promise<ConsolePage> {
  const { id, request, createdAt, endedAt, report, state } = scan;
  const ended = state === 'completed';
  const facts = [
    request.branch && `at ${request.branch}`,
    report?.commit && `commit ${report.commit.slice(0, 12)}`,
    report && report.files > 0 && formatCount(report.files, 'file'),
    request.deep && 'deep',
    request.dependencies && 'with packages',
  ].filter(Boolean);
  const file = (form: string) => `/app/scans/file?${new URLSearchParams({ id, form })}`;
  return {
    title: request.repository,
    about: html`Scan of ${formatTimeUtc(endedAt ?? createdAt)}${facts.map((fact) => html` · ${fact}`)}`,
    place: 'scans',
    live: isScanRunning(scan),
    action: ended
      ? html`<div class="row"><a class="button" href="${file('sarif')}" download>SARIF</a><a class="button" href="${file('cyclonedx')}" download>CycloneDX</a></div>`
      : undefined,
    body: html`${ended ? await results(room, visitor.caller.id, scan, filter) : unfinished(scan)}
<div class="row">${report?.assistants ? html`<span class="hint">Again: <code>magpie scan --agents</code></span>` : html`<a class="button" href="/app/scans?${again(scan)}">Scan again</a>`}<a class="button" href="/app/scans">All scans</a>${
      explainNoAccess(pipe, visitor, 'scan') || pipe.catalog.readOnly
        ? ''
        : html`<details class="sure"><summary>Delete</summary><form method="post" action="/app/scans/delete">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><p>Delete this scan and what it found?</p><button class="bad">Yes, delete it</button></form></details>`
    }</div>`,
  };
}

function again({ request: { repository, branch, deep, dependencies } }: Scan): URLSearchParams {
  return new URLSearchParams(
    omitUndefined({
      repository,
      branch,
      deep: deep ? '1' : undefined,
      dependencies: dependencies ? '1' : undefined,
    }),
  );
}

function unfinished({ state, progress, reason, startedAt }: Scan): Html {
  if (state === 'failed') {
    return html`<section class="panel"><h2><span class="tag bad">Failed</span> The scan did not come to its end</h2><p dir="auto">${escapeInvisibleLine(reason ?? '')}</p></section>`;
  }
  const { done, total } = progress ?? {};
  return html`<section class="panel"><div class="busy" id="progress" data-part aria-live="polite"><h2>${state === 'queued' ? 'Waiting for its turn' : 'Scanning'}</h2>
<progress${done !== undefined && total ? html` max="${total}" value="${done}"` : ''} aria-label="Progress of the scan"></progress>
<p class="quiet">${progress?.message ?? 'It begins in a moment.'}${startedAt ? html` · begun ${formatRelativeTime(startedAt)}` : ''}</p></div>
<div><a class="button" href="">Refresh</a></div></section>`;
}

async function results(room: SecurityService, owner: string, scan: Scan, filter: Filter): Promise<Html> {
  const { id, counts } = scan;
  const [{ findings, next }, earlier] = await Promise.all([
    readFindings(room, owner, id, filter),
    findEarlierScan(room, owner, scan),
  ]);
  const total = counts ? SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0) : 0;
  return html`${counts ? figures(scan, filter) : ''}
${
  earlier
    ? html`<p class="panel"><span>The scan before it was begun ${formatRelativeTime(earlier.createdAt)}: <a href="/app/scans/changes?${new URLSearchParams({ id, since: earlier.id })}">what changed since</a></span></p>`
    : ''
}${gaps(scan)}
${total === 0 && (counts?.suppressed ?? 0) === 0 ? nothingFound(scan) : html`<section class="panel" aria-label="Findings">${filterForm(scan, filter)}${findings.length === 0 ? html`<p class="empty">No finding fits. <a href="${scanPageUrl(id)}">Show all of them</a></p>` : findings.map(findingHtml)}</section>`}
${next === undefined ? '' : html`<p><a class="button" rel="next" href="${filtered(id, { ...filter, from: next })}">More findings</a></p>`}`;
}

function nothingFound({ report }: Scan): Html {
  const whole = (report?.gaps ?? []).length === 0 && (report?.scanners ?? []).every(({ ok }) => ok);
  return html`<section class="panel empty"><h2>Nothing was found</h2><p>${whole ? 'All scanners ran to their end. Watch the repository, or scan it in your build.' : 'Not everything was scanned: what was left out is named above.'}</p></section>`;
}

function filtered(id: string, { severity, scanner, path, from }: Filter): string {
  const given = { id, severity, scanner: scanner || undefined, path: path || undefined };
  return `/app/scans/one?${new URLSearchParams(omitUndefined({ ...given, from: from > 0 ? String(from) : undefined }))}`;
}

function figures({ id, counts }: Scan, filter: Filter): Html {
  return html`<nav class="grid five" aria-label="Findings by severity">${SEVERITIES.map((severity) => {
    const isChosen = filter.severity === severity;
    const href = filtered(id, { ...filter, severity: isChosen ? undefined : severity, from: 0 });
    return html`<a class="panel stat" href="${href}"${isChosen ? html` aria-current="true"` : ''}>${severityCount(severity, counts?.[severity] ?? 0)}</a>`;
  })}</nav>`;
}

function filterForm({ id, report, counts }: Scan, { severity, scanner, path }: Filter): Html {
  const names = [...new Set((report?.scanners ?? []).map(({ name }) => name))].sort();
  const accepted = counts?.suppressed ?? 0;
  return html`<form class="pair" method="get" action="/app/scans/one" role="search" aria-label="Filter"><input type="hidden" name="id" value="${id}">${severity ? html`<input type="hidden" name="severity" value="${severity}">` : ''}
<label>Path has<input name="path" value="${path}" maxlength="500" placeholder="src/" spellcheck="false"></label>
<label>Scanner<select name="scanner"><option value="">All</option>${names.map((name) => html`<option${name === scanner ? html` selected` : ''}>${name}</option>`)}</select></label>
<div class="row"><button>Filter</button>${severity || scanner || path ? html`<a class="chip" href="${scanPageUrl(id)}">All findings</a>` : ''}</div></form>
${accepted > 0 ? html`<p class="quiet">${formatCount(accepted, 'finding')} accepted; they come last and do not count.</p>` : ''}`;
}

function gaps({ report }: Scan): Html | string {
  const { gaps: open = [], scanners = [] } = report ?? {};
  const failed = scanners.filter(({ ok }) => !ok);
  if (open.length + failed.length === 0) return '';
  return html`<details class="panel"><summary>Not everything was scanned: ${formatCount(open.length + failed.length, 'gap')}</summary><div><ul class="steps">${failed.map(({ name, reason }) => html`<li><b>${name}</b> failed: <span dir="auto">${escapeInvisibleLine(reason ?? '')}</span></li>`)}${open
    .slice(0, MAX_GAPS)
    .map(
      ({ what, fix }) =>
        html`<li><span dir="auto">${escapeInvisibleLine(what)}</span><br><span class="quiet">${escapeInvisibleLine(fix)}</span></li>`,
    )}</ul>${open.length > MAX_GAPS ? html`<p class="quiet">and ${open.length - MAX_GAPS} more</p>` : ''}</div></details>`;
}

async function readFindings(
  room: SecurityService,
  owner: string,
  id: string,
  { severity, scanner, path, from }: Filter,
): Promise<{ readonly findings: readonly Finding[]; readonly next?: number }> {
  const fits = (one: Finding) =>
    (severity === undefined || (one.severity === severity && !one.suppressed)) &&
    (scanner === '' || one.scanners.includes(scanner)) &&
    (path === '' || one.path.includes(path));
  const findings: Finding[] = [];
  for (let offset = from; ; offset += STEP) {
    const some = await room.listFindings(owner, id, {
      ...omitUndefined({ floor: severity }),
      offset,
      limit: STEP,
    });
    for (const [at, one] of some.entries()) {
      if (!fits(one)) continue;
      if (findings.length === PAGE_SIZE) return { findings, next: offset + at };
      findings.push(one);
    }
    if (some.length < STEP) return { findings };
  }
}

const SHOWN = 100;
const COMPARED = 20_000;

async function findEarlierScan(room: SecurityService, owner: string, { id, request, createdAt }: Scan) {
  const { repository, branch } = request;
  return (await room.listScans(owner)).find(
    (one) =>
      one.id !== id &&
      one.state === 'completed' &&
      one.createdAt < createdAt &&
      one.request.repository === repository &&
      one.request.branch === branch,
  );
}

export function addScanChangesPage(parts: ConsoleContext): void {
  parts.get('/scans/changes', async (c, visitor) => {
    const why = explainNoAccess(parts.pipe, visitor, 'getScan');
    const head = { title: 'What changed', place: 'scans' } as const;
    if (why) return { ...head, about: '', body: noAccessHtml('Scans are not open to you', why) };
    const room = await parts.pipe.services.security();
    const owner = visitor.caller.id;
    const read = (name: string) => room.readScan(owner, c.req.query(name) ?? '');
    const [now, before] = await Promise.all([read('id'), read('since')]);
    const findings = ({ id }: Scan) => room.listFindings(owner, id, { limit: COMPARED });
    const [these, those] = await Promise.all([findings(now), findings(before)]);
    const { added, gone } = differenceOf(these, those);
    return {
      ...head,
      about: html`<bdi>${now.request.repository}</bdi>, from ${formatTimeUtc(before.createdAt)} to ${formatTimeUtc(now.createdAt)}`,
      body: html`<div class="grid many"><div class="panel stat"><b>${added.length}</b><small>new</small></div><div class="panel stat"><b>${gone.length}</b><small>gone</small></div></div>
${unlike(now, before)}${list('New since then', added, now.id)}${list('Gone since then', gone, before.id)}
<div class="row"><a class="button" href="${scanPageUrl(now.id)}">This scan</a><a class="button" href="${scanPageUrl(before.id)}">The one before</a></div>`,
    };
  });
}

function differenceOf(these: readonly Finding[], those: readonly Finding[]) {
  const counting = (all: readonly Finding[]) => all.filter(({ suppressed }) => !suppressed);
  const printsOf = (all: readonly Finding[]) => new Set(all.map(({ fingerprint }) => fingerprint));
  const [had, has] = [printsOf(counting(those)), printsOf(counting(these))];
  return {
    added: counting(these).filter(({ fingerprint }) => !had.has(fingerprint)),
    gone: counting(those).filter(({ fingerprint }) => !has.has(fingerprint)),
  };
}

function unlike({ request: now }: Scan, { request: before }: Scan): Html | string {
  if (now.deep === before.deep && now.dependencies === before.dependencies) return '';
  return html`<p class="note">These scans did not go equally far: what only one of them searched for is new or gone for that reason.</p>`;
}

function list(title: string, findings: readonly Finding[], scan: string): Html | string {
  if (findings.length === 0) return '';
  return html`<section class="panel"><h2>${title}</h2><ul class="lines">${findings
    .slice(0, SHOWN)
    .map((finding) => {
      const { id, severity, path, fingerprint } = finding;
      const href = `/app/scans/one?${new URLSearchParams({ id: scan, severity, path })}#f-${fingerprint}`;
      return html`<li class="entry control"><span>${severityTag(severity)}</span><div><a href="${href}">${escapeInvisibleLine(finding.title)}</a><div class="where"><code>${formatFindingLocation(finding)}</code><span>${id}</span></div></div></li>`;
    })}</ul>${findings.length > SHOWN ? html`<p class="quiet">and ${findings.length - SHOWN} more</p>` : ''}</section>`;
}

const MAX_STEPS = 20;

function findingHtml(finding: Finding): Html {
  const { id, severity, title, description, fix, scanners, fingerprint, suppressed } = finding;
  const { cwe = [], aliases = [] } = finding;
  return html`<article class="finding" id="f-${fingerprint}"><h2>${severityTag(severity)}<span dir="auto">${escapeInvisibleLine(title)}</span>${suppressed ? html`<span class="tag">accepted</span>` : ''}</h2>
<div class="where"><code>${formatFindingLocation(finding)}</code>${finding.commit ? html`<span>in commit <code>${finding.commit.slice(0, 12)}</code></span>` : ''}${[id, ...aliases.slice(0, 3)].map(advisoryLink)}${cwe.map(cweLink)}<span>found by ${scanners.join(', ')}</span>${finding.development ? html`<span class="tag">development only</span>` : ''}</div>
<p dir="auto">${renderBackticksAsCode(escapeInvisibleLine(description))}</p>${codeHtml(finding)}${flowHtml(finding)}
<div class="fix"><b>How to mend it</b><p dir="auto">${renderBackticksAsCode(escapeInvisibleLine(fix))}</p>${finding.fixedIn ? html`<p class="quiet">Mended in <b>${finding.fixedIn}</b></p>` : ''}</div>${patchHtml(finding)}
${suppressed ? html`<p class="quiet">Accepted by ${BY[suppressed.by]}: <span dir="auto">${escapeInvisibleLine(suppressed.reason)}</span></p>` : ''}
<details><summary>Fingerprint, and how to accept it</summary><p>Fingerprint <code>${fingerprint}</code> stays the same when the line moves.</p>
${suppressed ? '' : html`<p>To accept it, write a comment <code>magpie-ignore ${id} why</code> in its line, or a line <code>${id} ${escapeInvisible(finding.path)} why</code> in the repository’s <code>.magpieignore</code>, and scan again.</p>`}</details></article>`;
}

const BY = {
  comment: 'a comment in the code',
  file: 'the ignore file',
  baseline: 'an earlier scan',
  vex: 'a VEX document',
} as const;

function formatFindingLocation({ path, line, package: used }: Finding): string {
  if (used) return `${used.name}@${used.version} in ${escapeInvisible(path)}`;
  return line === undefined ? escapeInvisible(path) : `${escapeInvisible(path)}:${line}`;
}

function codeHtml({ excerpt, line, patch }: Finding): Html | string {
  if (!excerpt || patch) return '';
  const lines = excerpt.replace(/\n$/, '').split('\n');
  return html`<pre aria-label="Code">${lines.map((text, at) => html`${line === undefined ? '' : html`<span class="at">${line + at}</span>`}<code>${lineOf(text)}</code>${at < lines.length - 1 ? '\n' : ''}`)}</pre>`;
}

function flowHtml({ trace = [], path }: Finding): Html | string {
  if (trace.length === 0) return '';
  const left = trace.length - MAX_STEPS;
  return html`<details open><summary>How data gets there: ${trace.length} steps</summary><ol class="steps">${trace
    .slice(0, MAX_STEPS)
    .map(
      ({ path: file, line, note }) =>
        html`<li><code>${file === path ? `line ${line}` : `${escapeInvisible(file)}:${line}`}</code> <span dir="auto">${escapeInvisibleLine(note)}</span></li>`,
    )}</ol>${left > 0 ? html`<p class="quiet">and ${left} more</p>` : ''}</details>`;
}

function patchHtml({ patch, line }: Finding): Html | string {
  if (!patch) return '';
  const at = line === undefined ? '' : html`<span class="at">${line}</span>`;
  return html`<pre aria-label="The line as it is, and as it would be"><del>${at}<span class="at">−</span>${lineOf(patch.before)}</del><ins>${at}<span class="at">+</span>${lineOf(patch.after)}</ins></pre>`;
}

const lineOf = (text: string): string => escapeInvisible(text.trimEnd().replaceAll('\t', '  '));
