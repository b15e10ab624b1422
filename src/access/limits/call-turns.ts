/**
 * Gives users turns while several are active, so that many calls of one user do not make the calls of others wait. A call keeps
 * its turn for a short time at most, since a longer one mostly waits for workers or the network.
 */
export interface CallTurns {
  /** Waits until a call of the user may begin. Returns the function that ends its turn. Rejects with the reason of an abort. */
  enter(user: string, signal: AbortSignal): Promise<() => void>;
}

/** Maximum time for which a call of a heavy user keeps its turn, and for which a call counts towards its user's turns. */
const TURN_MS = 100;
/** Maximum time for which a call of a lighter user keeps its turn, and for which the next call of a heavy user waits for it. */
const MAX_WAIT_MS = 250;
/** Time after which a turn counts half. */
const HALF_LIFE_MS = 1000;
/** Sum of recent turns from which a user is heavy: that of a user who has a turn half of the time. */
const HEAVY_MS = (0.5 * HALF_LIFE_MS) / Math.LN2;
/** Time since a user's last call after which the user is no longer active. */
const ACTIVE_MS = 1000;

interface UserTurns {
  running: number;
  /** Sum of the turns in milliseconds, as it was at `at`. It decays. */
  used: number;
  at: number;
  readonly waiting: Set<Waiting>;
}

interface Waiting {
  begin(): void;
  timer?: NodeJS.Timeout;
}

/**
 * While others are active, the calls of a heavy user begin one after the other, each once no call of a lighter user has a turn.
 */
export function createCallTurns(now: () => number): CallTurns {
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

  function mayBegin(user: UserTurns): boolean {
    if (!isHeavy(user)) return true;
    const others = [...users.values()].filter((other) => other !== user && isActive(other));
    if (others.length === 0) return true;
    return user.running === 0 && !others.some((other) => other.running > 0 && !isHeavy(other));
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
      for (const one of withWaiting) beginWaiting(one);
    };
    const timer = setTimeout(end, isHeavy(user) ? TURN_MS : MAX_WAIT_MS).unref();
    return end;
  }

  function beginWaiting(user: UserTurns): void {
    for (const first of user.waiting) {
      if (mayBegin(user)) first.begin();
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
        const one: Waiting = {
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
