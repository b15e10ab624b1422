import { SEVERITIES, type Severity } from '../../lib/severity.ts';
import { judged, STATUSES, type StandardResult, type Status, sumOf } from '../assessment.ts';
import type { Comparison } from '../compare.ts';
import type { EvidenceFinding } from '../evidence.ts';
import type { ReportMatter } from '../report.ts';
import { sealText } from '../seal-text.ts';

/** Statuses as people read them. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  pass: 'passed',
  fail: 'failed',
  manual: 'to be judged by a person',
  not_assessed: 'not assessed',
};

/** Risks that a report tells one by one; the JSON form has all. */
const RISKS = 200;

/** A finding with what it stands against. */
export interface Risk extends EvidenceFinding {
  /** `pci-dss 6.2.4`. */
  readonly controls: readonly string[];
}

/** What all forms for people say, in their order: summary, risks, controls, evidence, seal. */
export interface Outline {
  readonly title: string;
  readonly subtitle: string;
  /** Sentences of the executive summary. */
  readonly summary: readonly string[];
  /** Findings that count, by severity. */
  readonly severities: readonly (readonly [severity: Severity, count: number])[];
  readonly standards: readonly StandardResult[];
  /** Worst first. */
  readonly risks: readonly Risk[];
  /** How many more there are. */
  readonly moreRisks: number;
  /** What was looked at, and what was not. */
  readonly evidence: readonly string[];
  readonly changes: readonly string[];
  readonly seal: string;
}

/** Lines of what changed that are told. */
const CHANGES = 50;

/** The report as its forms for people tell it. */
export function outlineOf({ assessment, seal, comparison }: ReportMatter): Outline {
  const { id, createdAt, scope, subjects, standards, findings, looks, practices, version } = assessment;
  const counts = sumOf(standards.map((one) => one.counts));
  const total = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  const counting = findings.filter(({ accepted }) => accepted === undefined);
  const risks = risksOf(standards, counting);
  const failed = standards.filter((one) => one.counts.fail > 0).length;
  const worst = SEVERITIES.find((severity) => counting.some((one) => one.severity === severity));
  return {
    title: 'Compliance report',
    subtitle: `${scope}, ${instant(createdAt)}, check ${id}, by Magpie ${version}`,
    summary: [
      `Of ${total} controls of ${plural(standards.length, 'standard')}, checks judged ${counts.pass + counts.fail}: ${counts.pass} passed and ${counts.fail} failed.`,
      `${counts.manual} are left to a person, and ${counts.not_assessed} were not assessed for want of evidence; neither counts as passed.`,
      counting.length === 0
        ? 'No finding counts against any control.'
        : `${plural(counting.length, 'finding')} ${counting.length === 1 ? 'counts' : 'count'}, the worst of them ${worst}; ${failed} of ${plural(standards.length, 'standard')} ${failed === 1 ? 'has' : 'have'} failed controls.`,
      'A control passes only where each of its checks ran to its end in this scope. It is evidence for an audit, not a certificate.',
    ],
    severities: SEVERITIES.map((one) => [one, counting.filter(({ severity }) => severity === one).length]),
    standards,
    risks: risks.slice(0, RISKS),
    moreRisks: Math.max(0, risks.length - RISKS),
    evidence: [
      ...subjects.map(({ name, kind, commit, from }) =>
        [`${kind} ${name}`, commit && `commit ${commit}`, from && `from ${from}`].filter(Boolean).join(', '),
      ),
      ...looks.map(
        ({ what, subject, at, ok, why, items }) =>
          `${what} in ${subject}: ${ok ? 'looked for' : 'not looked for to the end'}${items === undefined ? '' : `, ${plural(items, 'item')}`}, ${instant(at)}${why ? ` (${why})` : ''}`,
      ),
      ...practices.map(
        ({ name, state, detail, subject }) =>
          `practice ${name} in ${subject}: ${state.replace('_', ' ')}, ${detail}`,
      ),
    ],
    changes: comparison ? changesText(comparison) : [],
    seal: sealText(id, seal),
  };
}

function changesText({ changes, appeared, gone, accepted, unknown }: Comparison): string[] {
  const shown = changes.slice(0, CHANGES).map(({ standard, control, before, now, reason }) => {
    const was = before ? STATUS_WORDS[before] : 'not checked';
    return `${standard} ${control}: ${was} before, ${STATUS_WORDS[now]} now${reason ? ` (${reason})` : ''}`;
  });
  const more = changes.length - shown.length;
  const counted = [
    appeared.length > 0 && `${plural(appeared.length, 'finding')} appeared`,
    gone.length > 0 &&
      `${plural(gone.length, 'finding')} that counted before ${gone.length === 1 ? 'is' : 'are'} gone`,
    accepted.length > 0 &&
      `${plural(accepted.length, 'finding')} that counted before ${accepted.length === 1 ? 'is' : 'are'} accepted now`,
    unknown.length > 0 &&
      `${plural(unknown.length, 'finding')} cannot be compared, such as one ${unknown[0]?.reason}`,
  ];
  return [
    ...shown,
    ...(more > 0 ? [`and ${plural(more, 'control')} more`] : []),
    ...counted.filter((one) => one !== false),
  ];
}

function risksOf(standards: readonly StandardResult[], findings: readonly EvidenceFinding[]): Risk[] {
  const against = new Map<string, string[]>();
  for (const { standard, controls } of standards) {
    for (const control of controls) {
      for (const fingerprint of control.findings) {
        const list = against.get(fingerprint);
        const name = `${standard.id} ${control.id}`;
        if (list) list.push(name);
        else against.set(fingerprint, [name]);
      }
    }
  }
  return findings
    .map((finding) => ({ ...finding, controls: against.get(finding.fingerprint) ?? [] }))
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** `2026-11-21 12:00 UTC`. */
export function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `12%` of a share from 0 to 1. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** `1 finding`, `2 findings`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A standard's figures in a row: name, the four counts, and the share that checks judged. */
export function rowOf(result: StandardResult): readonly string[] {
  const { standard, counts } = result;
  return [
    `${standard.title}, ${standard.edition}`,
    ...STATUSES.map((status) => String(counts[status])),
    percent(judged(result)),
  ];
}

/** The first few controls of a risk, and how many more there are. */
export function controlsText(controls: readonly string[]): string {
  const shown = controls.slice(0, 8).join(', ');
  return controls.length > 8
    ? `${shown} and ${controls.length - 8} more`
    : shown || 'none of these standards';
}
