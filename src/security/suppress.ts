import type { Finding, RawFinding } from './finding.ts';
import { type Excuse, meansRule } from './ignore-file.ts';
import { linesOf } from './lines.ts';

type Suppressed = NonNullable<Finding['suppressed']>;

const MARK = 'magpie-ignore';
/** Characters of a line that are looked at for a comment, and of a reason that are kept. */
const LINE = 2000;
const REASON = 300;

/** What a comment or the ignore file says of one finding. */
export interface Verdict {
  readonly suppressed?: Suppressed;
  /** Something that was meant to suppress it and does not hold. */
  readonly fault?: RawFinding;
}

/**
 * Verdicts on the findings of one file; `text` is the file as it is now, undefined for what is no longer there;
 * `excuses` are those for its path.
 */
export function judgeFile(
  findings: readonly RawFinding[],
  text: string | undefined,
  excuses: readonly Excuse[],
): Verdict[] {
  const lines = text?.includes(MARK) ? linesOf(text) : undefined;
  // By rule, of which there are few: a file may have thousands of findings and of excuses.
  const known = new Map<string, Excuse | undefined>();
  const excuseFor = (finding: RawFinding) => {
    const rule = JSON.stringify([finding.id, finding.aliases]);
    if (!known.has(rule))
      known.set(
        rule,
        excuses.find((one) => meansRule(one.rule, finding)),
      );
    return known.get(rule);
  };
  return findings.map((finding) => {
    const { line, commit } = finding;
    const comment =
      lines && line !== undefined && commit === undefined
        ? byComment(finding, line, (at) => lines.text(at))
        : {};
    if (comment.suppressed) return comment;
    const excuse = excuseFor(finding);
    return excuse ? { suppressed: { by: 'file', reason: excuse.reason.slice(0, REASON) } } : comment;
  });
}

/** A comment in the finding's line, or alone in the line before it. */
function byComment(finding: RawFinding, line: number, textOf: (line: number) => string): Verdict {
  for (const at of [line, line - 1]) {
    const text = textOf(at).slice(0, LINE);
    const mark = text.indexOf(MARK);
    if (mark < 0 || (at < line && /\w/.test(text.slice(0, mark).replace(/^\s*(?:rem|dnl)\s/i, '')))) continue;
    const [, rules = '', rest = ''] = /^[:\s]+([\w./*,-]+)(.*)$/.exec(text.slice(mark + MARK.length)) ?? [];
    if (!rules.split(',').some((rule) => rule !== '' && meansRule(rule, finding))) continue;
    const reason = withoutEnd(rest);
    if (reason !== '') return { suppressed: { by: 'comment', reason: reason.slice(0, REASON) } };
    return { fault: noReason(finding, at) };
  }
  return {};
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
    fix: `Write the reason after the rule: ${MARK} ${id} why this is no danger here.`,
    path,
    line,
    identity: id,
  };
}
