/** Shares the processor, so that many calls of one user do not delay other users' calls. */
export interface CallScheduler {
  /** Waits until a call may begin. Returns a function that ends the call. Rejects if the signal aborts. */
  enter(user: string, signal: AbortSignal): Promise<() => void>;
}

/** A heavy user's next call may begin after this time (ms), even if the previous call still runs. */
const TURN_MS = 100;
/** A heavy user's call waits at most this time (ms) for the calls of other users. */
const MAX_WAIT_MS = 250;
const HALF_LIFE_MS = 1000;
/** Value of `used` (ms) of a user whose calls run half of the time. From this value on, a user is heavy. */
const HEAVY_MS = (0.5 * HALF_LIFE_MS) / Math.LN2;
const ACTIVE_MS = 1000;

interface UserTurns {
  running: number;
  /** Total duration of the user's calls in ms at the time `at`. The total halves every `HALF_LIFE_MS`. */
  used: number;
  at: number;
  readonly waiting: Set<WaitingCall>;
}

interface WaitingCall {
  begin(): void;
  timer?: NodeJS.Timeout;
}

/** While other users are active, a heavy user (see `HEAVY_MS`) runs one call at a time. */
export function createCallScheduler(now: () => number): CallScheduler {
  const users = new Map<string, UserTurns>();
  const withWaiting = new Set<UserTurns>();
  let sweptAt = now();

  function turnsOf(name: string): UserTurns {
    if (now() - sweptAt > ACTIVE_MS) {
      sweptAt = now();
      for (const [key, user] of users) if (!isActive(user) && usedBy(user) < 1) users.delete(key);
    }
    const user = users.get(name) ?? { running: 0, used: 0, at: now(), waiting: new Set() };
    users.set(name, user);
    user.used = usedBy(user);
    user.at = now();
    return user;
  }

  const isActive = ({ running, waiting, at }: UserTurns) =>
    running > 0 || waiting.size > 0 || now() - at <= ACTIVE_MS;
  const usedBy = ({ used, at }: UserTurns) => used * 0.5 ** (Math.max(0, now() - at) / HALF_LIFE_MS);
  const isHeavy = (user: UserTurns) => usedBy(user) >= HEAVY_MS;

  function countActive(): { readonly active: number; readonly light: number } {
    const active = [...users.values()].filter(isActive);
    return {
      active: active.length,
      light: active.filter((user) => user.running > 0 && !isHeavy(user)).length,
    };
  }

  function mayBegin(user: UserTurns, counts?: ReturnType<typeof countActive>): boolean {
    if (!isHeavy(user)) return true;
    const { active, light } = counts ?? countActive();
    return active - Number(isActive(user)) === 0 || (user.running === 0 && light === 0);
  }

  function begin(user: UserTurns): () => void {
    user.running += 1;
    const begun = now();
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      user.used = usedBy(user) + Math.min(TURN_MS, now() - begun);
      user.at = now();
      user.running -= 1;
      const counts = withWaiting.size > 0 ? countActive() : undefined;
      for (const one of withWaiting) beginWaiting(one, counts);
    };
    const timer = setTimeout(end, isHeavy(user) ? TURN_MS : MAX_WAIT_MS).unref();
    return end;
  }

  function beginWaiting(user: UserTurns, counts?: ReturnType<typeof countActive>): void {
    for (const first of user.waiting) {
      if (mayBegin(user, counts)) first.begin();
      else {
        first.timer ??= setTimeout(() => first.begin(), MAX_WAIT_MS).unref();
        return;
      }
    }
  }

  return {
    async enter(name, signal) {
      const user = turnsOf(name);
      if (user.waiting.size === 0 && mayBegin(user)) return begin(user);
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(one.timer);
          signal.removeEventListener('abort', cancel);
          user.waiting.delete(one);
          if (user.waiting.size === 0) withWaiting.delete(user);
        };
        const cancel = () => {
          leave();
          reject(signal.reason);
          beginWaiting(user);
        };
        const one: WaitingCall = {
          begin() {
            leave();
            resolve(begin(user));
          },
        };
        user.waiting.add(one);
        withWaiting.add(user);
        signal.addEventListener('abort', cancel);
        if (signal.aborted) cancel();
        else beginWaiting(user);
      });
    },
  };
}
