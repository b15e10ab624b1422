import { getCheckKind, isConclusiveCheck, isRepositoryKind } from './checks.ts';
import type { EvidenceProbe, EvidenceSubject, Practice } from './evidence.ts';
import type { EvidenceIndex } from './evidence-index.ts';

export interface CheckState {
  readonly kind: string;
  /** True if a check without findings proves the requirement (see `isConclusiveCheck`). */
  readonly shows: boolean;
  /** `missing`: practice not followed. `empty`: no input. `partly`: incomplete. `unseen`: failed. */
  readonly state: 'clean' | 'missing' | 'empty' | 'unseen' | 'partly';
  readonly why: string;
  readonly note?: string;
  readonly items?: number;
  /** Milliseconds since the epoch; 0 if the check did not run. */
  readonly at: number;
}

type Outcome = Omit<CheckState, 'kind' | 'shows'>;

export function computeCheckState(id: string, index: EvidenceIndex): CheckState {
  const kind = getCheckKind(id);
  const shows = isConclusiveCheck(id);
  const wanted = isRepositoryKind(kind) ? 'repository' : 'infrastructure';
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
  subjects: readonly EvidenceSubject[],
  { probes, practices }: EvidenceIndex,
): Outcome {
  const states = practices.get(name) ?? [];
  const at = newest(states);
  const unseen = without(subjects, states);
  if (unseen.length > 0) {
    const failed = (probes.get('practice') ?? []).find(({ ok, why }) => !ok && why !== undefined);
    const why = `${name} in ${formatFirstNames(unseen)}${failed ? ` (${failed.why})` : ''}`;
    return { state: 'unseen', why, at };
  }
  const stateIs = (wanted: Practice['state']) => states.find(({ state }) => state === wanted);
  const missing = stateIs('missing');
  if (missing) return { state: 'missing', why: missing.detail, at };
  const kept = stateIs('kept');
  return { state: kept ? 'clean' : 'empty', why: kept?.detail ?? '', at };
}

function probeState(
  kind: string,
  subjects: readonly EvidenceSubject[],
  probes: readonly EvidenceProbe[],
): Outcome {
  const at = newest(probes);
  const failed = probes.find(({ ok }) => !ok);
  if (failed) {
    const why = `${kind} in ${failed.subject} (${failed.why ?? 'it failed'})`;
    return { state: 'unseen', why, at };
  }
  const unseen = without(subjects, probes);
  if (unseen.length > 0) {
    const trouble = subjects.find((one) => one.trouble !== undefined && unseen.includes(one.name))?.trouble;
    const why = `${kind} in ${formatFirstNames(unseen)}${trouble ? ` (${trouble})` : ''}`;
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

function without(
  subjects: readonly EvidenceSubject[],
  known: readonly { readonly subject: string }[],
): readonly string[] {
  return subjects.map(({ name }) => name).filter((name) => !known.some(({ subject }) => subject === name));
}

function newest(items: readonly { readonly at: number }[]): number {
  return Math.max(0, ...items.map(({ at }) => at));
}

export function formatFirstNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
