/** What a fleet is given, and what it takes of each request. Times are in seconds. */
export interface Fleet {
  readonly nodes: number;
  /** Requests that a node works on at the same time: its processors. */
  readonly cores: number;
  /** Connections of a node to the database. */
  readonly connections: number;
  /** Mean times of a request at the node and at the database, each drawn from an exponential distribution. */
  readonly nodeTime: number;
  readonly databaseTime: number;
  /** Requests of all that write: those of one user are done one after the other. */
  readonly writes: number;
  /** Users, of whom the first sends this share of all. */
  readonly users: number;
  readonly heavy: number;
  /** How many times as many requests come in a burst, which takes a tenth of the time. */
  readonly burst: number;
  /** When a node dies, and when it is back; its share goes to the others, and what it worked on is sent again. */
  readonly death?: { readonly at: number; readonly back: number } | undefined;
}

export interface Waited {
  readonly p50: number;
  readonly p99: number;
  /** Requests that were sent again because their node died. */
  readonly again: number;
}

const BURST_SECONDS = 1;

/**
 * Requests that arrive at random, at a share of what the nodes' processors can do, are served first come, first served: by a
 * free processor of the least busy node, then over a free connection of that node.
 */
export function simulateQueue(fleet: Fleet, utilisation: number, requests: number, seed = 1): Waited {
  const random = createRandom(seed);
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const nodes = Array.from({ length: fleet.nodes }, () => ({
    cores: new Array<number>(fleet.cores).fill(0),
    connections: new Array<number>(fleet.connections).fill(0),
  }));
  const rate = (utilisation * fleet.nodes * fleet.cores) / fleet.nodeTime;
  // A tenth of the time at `burst` times the rate of the rest.
  const calm = rate / (0.9 + 0.1 * fleet.burst);
  const writing = new Map<number, number>();
  const times: number[] = [];
  let now = 0;
  let again = 0;

  function serve(arrived: number, user: number, writes: boolean): number {
    const open = nodes.filter((_, at) => !isDead(fleet, at, arrived));
    const node = open.reduce((best, one) => (earliest(one.cores) < earliest(best.cores) ? one : best));
    const begun = occupy(node.cores, arrived, exponential(fleet.nodeTime));
    const free = writes ? Math.max(begun, writing.get(user) ?? 0) : begun;
    const ended = occupy(node.connections, free, exponential(fleet.databaseTime));
    if (writes) writing.set(user, ended);
    const { death } = fleet;
    const dies = death && node === nodes[0] && arrived < death.at && ended > death.at;
    if (!dies) return ended;
    again++;
    return serve(death.at, user, writes);
  }

  for (let count = 0; count < requests; count++) {
    const inBurst = now % (10 * BURST_SECONDS) < BURST_SECONDS;
    now += exponential(1 / (inBurst ? calm * fleet.burst : calm));
    const user = random() < fleet.heavy ? 0 : Math.floor(random() * fleet.users);
    times.push(serve(now, user, random() < fleet.writes) - now);
  }
  times.sort((a, b) => a - b);
  const share = (part: number) => times[Math.floor(part * (times.length - 1))] ?? Number.NaN;
  return { p50: share(0.5), p99: share(0.99), again };
}

function isDead({ death, nodes }: Fleet, node: number, at: number): boolean {
  return death !== undefined && nodes > 1 && node === 0 && at >= death.at && at < death.back;
}

const earliest = (free: readonly number[]) => Math.min(...free);

/** The place that is free first, from then on; returns when the work has ended. */
function occupy(free: number[], from: number, time: number): number {
  const place = free.indexOf(earliest(free));
  const ended = Math.max(from, free[place] ?? 0) + time;
  free[place] = ended;
  return ended;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
