import { checksRepositories, kindOf, seesSettings } from './checks.ts';
import type { Practice, Probe, Subject } from './evidence.ts';
import type { EvidenceIndex } from './evidence-index.ts';

/** The outcome of one check in a scope. */
export interface CheckState {
  readonly kind: string;
  /** What is `clean` was seen to be so, not only searched for what breaks it. */
  readonly shows: boolean;
  /**
   * `clean`: it ran everywhere and found nothing, or the practice is kept; `missing`: a practice is not kept; `empty`:
   * there was nothing for it to check; `partly`: it did not run everywhere; `unseen`: it did not run to its end.
   */
  readonly state: 'clean' | 'missing' | 'empty' | 'unseen' | 'partly';
  /** Why it is so; for a practice that is kept, what shows it. */
  readonly why: string;
  /** What it left out. */
  readonly note?: string;
  /** How many files, packages or targets it checked, where that is known. */
  readonly items?: number;
  /** When it ran, in milliseconds; 0 where it did not. */
  readonly at: number;
}

type Outcome = Omit<CheckState, 'kind' | 'shows'>;

/** The outcome of the check with this id, over all subjects of the kind that it checks. */
export function stateOf(id: string, index: EvidenceIndex): CheckState {
  const kind = kindOf(id);
  const shows = seesSettings(id);
  const wanted = checksRepositories(kind) ? 'repository' : 'infrastructure';
  const subjects = index.evidence.subjects.filter((subject) => subject.kind === wanted);
  if (subjects.length === 0) {
    return { kind, shows, state: 'unseen', why: `${kind} (the scope has no ${wanted})`, at: 0 };
  }
  const found =
    kind === 'practice'
      ? practiceState(id.slice('practice/'.length), subjects, index)
      : probeState(kind, subjects, index.probes.get(kind) ?? []);
  return { ...found, kind, shows };
}

function practiceState(
  name: string,
  subjects: readonly Subject[],
  { probes, practices }: EvidenceIndex,
): Outcome {
  const states = practices.get(name) ?? [];
  const at = newest(states);
  const unseen = without(subjects, states);
  if (unseen.length > 0) {
    const failed = (probes.get('practice') ?? []).find(({ ok, why }) => !ok && why !== undefined);
    const why = `${name} in ${firstNames(unseen)}${failed ? ` (${failed.why})` : ''}`;
    return { state: 'unseen', why, at };
  }
  const stateIs = (wanted: Practice['state']) => states.find(({ state }) => state === wanted);
  const missing = stateIs('missing');
  if (missing) return { state: 'missing', why: missing.detail, at };
  const kept = stateIs('kept');
  return { state: kept ? 'clean' : 'empty', why: kept?.detail ?? '', at };
}

function probeState(kind: string, subjects: readonly Subject[], probes: readonly Probe[]): Outcome {
  const at = newest(probes);
  const failed = probes.find(({ ok }) => !ok);
  if (failed) {
    const why = `${kind} in ${failed.subject} (${failed.why ?? 'it failed'})`;
    return { state: 'unseen', why, at };
  }
  const unseen = without(subjects, probes);
  if (unseen.length > 0) {
    const trouble = subjects.find((one) => one.trouble !== undefined && unseen.includes(one.name))?.trouble;
    const why = `${kind} in ${firstNames(unseen)}${trouble ? ` (${trouble})` : ''}`;
    return { state: 'unseen', why, at };
  }
  const isEmpty = probes.every(({ items }) => items === 0);
  const partial = probes.find(({ partly }) => partly);
  if (partial) {
    const why = `${kind} in ${partial.subject} (${partial.why ?? 'a part of it'})`;
    return { state: isEmpty ? 'unseen' : 'partly', why, at };
  }
  const note = probes.find(({ why }) => why !== undefined)?.why;
  const items = probes.every((one) => one.items !== undefined)
    ? probes.reduce((sum, one) => sum + (one.items ?? 0), 0)
    : undefined;
  return { state: isEmpty ? 'empty' : 'clean', why: '', at, note, items };
}

/** Names of the subjects that nothing of these is about. */
function without(
  subjects: readonly Subject[],
  known: readonly { readonly subject: string }[],
): readonly string[] {
  return subjects.map(({ name }) => name).filter((name) => !known.some(({ subject }) => subject === name));
}

function newest(items: readonly { readonly at: number }[]): number {
  return Math.max(0, ...items.map(({ at }) => at));
}

/** The first three names, and how many more there are. */
export function firstNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
