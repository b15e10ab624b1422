import { defined } from '../../lib/defined.ts';
import type { SearchEngine } from '../engine.ts';
import type { EngineHealth } from '../types.ts';
import { profileEngine } from './engine-profile.ts';
import type { Outcome } from './gather.ts';
import { LOCAL } from './stopping-rules.ts';
import type { Suspensions } from './suspensions.ts';

export interface Health {
  note(outcomes: readonly Outcome[]): void;
  read(): Promise<EngineHealth[]>;
}

export function createHealth(
  engines: readonly SearchEngine[],
  suspensions: Pick<Suspensions, 'listCurrent'>,
): Health {
  const last = new Map<string, NonNullable<EngineHealth['last']>>();
  return {
    note(outcomes: readonly Outcome[]): void {
      for (const { name, ok, reason, ms, hits, kept } of outcomes) {
        if (!kept && name !== LOCAL) last.set(name, { at: Date.now(), ok, reason, ms, hits: hits.length });
      }
    },
    async read(): Promise<EngineHealth[]> {
      const paused = await suspensions.listCurrent();
      return engines.map((engine) =>
        defined({
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
