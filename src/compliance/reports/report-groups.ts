import type { ControlResult } from '../assessing/assessment.ts';

const ADVICE = /Inspect [^.]{1,300}\.(?= ?$)/;

export function buildReportGroup(
  name: string,
  controls: readonly ControlResult[],
  why: (control: ControlResult) => string,
) {
  const advice = controls.map(({ reason }) => ADVICE.exec(reason)?.[0]);
  const counts = new Map<string, number>();
  for (const one of advice) if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [shared, count = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (shared === undefined || count < 2) return { head: name, why };
  return {
    head: `${name}. ${shared.replace(/\.$/, '')}, where nothing else is said.`,
    why: (control: ControlResult) => why(control).replace(shared, '').trim(),
  };
}

export interface ReportGap {
  /** Words in the reasons of several controls, such as `infrastructure in shop (1 file of Travis CI, ...)`. */
  readonly words: string;
  /** Short form that replaces `words` in the report, for example `infrastructure (gap 1)`. */
  readonly short: string;
}

interface UnseenSubject {
  readonly what: string;
  readonly subject: string;
  readonly why?: string | undefined;
}

export function findSharedGaps(
  looks: readonly UnseenSubject[],
  controls: readonly ControlResult[],
  subjects: number,
): readonly ReportGap[] {
  const shared = looks.flatMap(({ what, subject, why }) => {
    const words = why === undefined ? '' : `${what} in ${subject} (${why})`;
    const concerned = words === '' ? 0 : controls.filter(({ reason }) => reason.includes(words)).length;
    return concerned > 1 ? [{ words, name: subjects > 1 ? `${what} in ${subject}` : what }] : [];
  });
  return shared.map(({ words, name }, at) => ({ words, short: `${name} (gap ${at + 1})` }));
}

export function replaceGapsByNumbers(reason: string, gaps: readonly ReportGap[]): string {
  return gaps.reduce((text, { words, short }) => text.replaceAll(words, short), reason);
}
