import { html } from 'hono/html';
import { escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import type { Finding, Scan, Security } from '../../../security/types.ts';
import type { Html } from '../../app/page.ts';
import { formatTimeUtc } from '../frame/format-times.ts';
import type { ConsoleContext } from '../frame/page.ts';
import { explainNoAccess, noAccessHtml } from '../frame/page-access.ts';
import { severityTag } from '../frame/severity.ts';
import { formatFindingLocation } from './finding.ts';
import { addressOfScan } from './scans.ts';

const SHOWN = 100;
/** Findings of a scan that are compared, the most severe first. */
const COMPARED = 20_000;

export async function findEarlierScan(
  room: Security,
  owner: string,
  { id, request, createdAt }: Scan,
): Promise<Scan | undefined> {
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
<div class="row"><a class="button" href="${addressOfScan(now.id)}">This scan</a><a class="button" href="${addressOfScan(before.id)}">The one before</a></div>`,
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
