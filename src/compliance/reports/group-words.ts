import type { ControlResult } from '../assessing/assessment.ts';

/** A sentence at the end of a reason that says where a person finds proof. */
const ADVICE = /Inspect [^.]{1,300}\.(?= ?$)/;

/** A group of controls as a report lists it. */
export interface ListedGroup {
  /** The group's name, and what most of its controls would each say. */
  readonly head: string;
  /** Why a control has its status, without what the head says. */
  why(control: ControlResult): string;
}

/**
 * A group whose head says once where a person finds proof, where several of its controls have the same place: their rows do not
 * repeat it.
 */
export function listedGroup(
  name: string,
  controls: readonly ControlResult[],
  why: (control: ControlResult) => string,
): ListedGroup {
  const advice = controls.map(({ reason }) => ADVICE.exec(reason)?.[0]);
  const counts = new Map<string, number>();
  for (const one of advice) if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [shared, count = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (shared === undefined || count < 2) return { head: name, why };
  return {
    head: `${name}. ${shared.replace(/\.$/, '')}, where nothing else is said.`,
    why: (control) => why(control).replace(shared, '').trim(),
  };
}

/** What a check left out, said once for all controls that it concerns. */
export interface Gap {
  /** As reasons have it: `infrastructure in shop (1 file of Travis CI, ...)`. */
  readonly words: string;
  /** `infrastructure (gap 1)`. */
  readonly short: string;
}

/** A probe that did not see all, as far as a gap is about it. */
interface Unseen {
  readonly what: string;
  readonly subject: string;
  readonly why?: string | undefined;
}

/** The gaps that more than one control has in its reason, numbered. */
export function gapsOf(
  looks: readonly Unseen[],
  controls: readonly ControlResult[],
  subjects: number,
): readonly Gap[] {
  const shared = looks.flatMap(({ what, subject, why }) => {
    const words = why === undefined ? '' : `${what} in ${subject} (${why})`;
    const concerned = words === '' ? 0 : controls.filter(({ reason }) => reason.includes(words)).length;
    return concerned > 1 ? [{ words, name: subjects > 1 ? `${what} in ${subject}` : what }] : [];
  });
  return shared.map(({ words, name }, at) => ({ words, short: `${name} (gap ${at + 1})` }));
}

/** A reason with each gap by its number. */
export function withGaps(reason: string, gaps: readonly Gap[]): string {
  return gaps.reduce((text, { words, short }) => text.replaceAll(words, short), reason);
}
