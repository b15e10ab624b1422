/** How a value of a server is fetched and kept; times in milliseconds. */
export interface RenewedOptions<T> {
  /** `kept` is what was loaded before; what has not changed may stay the same object. */
  load(kept: T | undefined): Promise<T>;
  readonly now: () => number;
  /** For how long it is used as it is. */
  readonly freshMs: number;
  /** For how long it is used while it cannot be loaded again. */
  readonly keptMs: number;
  /** Between two loads at least, whatever is asked for. */
  readonly pauseMs: number;
  onFailure(reason: unknown, earlier: T | undefined): void;
}

/** A value of a server that changes seldom; one load at a time, shared by all who ask meanwhile. */
export interface Renewed<T> {
  /** Undefined when it was never loaded, or too long ago; never rejects. */
  get(): Promise<T | undefined>;
  /** Loads it although it may be fresh; undefined when that was done a moment ago. */
  renew(): Promise<T | undefined>;
  /** Why the last load failed. */
  failure(): unknown;
}

export function createRenewed<T>(options: RenewedOptions<T>): Renewed<T> {
  const { load, now, freshMs, keptMs, pauseMs, onFailure } = options;
  let kept: { readonly value: T; readonly at: number } | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let flight: Promise<void> | undefined;

  const age = () => (kept ? now() - kept.at : Number.POSITIVE_INFINITY);
  const mayTry = () => flight !== undefined || now() - triedAt >= pauseMs;

  function refresh(): Promise<void> {
    flight ??= attempt().finally(() => {
      flight = undefined;
    });
    return flight;
  }

  async function attempt(): Promise<void> {
    triedAt = now();
    try {
      const value = await load(kept?.value);
      kept = { value, at: now() };
    } catch (error) {
      failure = error;
      onFailure(error, kept?.value);
    }
  }

  return {
    async get() {
      if (age() >= freshMs && mayTry()) await refresh();
      return kept && age() < keptMs ? kept.value : undefined;
    },
    async renew() {
      if (!mayTry()) return undefined;
      await refresh();
      return kept?.value;
    },
    failure: () => failure,
  };
}
