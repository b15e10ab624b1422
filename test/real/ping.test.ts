import { expect, test } from 'vitest';
import { reachability } from '../../src/monitor/checks/reachability.ts';
import { isInconclusiveResult } from '../../src/monitor/probing/check.ts';
import { pingAddress } from '../../src/monitor/probing/ping-probe.ts';
import { parseServiceAddress } from '../../src/monitor/targets/target.ts';
import type { Target } from '../../src/monitor/types.ts';
import { probeContext } from '../helpers/probe-context.ts';

/** Pings by the system's own program, which .ci/run installs (iputils) and names in MAGPIE_TEST_PING. */

const programs = [process.env.MAGPIE_TEST_PING ?? ''];
const signal = new AbortController().signal;

test('a machine that answers is up, with the response time of the ping program in milliseconds', async () => {
  const ms = await pingAddress('127.0.0.1', { signal, timeoutMs: 60_000, programs });
  expect(ms).toBeGreaterThan(0);
  const own = { infrastructure: { allow: ['127.0.0.1'] }, pingPrograms: programs };
  const timeouts = { page: 1000, handshake: 1000, connect: 60_000, retry: 1000 };
  const result = await reachability.run(
    parseServiceAddress('ping:127.0.0.1') as Target,
    probeContext({ ...own, timeouts }),
  );
  if (isInconclusiveResult(result)) throw new Error(result.unseen);
  expect(result).toMatchObject({ problems: [], measures: { up: 1, ping_ms: expect.any(Number) } });
});
