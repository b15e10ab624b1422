import { html } from 'hono/html';
import type { Severity } from '../../../lib/severity.ts';
import type { Html } from '../../app/page.ts';

const LOOKS: Readonly<Record<Severity, string>> = {
  critical: 'worst',
  high: 'bad',
  medium: 'warn',
  low: 'info',
  info: '',
};

export function severityTag(severity: Severity, count?: number): Html {
  return html`<span class="tag ${LOOKS[severity]}">${count === undefined ? '' : `${count} `}${severity}</span>`;
}

export function severityCount(severity: Severity, count: number): Html {
  return html`<b class="${count > 0 ? `${LOOKS[severity]}-ink` : 'none-ink'}">${count}</b><small>${severity}</small>`;
}

export function cweLink(cwe: string): Html {
  const [, number] = /^CWE-(\d{1,5})$/.exec(cwe) ?? [];
  if (number === undefined) return html`<span>${cwe}</span>`;
  return html`<a href="https://cwe.mitre.org/data/definitions/${number}.html" rel="noreferrer">${cwe}</a>`;
}

const ADVISORY = /^(?:CVE-\d{4}-\d{4,}|GHSA(?:-[0-9a-z]{4}){3}|[A-Z]{2,12}-\d{4}-\d+)$/;

/** Advisories such as a CVE get a link to osv.dev. Ids of rules get none. */
export function advisoryLink(id: string): Html {
  if (!ADVISORY.test(id)) return html`<code>${id}</code>`;
  return html`<a href="https://osv.dev/vulnerability/${id}" rel="noreferrer">${id}</a>`;
}
