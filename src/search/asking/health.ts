import { omitUndefined } from '../../lib/omit-undefined.ts';
import type { SearchEngine } from '../engine.ts';
import type { EngineHealth } from '../types.ts';
import { profileEngine } from './engine-profile.ts';
import type { EngineOutcome } from './gather-outcomes.ts';
import { LOCAL_ENGINE } from './stopping-rules.ts';
import type { EngineSuspensions } from './suspensions.ts';

export type EngineHealthLog = ReturnType<typeof createEngineHealthLog>;

export function createEngineHealthLog(
  engines: readonly SearchEngine[],
  suspensions: Pick<EngineSuspensions, 'listCurrent'>,
) {
  const last = new Map<string, NonNullable<EngineHealth['last']>>();
  return {
    note(outcomes: readonly EngineOutcome[]): void {
      for (const { name, ok, reason, ms, hits, kept } of outcomes) {
        if (!kept && name !== LOCAL_ENGINE)
          last.set(name, { at: Date.now(), ok, reason, ms, hits: hits.length });
      }
    },
    async read(): Promise<EngineHealth[]> {
      const paused = await suspensions.listCurrent();
      return engines.map((engine) =>
        omitUndefined({
          name: engine.name,
          about: profileEngine(engine),
          pausedUntil: paused.get(engine.name)?.until,
          pausedWhy: paused.get(engine.name)?.reason,
          last: last.get(engine.name),
        }),
      );
    },
  };
}
