import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type CheckResult,
  isInconclusiveResult,
  type MonitorCheck,
} from '../../src/monitor/probing/check.ts';
import type { ProbeContextOptions } from '../../src/monitor/probing/probe-context.ts';
import type { Target } from '../../src/monitor/types.ts';
import { probeContext } from '../helpers/probe-context.ts';
import { AUTHORITY } from '../helpers/tls-site.ts';

/** Something real that a check probes, and what ends it. */
export interface Sample {
  readonly target: Target;
  /** Host:port pairs, or hosts, that the probe may reach. */
  readonly allow: readonly string[];
  readonly context?: Partial<ProbeContextOptions>;
  close(): Promise<unknown>;
}

/** Servers for one check; each test makes its own. */
export interface CheckSamples {
  /** Nothing is wrong with it. */
  good(): Promise<Sample>;
  /** Something is wrong with it: the rules that the check has to find. */
  bad(): Promise<Sample & { readonly rules: readonly string[] }>;
  /** It cannot be checked: the check returns `Unseen`, or throws. Left out where a check always sees something. */
  gone?(): Promise<Sample>;
}

/** What every check of monitoring does. */
export function describeMonitorCheck(check: MonitorCheck, samples: CheckSamples): void {
  describe(`the check ${check.name}`, () => {
    const endings: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const end of endings.splice(0)) await end();
    });

    async function run({ target, allow, context, close }: Sample, signal = AbortSignal.timeout(60_000)) {
      endings.push(close);
      expect(check.wants(target)).toBe(true);
      return check.run(
        target,
        probeContext({
          infrastructure: { allow, authority: readFileSync(AUTHORITY, 'utf8') },
          signal,
          ...context,
        }),
      );
    }

    const idsOf = (result: CheckResult) => result.problems.map(({ rule }) => rule.id);

    test('reports no finding for a good target', async () => {
      const result = await run(await samples.good());
      if (isInconclusiveResult(result)) throw new Error(result.unseen);
      expect(idsOf(result)).toEqual([]);
    });

    test('reports findings of its own rules for a bad target', async () => {
      const sample = await samples.bad();
      const result = await run(sample);
      if (isInconclusiveResult(result)) throw new Error(result.unseen);
      expect(idsOf(result)).toEqual(expect.arrayContaining([...sample.rules]));
      const own = new Set(check.rules.map(({ id }) => id));
      for (const { rule, description } of result.problems) {
        // A scan's findings keep the scan's rules.
        if (check.rules.length > 0) expect(own).toContain(rule.id);
        expect(description).not.toBe('');
      }
    });

    test('reports the same problems under the same subjects again', async () => {
      const subjectsOf = async () => {
        const result = await run(await samples.bad());
        if (isInconclusiveResult(result)) throw new Error(result.unseen);
        return result.problems.map(
          ({ rule, subject = '' }) => `${rule.id} ${subject.replace(/^\d+$/, 'port')}`,
        );
      };
      expect((await subjectsOf()).sort()).toEqual((await subjectsOf()).sort());
    });

    const { gone } = samples;
    if (gone) {
      test('reports no finding for data that it cannot see', async () => {
        const result = await run(await gone()).catch((error: unknown) => ({ unseen: String(error) }));
        expect(result).toMatchObject({ unseen: expect.stringMatching(/./) });
      });
    }

    test('ends when its signal aborts', async () => {
      const stop = new AbortController();
      stop.abort(new Error('enough'));
      const result = await run(await samples.bad(), stop.signal).catch(() => undefined);
      expect(result && !isInconclusiveResult(result) ? idsOf(result) : []).toEqual([]);
    });
  });
}
