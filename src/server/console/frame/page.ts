import type { Context } from 'hono';
import { html } from 'hono/html';
import type { AccessScope } from '../../../caller.ts';
import type { SettingInForce } from '../../../config/settings-in-force.ts';
import type { Severity } from '../../../lib/severity.ts';
import type { AnswerPreferences } from '../../../operation.ts';
import type { SubmittedForm } from '../../app/form.ts';
import type { Html } from '../../html.ts';
import type { HttpEnv } from '../../http/edge.ts';
import { missingScopeError, type OperationPipeline } from '../../invoke.ts';
import type { ConsolePage } from './frame.ts';
import type { ConsoleOptions, ConsoleVisitor, PageAdmission } from './visitor.ts';

export type PageResult = ConsolePage | Response;

export interface ConsoleContext {
  readonly pipe: OperationPipeline;
  /** Returns the settings without secrets. `recentLog` returns log lines without secrets, oldest first. */
  settings(): readonly SettingInForce[];
  recentLog(): readonly string[];
  localStart: NonNullable<ConsoleOptions['localStart']>;
  readonly apps: ConsoleOptions['apps'];
  signIn(c: Context<HttpEnv>, key: string): Promise<void>;
  renew(c: Context<HttpEnv>, visitor: ConsoleVisitor): Promise<void>;
  requireOperator(visitor: ConsoleVisitor): void;
  /** Adds a page, which visitors open who signed in, and others as `admission` says. */
  get(
    path: string,
    page: (c: Context<HttpEnv>, visitor: ConsoleVisitor) => Promise<PageResult>,
    admission?: PageAdmission,
  ): void;
  post(
    path: string,
    act: (c: Context<HttpEnv>, visitor: ConsoleVisitor, form: SubmittedForm) => Promise<string | PageResult>,
    settings?: PageAdmission & { readonly maxBytes?: number | (() => Promise<number>) },
  ): void;
  /** Adds a route for scripts, which have a link's secret or send the form token in the header `X-Form`. */
  put(path: string, act: (c: Context<HttpEnv>, visitor: ConsoleVisitor) => Promise<Response>): void;
  call<Answer = Record<string, unknown>>(
    c: Context<HttpEnv>,
    visitor: ConsoleVisitor,
    operation: string,
    input: Readonly<Record<string, unknown>>,
    wishes?: AnswerPreferences,
  ): Promise<Answer>;
}

export function requireScope({ caller }: ConsoleVisitor, scope: AccessScope): void {
  if (!caller.scopes.has(scope)) throw missingScopeError('the console', scope, caller);
}

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** Formats milliseconds since 1970, for example as `25 Nov 2026, 19:14`. */
export function formatTimeUtc(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" title="UTC">${formatDateUtc(at)}, ${iso.slice(11, 16)}</time>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats a time, for example as `25 Nov 2026`. Invalid text is cut to ten characters. */
export function formatDateUtc(at: number | string | undefined): string {
  if (at === undefined || at === '') return '';
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at).slice(0, 10);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

export function formatRelativeTime(at: number, now = Date.now()): Html {
  const iso = new Date(at).toISOString();
  const words = at > now ? `in ${formatTimeSpan(at - now)}` : `${formatTimeSpan(now - at)} ago`;
  return html`<time datetime="${iso}" title="${formatDateUtc(at)}, ${iso.slice(11, 16)} UTC">${words}</time>`;
}

export function formatTimeSpan(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Number((ms / HOUR_MS).toFixed(1))} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

export function formatResponseTime(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

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

export function advisoryLink(id: string): Html {
  if (!ADVISORY.test(id)) return html`<code>${id}</code>`;
  return html`<a href="https://osv.dev/vulnerability/${id}" rel="noreferrer">${id}</a>`;
}
