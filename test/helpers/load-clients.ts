import { setTimeout as wait } from 'node:timers/promises';
import { type Answered, CALLS, type Call, type Outcome, SURFACES, type Surface } from './load-surfaces.ts';

/**
 * Clients that go on for as long as it takes, each with one piece of work at a time: what is not answered is sent again, to the
 * other node where the connection broke. What was answered is remembered, so that it can be sought afterwards.
 */
export interface Load {
  /** Every call that has ended, in the order of their ends. */
  readonly calls: readonly CallRecord[];
  /** Texts by the ids that inserts were answered with. */
  readonly inserted: ReadonlyMap<string, Kept>;
  /** Ids whose deletion was answered, and those of which it is open. */
  readonly deleted: ReadonlySet<string>;
  readonly deleting: ReadonlySet<string>;
  /** Clients that have ended no round without a failure which began after that time. */
  lagging(time: number): readonly string[];
  /** Lets the clients rest until `work` has ended: what then takes time has the processors for itself. */
  duringRest<T>(work: () => Promise<T>): Promise<T>;
  /** Each client ends the piece of work that it is at. */
  stop(): Promise<void>;
}

export interface CallRecord {
  readonly surface: Surface;
  readonly operation: string;
  readonly node: number;
  readonly at: number;
  readonly ms: number;
  readonly outcome: Outcome;
  readonly detail?: string | undefined;
}

export interface Kept {
  readonly user: string;
  readonly text: string;
}

export interface User {
  readonly name: string;
  readonly key: string;
}

export interface LoadOptions {
  /** Addresses of the nodes; one that is started again may have another. */
  readonly nodes: readonly { readonly url: string }[];
  readonly users: readonly User[];
  readonly clients: number;
}

/** Milliseconds between two calls of a client, and before it sends again what failed. */
const THINK_MS = 200;
const AGAIN_MS = 500;
/** Milliseconds for which a client stays away from a node whose connection broke. */
const AWAY_MS = 3000;
/** A secret that a scan finds, in parts, so that a scan of this file does not. */
const LEAK = `key = "${['AKIA', 'Q3EGKR5W7ZXCVBNM'].join('')}"`;

interface State {
  readonly options: LoadOptions;
  readonly calls: CallRecord[];
  readonly inserted: Map<string, Kept>;
  readonly deleted: Set<string>;
  readonly deleting: Set<string>;
  stopping: boolean;
  /** Resolves when the clients may begin their next round. */
  rest: Promise<void>;
}

interface Client {
  readonly name: string;
  readonly user: User;
  readonly surface: Surface;
  readonly scans: boolean;
  /** Entries of its own that are there. */
  readonly own: { readonly id: string; readonly word: string }[];
  /** The node that it prefers, and when it tries that one again after a connection broke. */
  readonly home: number;
  homeAt: number;
  node: number;
  turn: number;
  failures: number;
  /** When the last round without a failure began. */
  cleanAt: number;
}

export function startLoad(options: LoadOptions): Load {
  const state: State = {
    options,
    calls: [],
    inserted: new Map(),
    deleted: new Set(),
    deleting: new Set(),
    stopping: false,
    rest: Promise.resolve(),
  };
  const clients = Array.from({ length: options.clients }, (_, at): Client => {
    const user = options.users[at % options.users.length] as User;
    return {
      name: `c${at}`,
      user,
      surface: SURFACES[at % SURFACES.length] as Surface,
      // One of each user's.
      scans: at < options.users.length,
      own: [],
      home: at % options.nodes.length,
      homeAt: 0,
      node: at % options.nodes.length,
      turn: 0,
      failures: 0,
      cleanAt: 0,
    };
  });
  const working = clients.map((client) => work(state, client));
  return {
    ...state,
    lagging: (time) =>
      clients.filter(({ cleanAt }) => cleanAt < time).map(({ name, surface }) => `${name} (${surface})`),
    async duringRest(during) {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.rest = promise;
      return during().finally(resolve);
    },
    async stop() {
      state.stopping = true;
      await Promise.all(working);
    },
  };
}

async function work(state: State, client: Client): Promise<void> {
  const { nodes } = state.options;
  const url = () => nodes[client.node]?.url ?? '';
  const call = CALLS[client.surface]({ url, key: client.user.key });
  const until = (operation: string, input: Readonly<Record<string, unknown>>) =>
    callUntilAnswered(state, client, call, operation, input);
  // Not all at once.
  await wait(Math.random() * THINK_MS);
  for (;;) {
    await state.rest;
    if (state.stopping) return;
    const began = performance.now();
    const before = client.failures;
    if (began > client.homeAt) client.node = client.home;
    await round(state, client, until);
    if (client.failures === before) client.cleanAt = began;
  }
}

