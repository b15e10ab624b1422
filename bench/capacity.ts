import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Amount, type Cost, type Measured, measureCosts } from './capacity-costs.ts';
import {
  type Assumptions,
  type Costs,
  type Machine,
  type Needs,
  needsOf,
  type OperationCost,
  type Resource,
} from './capacity-model.ts';
import { type Fleet, simulateQueue } from './capacity-queue.ts';
import { printTable, whole } from './figures.ts';

/**
 * What an operation costs on both drivers, measured through HTTP, and from it what 1 to 10^8 users need, what is short first, and how
 * long requests wait. `DATABASE_URL=postgres://... npm run bench -- capacity` on an empty database of its own, whose server runs on this
 * machine and does nothing else; `--costs <file>` takes what an earlier run has kept there (and keeps it where there is none).
 * `--measured <n>` inserts, pages watched for `--probed <seconds>`; `--short`: the least of all. What is assumed are flags: see `OPTIONS`.
 */

/** Of each user and day, and of the machines. */
const OPTIONS = {
  inserts: '5',
  passages: '2',
  queries: '10',
  searches: '3',
  scans: '0.05',
  probes: '100',
  days: '365',
  peak: '4',
  utilisation: '0.6',
  active: '0.1',
  'node-cores': '4',
  'database-cores': '64',
  'database-memory-gb': '512',
  'database-disk-tb': '30',
  'log-mb': '200',
  connections: '1000',
} as const;
type Option = keyof typeof OPTIONS;

const USERS = [1, 1e3, 1e6, 1e8];
const FULL: Amount = {
  inserts: 300,
  searches: 15,
  scans: 3,
  monitors: 40,
  probedSeconds: 30,
  quietMs: 1500,
};
/** Says whether all of it works, and no figure of worth. */
const SHORT: Amount = { inserts: 2, searches: 1, scans: 1, monitors: 1, probedSeconds: 0, quietMs: 90 };
/** Of a passage's bytes those that a question reads: words and vectors with their indexes, beside texts. */
const HOT_SHARE = 0.75;
/** Requests of each kind that are simulated. */
const [REQUESTS, SHORT_REQUESTS] = [60_000, 600];
const GB = 1024 ** 3;

export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      costs: { type: 'string' },
      measured: { type: 'string', default: String(FULL.inserts) },
      probed: { type: 'string', default: String(FULL.probedSeconds) },
      short: { type: 'boolean', default: false },
      ...Object.fromEntries(
        Object.entries(OPTIONS).map(([name, value]) => [name, { type: 'string', default: value }]),
      ),
    } as const,
  });
  const number = (name: Option): number => {
    const value = Number((values as Record<string, unknown>)[name]);
    if (!(value > 0)) throw new Error(`--${name} takes a number above 0, not ${JSON.stringify(value)}`);
    return value;
  };
  const asked = { ...FULL, inserts: Number(values.measured), probedSeconds: Number(values.probed) };
  const measured = await costsOf(values.costs, values.short ? SHORT : asked);
  if (!measured) {
    process.stdout.write('\n## capacity: left out, DATABASE_URL names no database\n');
    return;
  }
  printCosts(measured);
  const postgres = measured.find(({ driver }) => driver === 'PostgreSQL');
  if (!postgres) return;
  const costs = modelCosts(postgres);
  printNeeds(assumptionsOf(number), costs, machineOf(number));
  printWaits(costs, number('node-cores'), values.short ? SHORT_REQUESTS : REQUESTS);
}

