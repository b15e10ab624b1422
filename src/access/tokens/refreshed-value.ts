export interface RefreshedValueOptions<T> {
  /** Loads the value. The result may reuse unchanged parts of `kept`, the earlier value. */
  load(kept: T | undefined): Promise<T>;
  readonly now: () => number;
  readonly freshMs: number;
  /** Maximum age in milliseconds of an old value that is used when loading fails. */
  readonly keptMs: number;
  readonly pauseMs: number;
  onFailure(reason: unknown, earlier: T | undefined): void;
}

export function createRefreshedValue<T>(options: RefreshedValueOptions<T>) {
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
    /** Returns the value. Returns undefined if the value was never loaded or is too old. Never rejects. */
    async get(): Promise<T | undefined> {
      if (age() >= freshMs && mayTry()) await refresh();
      return kept && age() < keptMs ? kept.value : undefined;
    },
    /** Loads the value even if it is fresh. Returns undefined if the last load began within `pauseMs`. */
    async renew(): Promise<T | undefined> {
      if (!mayTry()) return undefined;
      await refresh();
      return kept?.value;
    },
    failure: () => failure,
  };
}