type Until = (
  operation: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** All that a client does, once; what is not begun when the load stops is left. */
async function round(state: State, client: Client, until: Until): Promise<void> {
  const steps = [insert, find, remove, list, ...(client.scans ? [scan] : [])];
  for (const step of steps) {
    if (state.stopping) return;
    await step(state, client, until);
    await wait(THINK_MS);
  }
}

/** Undefined where it was answered with what it should not be. */
async function callUntilAnswered(
  state: State,
  client: Client,
  call: Call,
  operation: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (;;) {
    const { node, surface } = client;
    const at = performance.now();
    const { outcome, detail, output }: Answered = await call(operation, input);
    state.calls.push({ surface, operation, node, at, ms: performance.now() - at, outcome, detail });
    if (outcome === 'ok') return output;
    client.failures++;
    if (outcome === 'wrong' || outcome === 'late') return undefined;
    if (outcome === 'gone') {
      client.homeAt = performance.now() + AWAY_MS;
      client.node = (node + 1) % state.options.nodes.length;
    }
    await wait(AGAIN_MS);
  }
}

/** An answer that is not what it should be counts as a wrong one. */
function complain(state: State, client: Client, operation: string, detail: string): void {
  const { surface, node } = client;
  client.failures++;
  state.calls.push({ surface, operation, node, at: performance.now(), ms: 0, outcome: 'wrong', detail });
}

async function insert(state: State, client: Client, until: Until): Promise<void> {
  const { name, user, own } = client;
  const word = `${name}w${++client.turn}x`;
  const text = `Client ${name} keeps the fact ${word} about magpies`;
  const output = await until('upsert', { q: text });
  if (!output) return;
  const { id } = output as { id: string };
  const known = state.inserted.get(id);
  if (known) complain(state, client, 'upsert', `${id} is of ${known.text} and of ${text}`);
  state.inserted.set(id, { user: user.name, text });
  own.push({ id, word });
}

async function find(state: State, client: Client, until: Until): Promise<void> {
  const sought = client.own[Math.floor(Math.random() * client.own.length)];
  if (!sought) return;
  const output = await until('query', { q: sought.word, topK: '5' });
  if (!output) return;
  const { matches } = output as { matches: { id: string }[] };
  if (matches.some(({ id }) => id === sought.id)) return;
  complain(state, client, 'query', `${sought.word} did not find ${sought.id}: ${JSON.stringify(output)}`);
}

async function remove(state: State, client: Client, until: Until): Promise<void> {
  // Half as often as it inserts.
  if (client.turn % 2 === 0 || client.own.length < 3) return;
  const [{ id } = { id: '' }] = client.own.splice(0, 1);
  state.deleting.add(id);
  if (!(await until('deleteEntry', { id }))) return;
  state.deleting.delete(id);
  state.deleted.add(id);
}

async function list(_: State, __: Client, until: Until): Promise<void> {
  await until('listEntries', { limit: '5' });
}

interface ScanBody {
  readonly data: {
    readonly scan_id: string;
    readonly status: string;
    readonly reason?: string;
    readonly vulnerabilities: readonly unknown[];
  };
}

/** A text stays with its node, so its scan may fail with what this one stands on: it says so, and what to do. */
function notePlainFailure(state: State, client: Client, reason = ''): void {
  if (!/try again$|start the scan again$|was stopped/.test(reason)) {
    complain(state, client, 'getScan', `a scan failed: ${reason}`);
    return;
  }
  client.failures++;
}

/** A scan that runs behind the answer, until it has ended: one secret is found once. */
async function scan(state: State, client: Client, until: Until): Promise<void> {
  const accepted = await until('scan', { text: LEAK, file: 'app.py', background: true });
  if (!accepted) return;
  const { scan_id } = (accepted as unknown as ScanBody).data;
  for (;;) {
    const output = await until('getScan', { scan_id });
    if (!output) return;
    const { status, reason, vulnerabilities } = (output as unknown as ScanBody).data;
    if (status === 'completed') {
      if (vulnerabilities.length !== 1) complain(state, client, 'getScan', JSON.stringify(vulnerabilities));
      return;
    }
    if (status === 'failed') return notePlainFailure(state, client, reason);
    await wait(THINK_MS);
  }
}