async function costsOf(file: string | undefined, amount: Amount): Promise<readonly Measured[] | undefined> {
  const kept = file === undefined ? undefined : readIfThere(file);
  if (kept !== undefined) return JSON.parse(kept);
  const url = process.env.DATABASE_URL;
  if (!url?.startsWith('postgres')) return undefined;
  const measured: Measured[] = [];
  for (const driver of [undefined, url]) measured.push(await measureCosts(driver, amount));
  if (file !== undefined) writeFileSync(file, JSON.stringify(measured));
  return measured;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function printCosts(measured: readonly Measured[]): void {
  process.stdout.write(
    '\n## capacity: an operation through HTTP: processor time, and bytes to the log (PostgreSQL) or to files (SQLite)\n\n',
  );
  const ofDriver = (name: Measured['driver'], at: number) =>
    measured.find(({ driver }) => driver === name)?.costs[at];
  const shown = (cost: Cost | undefined, of: (cost: Cost) => string) => (cost ? of(cost) : '-');
  printTable(
    ['operation', 'SQLite: node ms', 'bytes', 'PostgreSQL: node ms', 'database ms', 'bytes'],
    (measured[0]?.costs ?? []).map(({ operation }, at) => {
      const [file, server] = [ofDriver('SQLite', at), ofDriver('PostgreSQL', at)];
      return [
        operation,
        shown(file, ({ nodeMs }) => nodeMs.toFixed(1)),
        shown(file, ({ written }) => whole(written)),
        shown(server, ({ nodeMs }) => nodeMs.toFixed(1)),
        shown(server, ({ databaseMs }) => databaseMs.toFixed(2)),
        shown(server, ({ written }) => whole(written)),
      ];
    }),
  );
  process.stdout.write('\n');
  printTable(
    ['', ...measured.map(({ driver }) => driver)],
    [
      ['bytes of a passage in the database', ...measured.map(({ passageBytes }) => whole(passageBytes))],
      ['resident MB of the node at the end', ...measured.map((one) => whole(one.residentMb))],
    ],
  );
}

function modelCosts({ costs, passageBytes, residentMb }: Measured): Costs {
  const of = (begins: string): OperationCost => {
    const cost = costs.find(({ operation }) => operation.startsWith(begins));
    if (!cost) throw new Error(`no cost of ${begins} was measured`);
    return { node: cost.nodeMs, database: cost.databaseMs, log: cost.written };
  };
  return {
    ...{
      insert: of('insert'),
      query: of('query'),
      search: of('search'),
      scan: of('scan'),
      probe: of('probe'),
    },
    ...{ passageBytes, hotBytes: HOT_SHARE * passageBytes, nodeMb: residentMb },
  };
}

function assumptionsOf(number: (name: Option) => number): Assumptions {
  const [inserts, passages, queries] = [number('inserts'), number('passages'), number('queries')];
  const [searches, scans, probes] = [number('searches'), number('scans'), number('probes')];
  const [days, peak, utilisation, active] = [
    number('days'),
    number('peak'),
    number('utilisation'),
    number('active'),
  ];
  return { inserts, passages, queries, searches, scans, probes, days, peak, utilisation, active };
}

function machineOf(number: (name: Option) => number): Machine {
  return {
    nodeCores: number('node-cores'),
    databaseCores: number('database-cores'),
    databaseMemory: number('database-memory-gb') * GB,
    databaseDisk: number('database-disk-tb') * 1000 * GB,
    logPerSecond: number('log-mb') * 1e6,
    connections: number('connections'),
  };
}

/** What to add where a resource is short. */
const ADDED: Readonly<Record<Resource, string>> = {
  processor: 'read replicas of questions, then databases by owner',
  disk: 'databases by owner',
  log: 'databases by owner',
  connections: 'fewer and larger nodes, or a pooler in session mode',
  memory: 'databases by owner',
};

function printNeeds(assumptions: Assumptions, costs: Costs, machine: Machine): void {
  process.stdout.write(
    `\n## capacity: what users need at the busiest hour, ${JSON.stringify(assumptions)}\n\n`,
  );
  const needs = USERS.map((users) => needsOf(users, assumptions, costs, machine));
  const row = (name: string, show: (one: Needs) => string) => [name, ...needs.map(show)];
  printTable(
    ['users', ...USERS.map(whole)],
    [
      row('requests/s', ({ requests }) => amount(requests)),
      row(`nodes of ${machine.nodeCores} processors`, ({ nodes }) => whole(nodes)),
      row('processors of nodes', ({ nodeCores }) => amount(nodeCores)),
      row('memory of nodes, GB', ({ nodes }) => amount((nodes * costs.nodeMb) / 1024)),
      row('processors of databases', ({ databaseCores }) => amount(databaseCores)),
      row('stored, GB', ({ stored }) => amount(stored / GB)),
      row('read in a day, GB', ({ memory }) => amount(memory / GB)),
      row('log, MB/s', ({ log }) => amount(log / 1e6)),
      row('connections', ({ connections }) => whole(connections)),
      row('databases of one machine each', ({ databases }) => whole(databases)),
      row('short first in one database', ({ first }) => `${first.what}, ${amount(first.times)} times`),
      row('to add', ({ first }) => (first.times > 1 ? ADDED[first.what] : '-')),
    ],
  );
}

function amount(value: number): string {
  return value >= 100 ? whole(value) : Number(value.toPrecision(2)).toString();
}

/** Waits of two to eight nodes, by how much of their processors is used. */
function printWaits(costs: Costs, cores: number, requests: number): void {
  const fleet: Fleet = {
    ...{ nodes: 4, cores, connections: NODE_POOL },
    nodeTime: costs.query.node / 1000,
    databaseTime: costs.query.database / 1000,
    ...{ writes: 0.3, users: 1000, heavy: 0, burst: 1 },
  };
  const dies = { at: 20, back: 30 };
  const kinds: readonly (readonly [string, Partial<Fleet>])[] = [
    ['arriving at random', {}],
    ['bursts of three times as many', { burst: 3 }],
    ['a user who sends a fifth of all', { heavy: 0.2 }],
    ['one node of four is dead for 10 s', { death: dies }],
    ['all of these', { burst: 3, heavy: 0.2, death: dies }],
  ];
  const shares = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9];
  process.stdout.write(
    `\n## capacity: p50 / p99 of a request in ms, ${fleet.nodes} nodes of ${cores} processors, by how much of them is used (${whole(requests)} requests simulated each)\n\n`,
  );
  printTable(
    ['', ...shares.map((share) => `${share * 100} %`)],
    kinds.map(([name, kind]) => [
      name,
      ...shares.map((share) => {
        const { p50, p99 } = simulateQueue({ ...fleet, ...kind }, share, requests);
        return `${amount(1000 * p50)} / ${amount(1000 * p99)}`;
      }),
    ]),
  );
}

const NODE_POOL = 10;
