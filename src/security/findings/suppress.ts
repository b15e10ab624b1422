import type { Effort, Meter } from '../scans/effort.ts';
import { fitsPart } from '../trees/glob.ts';
import { linesOf } from '../trees/lines.ts';
import type { Finding, RawFinding } from './finding.ts';
import type { Excuse } from './ignore-file.ts';
import type { RuleNames } from './known-rules.ts';

type Suppressed = NonNullable<Finding['suppressed']>;

const MARK = 'magpie-ignore';
/** Characters of a line in which a comment is searched for, and of a reason that are kept. */
const MAX_LINE_CHARACTERS = 2000;
const MAX_REASON_CHARACTERS = 300;
/** Rules of one comment, names of one finding, and characters of each. */
const [MAX_RULES, MAX_ALIASES, MAX_NAME_CHARACTERS] = [20, 20, 200];

/** What a comment or the ignore file says of one finding. */
export interface Verdict {
  readonly suppressed?: Suppressed;
  /** Something that was meant to suppress it and does not hold. */
  readonly problem?: RawFinding;
}

/** What findings are held against. */
export interface Grounds {
  /** The file as it is now; undefined for what is no longer there. */
  readonly text: string | undefined;
  /** Those for its path, in the order of the ignore file. */
  readonly excuses: readonly Excuse[];
  readonly names: RuleNames;
  readonly effort: Effort;
}

/**
 * Verdicts on the findings of one file. In slices: a hostile file has thousands of findings, and its ignore file a
 * thousand patterns for their rules; none is suppressed once the effort is over.
 */
export async function judgeFile(
  findings: readonly RawFinding[],
  { text, excuses, names, effort }: Grounds,
  signal: AbortSignal,
): Promise<Verdict[]> {
  const lines = text?.includes(MARK) ? linesOf(text) : undefined;
  const excuseFor = excuseFinder(excuses, effort, signal);
  const verdicts: Verdict[] = [];
  for (const finding of findings) {
    await effort.rest(signal);
    const { line, commit } = finding;
    const comment =
      lines && line !== undefined && commit === undefined
        ? byComment(finding, line, (at) => lines.text(at), names, effort.meter)
        : {};
    const excuse = comment.suppressed ? undefined : await excuseFor(finding);
    verdicts.push(
      excuse
        ? { suppressed: { by: 'file', reason: excuse.reason.slice(0, MAX_REASON_CHARACTERS) } }
        : comment,
    );
  }
  return verdicts;
}

/** The first entry that means a finding: those without a star by their name, the others one by one. */
function excuseFinder(
  excuses: readonly Excuse[],
  effort: Effort,
  signal: AbortSignal,
): (finding: RawFinding) => Promise<Excuse | undefined> {
  const exact = new Map<string, number>();
  const patterns: [number, string][] = [];
  for (const [at, { rule }] of excuses.entries()) {
    const wanted = rule.toLowerCase();
    if (/[*?]/.test(wanted)) patterns.push([at, wanted]);
    else if (!exact.has(wanted)) exact.set(wanted, at);
  }
  // By rule, of which there are few: a file may have thousands of findings.
  const known = new Map<string, Excuse | undefined>();
  return async (finding) => {
    const names = namesOf(finding);
    const key = names.join('\0');
    if (known.has(key)) return known.get(key);
    let first = Math.min(excuses.length, ...names.map((name) => exact.get(name) ?? excuses.length));
    for (const [at, wanted] of patterns) {
      if (at > first || effort.over) break;
      if (names.some((name) => fitsPart(wanted, name, effort.meter))) first = at;
      await effort.rest(signal);
    }
    known.set(key, excuses[first]);
    return excuses[first];
  };
}

/** Names by which a person may mean it: its rule or advisory, and what others call that. */
function namesOf({ id, aliases = [] }: RawFinding): string[] {
  return [id, ...aliases.slice(0, MAX_ALIASES)].map((name) =>
    name.slice(0, MAX_NAME_CHARACTERS).toLowerCase(),
  );
}

/** A comment in the finding's line, or alone in the line before it. */
function byComment(
  finding: RawFinding,
  line: number,
  textOf: (line: number) => string,
  names: RuleNames,
  meter: Meter,
): Verdict {
  let unknown: Verdict = {};
  for (const at of [line, line - 1]) {
    const text = textOf(at).slice(0, MAX_LINE_CHARACTERS);
    const mark = text.indexOf(MARK);
    meter.steps += MAX_LINE_CHARACTERS / 4;
    if (mark < 0 || (at < line && /\w/.test(text.slice(0, mark).replace(/^\s*(?:rem|dnl)\s/i, '')))) continue;
    const [, said = '', rest = ''] = /^[:\s]+([\w./*,-]+)(.*)$/s.exec(text.slice(mark + MARK.length)) ?? [];
    const rules = said
      .split(',', MAX_RULES)
      .filter((rule) => rule !== '' && rule.length <= MAX_NAME_CHARACTERS);
    const own = namesOf(finding);
    if (!rules.some((rule) => own.some((name) => fitsPart(rule.toLowerCase(), name, meter)))) {
      const wrong = rules.find((rule) => names.mistyped(rule, meter) !== undefined);
      if (wrong !== undefined)
        unknown = { problem: mistyped(finding, at, wrong, names.mistyped(wrong, meter)) };
      continue;
    }
    const reason = withoutEnd(rest);
    if (reason !== '')
      return { suppressed: { by: 'comment', reason: reason.slice(0, MAX_REASON_CHARACTERS) } };
    return { problem: noReason(finding, at) };
  }
  return unknown;
}

function mistyped({ path }: RawFinding, line: number, rule: string, meant = ''): RawFinding {
  const nearest = meant === '' ? '' : `; the nearest is ${meant}`;
  return {
    id: 'suppression/unknown-rule',
    severity: 'info',
    title: 'Suppression without effect',
    description: `The comment names ${rule}, a rule that no scanner has${nearest}.`,
    fix: 'Write the id of the finding that it is to suppress, or delete the comment.',
    path,
    line,
    identity: rule,
  };
}

/** The reason without what ends the comment in its language, and without what leads to it. */
function withoutEnd(text: string): string {
  const end = /\*\/|-->|--%>|#\}|%>|\*\)|--\}|\|#/.exec(text);
  return (end ? text.slice(0, end.index) : text).replace(/^[\s:,–—-]+/, '').trim();
}

function noReason({ id, path }: RawFinding, line: number): RawFinding {
  return {
    id: 'suppression/no-reason',
    severity: 'info',
    title: 'Suppression without effect',
    description: `The comment that is to suppress ${id} gives no reason, so it does not hold.`,
    fix: `Write the reason after the rule: ${MARK} ${id} why this is not a danger here.`,
    path,
    line,
    identity: id,
  };
}
