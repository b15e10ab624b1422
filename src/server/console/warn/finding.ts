import { html } from 'hono/html';
import { escapeInvisible, escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import type { Finding } from '../../../security/types.ts';
import { type Html, renderBackticksAsCode } from '../../app/page.ts';
import { advisoryLink, cweLink, severityTag } from '../frame/severity.ts';

const MAX_STEPS = 20;

export function findingHtml(finding: Finding): Html {
  const {
    id,
    severity,
    title,
    description,
    fix,
    cwe = [],
    aliases = [],
    scanners,
    fingerprint,
    suppressed,
  } = finding;
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

export function formatFindingLocation({ path, line, package: used }: Finding): string {
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

function lineOf(text: string): string {
  return escapeInvisible(text.trimEnd().replaceAll('\t', '  '));
}
