export interface QuotaState {
  readonly ok: boolean;
  readonly remaining: number;
  readonly resetMs: number;
  readonly waitMs: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

export interface RateLimiterOptions {
  /** Requests per window. All may be sent at once. They become available again one by one, at an even rate. */
  readonly quota: number;
  readonly windowMs: number;
  readonly maxSubjects?: number;
  readonly now: () => number;
}

/** Limits requests by a token bucket, with the generic cell rate algorithm (ITU-T I.371). */
export function createRateLimiter({ quota, windowMs, maxSubjects = 50_000, now }: RateLimiterOptions) {
  const each = windowMs / quota;
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
    // Without a tolerance, rounding errors could refuse the last request of a quota.
    const ok = after - at <= windowMs + each / 1000;
    const refusal = { ok: false, remaining: 0, resetMs: before - at, waitMs: after - at - windowMs };
    return { at, after, refusal: ok ? undefined : refusal };
  }

  return {
    countRequest(subject: string, units: number = 1): QuotaState {
      const { at, after, refusal } = judge(subject, units);
      return refusal ?? keepTime(subject, at, after);
    },
    findRefusal: (subject: string) => judge(subject, 1).refusal,
    /** Sets the time at which the full quota is available again, unless the stored time is later. */
    raiseTo(subject: string, time: number): QuotaState {
      const at = now();
      return keepTime(subject, at, Math.max(full.get(subject) ?? at, at, time));
    },
    addCost(subject: string, units: number): QuotaState {
      const at = now();
      const before = Math.max(full.get(subject) ?? at, at);
      return keepTime(subject, at, Math.min(before + each * units, at + 2 * windowMs));
    },
  };
}
