/** How a subject stands after a request was counted, or refused. */
export interface Standing {
  readonly ok: boolean;
  /** Requests that it may still make at once. */
  readonly remaining: number;
  /** Milliseconds until the whole quota is there again. */
  readonly resetMs: number;
  /** Milliseconds until one more is let in; 0 when it was. */
  readonly waitMs: number;
}

export interface Rate {
  /** Counts one request; one that is refused is not counted. */
  take(subject: string): Standing;
}

export interface RateOptions {
  /** Requests a window, which may come all at once; afterwards they come back evenly. */
  readonly quota: number;
  /** Milliseconds. */
  readonly window: number;
  /** Subjects remembered at once; the one silent longest is forgotten for a new one. */
  readonly most?: number;
  /** Milliseconds of any clock. */
  readonly now: () => number;
}

/**
 * A token bucket by the generic cell rate algorithm (ITU-T I.371): one number a subject, the time at which
 * its bucket will be full again. One that is full is as good as unknown, and is forgotten.
 */
export function createRate({ quota, window, most = 50_000, now }: RateOptions): Rate {
  const each = window / quota;
  /** In the order of the last request. */
  const full = new Map<string, number>();
  let newest: string | undefined;

  function forget(at: number): void {
    for (const [subject, time] of full) {
      if (full.size < most && time > at) return;
      full.delete(subject);
    }
  }

  return {
    take(subject) {
      const at = now();
      const before = Math.max(full.get(subject) ?? at, at);
      const after = before + each;
      // A rounding error of the sum must not cost the last request of a quota.
      if (after - at > window + each / 1000) {
        return { ok: false, remaining: 0, resetMs: before - at, waitMs: after - at - window };
      }
      if (subject !== newest) full.delete(subject);
      if (full.size >= most) forget(at);
      full.set(subject, after);
      newest = subject;
      const remaining = Math.max(0, Math.floor((window - (after - at)) / each + 0.001));
      return { ok: true, remaining, resetMs: after - at, waitMs: 0 };
    },
  };
}
