import { expect, test } from 'vitest';
import { type Assumptions, type Costs, type Machine, needsOf } from '../../bench/capacity-model.ts';
import { type Fleet, simulateQueue } from '../../bench/capacity-queue.ts';

const NOTHING = { node: 0, database: 0, log: 0 };
const costs: Costs = {
  ...{ insert: { node: 20, database: 2, log: 20_000 }, query: { node: 10, database: 5, log: 0 } },
  ...{ search: NOTHING, scan: NOTHING, probe: NOTHING, passageBytes: 4000, hotBytes: 3000, nodeMb: 300 },
};
const assumed: Assumptions = {
  ...{ inserts: 10, queries: 10, searches: 0, scans: 0, probes: 0, passages: 1 },
  ...{ days: 100, peak: 1, utilisation: 0.5, active: 0.1 },
};
const machine: Machine = {
  ...{ nodeCores: 4, databaseCores: 64, databaseMemory: 1e12, databaseDisk: 1e13 },
  ...{ logPerSecond: 1e8, connections: 1000 },
};

test('needs follow from the costs of operations and what users do', () => {
  // 8.64 million users do 1,000 inserts and 1,000 queries a second.
  const needs = needsOf(864_0000, assumed, costs, machine);
  expect(needs).toMatchObject({
    requests: 2000,
    nodeCores: 60,
    nodes: 15,
    databaseCores: 14,
    connections: 165,
  });
  expect(needs.stored).toBe(864_0000 * 10 * 100 * 4000);
  expect(needs.log).toBe(20_000_000);
  // 34.56 TB on disks of 10 TB.
  expect(needs).toMatchObject({ first: { what: 'disk', times: 3.456 }, databases: 4 });
  expect(needsOf(1, assumed, costs, machine)).toMatchObject({ nodes: 1, databases: 1 });
});

const fleet: Fleet = {
  ...{ nodes: 2, cores: 1, connections: 10, nodeTime: 0.01, databaseTime: 0 },
  ...{ writes: 0, users: 1000, heavy: 0, burst: 1 },
};

test('one processor waits as the theory of queues says, and more of them wait less', () => {
  // M/M/1: times are exponential with a mean of 1 / (1 - utilisation) times that of the work; p99 is 4.6 of them.
  const one = simulateQueue({ ...fleet, nodes: 1 }, 0.5, 200_000);
  expect(one.p50).toBeCloseTo(0.02 * Math.LN2, 3);
  expect(one.p99 / (0.02 * Math.log(100))).toBeGreaterThan(0.9);
  expect(one.p99 / (0.02 * Math.log(100))).toBeLessThan(1.1);
  expect(simulateQueue({ ...fleet, nodes: 8 }, 0.5, 50_000).p99).toBeLessThan(one.p99);
  expect(simulateQueue(fleet, 0.9, 50_000).p99).toBeGreaterThan(2 * simulateQueue(fleet, 0.5, 50_000).p99);
});

test('bursts, a user who writes much and a dead node each make requests wait', () => {
  const calm = simulateQueue({ ...fleet, databaseTime: 0.005 }, 0.6, 50_000);
  const waits = (kind: Partial<Fleet>) =>
    simulateQueue({ ...fleet, databaseTime: 0.005, ...kind }, 0.6, 50_000);
  expect(waits({ burst: 3 }).p99).toBeGreaterThan(calm.p99);
  expect(waits({ heavy: 1, writes: 1 }).p99).toBeGreaterThan(calm.p99);
  const dead = waits({ cores: 4, death: { at: 20, back: 40 } });
  expect(dead.p99).toBeGreaterThan(calm.p99);
  expect(dead.again).toBeGreaterThan(0);
});
