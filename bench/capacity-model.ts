/** What users do, and how a fleet is run. */
export interface Assumptions {
  /** Of each user and day. */
  readonly inserts: number;
  readonly queries: number;
  readonly searches: number;
  readonly scans: number;
  readonly probes: number;
  /** Passages of an insert. */
  readonly passages: number;
  /** Days that are kept. */
  readonly days: number;
  /** The busiest hour, as so many times the mean. */
  readonly peak: number;
  /** Share of processors that is used in that hour. */
  readonly utilisation: number;
  /** Share of users whose passages are read within a day. */
  readonly active: number;
}

/** Milliseconds of node and of database of one operation, and bytes to the log. */
export interface OperationCost {
  readonly node: number;
  readonly database: number;
  readonly log: number;
}

export interface Costs {
  readonly insert: OperationCost;
  readonly query: OperationCost;
  readonly search: OperationCost;
  readonly scan: OperationCost;
  readonly probe: OperationCost;
  /** Bytes of a passage in the database, and those of it that a question reads. */
  readonly passageBytes: number;
  readonly hotBytes: number;
  readonly nodeMb: number;
}

/** What one machine gives. */
export interface Machine {
  readonly nodeCores: number;
  readonly databaseCores: number;
  readonly databaseMemory: number;
  readonly databaseDisk: number;
  readonly logPerSecond: number;
  readonly connections: number;
}

export interface Needs {
  readonly users: number;
  readonly requests: number;
  readonly nodeCores: number;
  readonly nodes: number;
  readonly databaseCores: number;
  readonly stored: number;
  readonly log: number;
  readonly connections: number;
  readonly memory: number;
  /** Databases of that machine. */
  readonly databases: number;
  /** What one database has least of, and how many times one machine is needed. */
  readonly first: { readonly what: Resource; readonly times: number };
}

export type Resource = 'processor' | 'disk' | 'log' | 'connections' | 'memory';

const DAY_SECONDS = 86_400;
/** The pool's, and one for notices. */
export const NODE_CONNECTIONS = 11;

export function needsOf(users: number, a: Assumptions, costs: Costs, machine: Machine): Needs {
  const perSecond = (daily: number) => (users * daily * a.peak) / DAY_SECONDS;
  // Probes are spread over the day.
  const rates: readonly (readonly [number, OperationCost])[] = [
    [perSecond(a.inserts * a.passages), costs.insert],
    [perSecond(a.queries), costs.query],
    [perSecond(a.searches), costs.search],
    [perSecond(a.scans), costs.scan],
    [(users * a.probes) / DAY_SECONDS, costs.probe],
  ];
  const sum = (of: (cost: OperationCost) => number) =>
    rates.reduce((all, [rate, cost]) => all + rate * of(cost), 0);
  const nodeCores = sum(({ node }) => node) / 1000 / a.utilisation;
  const databaseCores = sum(({ database }) => database) / 1000 / a.utilisation;
  const nodes = Math.max(1, Math.ceil(nodeCores / machine.nodeCores));
  const passages = users * a.inserts * a.passages * a.days;
  const stored = passages * costs.passageBytes;
  const memory = passages * a.active * costs.hotBytes;
  const log = sum((cost) => cost.log);
  const connections = nodes * NODE_CONNECTIONS;
  const shares: readonly (readonly [Resource, number])[] = [
    ['processor', databaseCores / machine.databaseCores],
    ['disk', stored / machine.databaseDisk],
    ['log', log / machine.logPerSecond],
    ['connections', connections / machine.connections],
    ['memory', memory / machine.databaseMemory],
  ];
  const [what, times] = shares.reduce((most, one) => (one[1] > most[1] ? one : most));
  const requests = perSecond(a.inserts + a.queries + a.searches + a.scans);
  return {
    ...{ users, requests, nodeCores, nodes, databaseCores, stored, log, connections, memory },
    databases: Math.max(1, Math.ceil(times)),
    first: { what, times },
  };
}
