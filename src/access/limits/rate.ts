/** The state of a subject's quota after a request was counted, or refused. */
export interface QuotaState {
  readonly ok: boolean;
  /** Requests that it may still make now. */
  readonly remaining: number;
  /** Milliseconds until the whole quota is there again. */
  readonly resetMs: number;
  /** Milliseconds until one more is accepted; 0 when this one was. */
  readonly waitMs: number;
}

export interface Rate {
  /** Counts a request as one or as several, more than the quota as the quota; a refused one is not counted. */
  countRequest(subject: string, units?: number): QuotaState;
  /**
   * Counts what a request that was accepted has cost since, in parts of a request too. It is counted in any case: a
   * subject may owe as much as a whole quota, and waits the longer.
   */
  addCost(subject: string, units: number): QuotaState;
  /** How `countRequest` would refuse one request; undefined where it would accept it. Counts nothing. */
  findRefusal(subject: string): QuotaState | undefined;
  /** The subject's quota is there again at this time at the earliest, as others have counted it. */
  raiseTo(subject: string, time: number): QuotaState;
}

export interface RateOptions {
  /** Requests a window, which may come all at once; afterwards they become available again evenly. */
  readonly quota: number;
  /** Milliseconds. */
  readonly windowMs: number;
  /** Subjects remembered at once; the one that was idle longest is forgotten for a new one. */
  readonly maxSubjects?: number;
  /** Milliseconds of any clock. */
  readonly now: () => number;
}

/**
 * A token bucket by the generic cell rate algorithm (ITU-T I.371): one number a subject, the time at which
 * its bucket will be full again. A subject whose bucket is full is like an unknown one.
 */
export function createRate({ quota, windowMs, maxSubjects = 50_000, now }: RateOptions): Rate {
  const each = windowMs / quota;
  /** In the order of the last request. */
  const full = new Map<string, number>();
  let newest: string | undefined;

  function keepTime(subject: string, at: number, time: number): QuotaState {
    if (subject !== newest) full.delete(subject);
    full.set(subject, time);
    newest = subject;
    const [oldest = subject] = full.keys();
    if (full.size > maxSubjects) full.delete(oldest);
    const remaining = Math.max(0, Math.floor((windowMs - (time - at)) / each + 0.001));
    return { ok: true, remaining, resetMs: time - at, waitMs: 0 };
  }

  function judge(subject: string, units: number) {
    const at = now();
    const before = Math.max(full.get(subject) ?? at, at);
    const after = before + each * Math.min(units, quota);
    // A rounding error of the sum must not cost the last request of a quota.
    const ok = after - at <= windowMs + each / 1000;
    const refusal = { ok: false, remaining: 0, resetMs: before - at, waitMs: after - at - windowMs };
    return { at, after, refusal: ok ? undefined : refusal };
  }

  return {
    countRequest(subject, units = 1) {
      const { at, after, refusal } = judge(subject, units);
      return refusal ?? keepTime(subject, at, after);
    },
    findRefusal: (subject) => judge(subject, 1).refusal,
    raiseTo(subject, time) {
      const at = now();
      return keepTime(subject, at, Math.max(full.get(subject) ?? at, at, time));
    },
    addCost(subject, units) {
      const at = now();
      const before = Math.max(full.get(subject) ?? at, at);
      return keepTime(subject, at, Math.min(before + each * units, at + 2 * windowMs));
    },
  };
}
