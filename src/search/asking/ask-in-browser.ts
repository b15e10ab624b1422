import type { OpenInBrowser } from '../../lib/network/fetch.ts';
import { EngineError, type SearchEngine, type SearchQuery } from '../engine.ts';
import { EngineSuspendedError } from './engine-asker.ts';
import { parseRelatedHits } from './engine-client.ts';
import type { EngineOutcome, EngineTask } from './gather-outcomes.ts';
import { createPacer } from './pace.ts';
import type { EngineSuspensions } from './suspensions.ts';

export interface BrowserAskerOptions {
  readonly open: OpenInBrowser;
  readonly suspensions: EngineSuspensions;
}

const MOST_OPENED = 2;
const WAITING_SHARE = 0.25;

export function createBrowserAsker({ open, suspensions }: BrowserAskerOptions) {
  const pacer = createPacer();
  return {
    /** Returns up to `MOST_OPENED` engines that failed and whose result page a browser can open. */
    choose(
      pages: readonly SearchEngine[],
      outcomes: readonly EngineOutcome[],
      query: SearchQuery,
    ): SearchEngine[] {
      const refused = new Set(outcomes.flatMap(({ name, ok }) => (ok ? [] : [name])));
      return pages
        .filter((engine) => refused.has(engine.name) && hasOpenAddress(engine, query))
        .sort((a, b) => Number(a.about.lastResort ?? false) - Number(b.about.lastResort ?? false))
        .slice(0, MOST_OPENED);
    },
    prepare(engine: SearchEngine, query: SearchQuery, timeoutMs: number): EngineTask {
      const { name, about } = engine;
      // A suspended engine may still accept a browser, so a suspension in the browser has its own name.
      const paused = `${name} in a browser`;
      return {
        name,
        async ask(stake, signal) {
          const suspension = (await suspensions.listCurrent()).get(paused);
          if (suspension) throw new EngineSuspendedError(suspension);
          await pacer.waitForTurn(name, {
            pace: about.pace,
            patience: timeoutMs * WAITING_SHARE,
            stake,
            signal,
          });
          try {
            const html = await open(engine.request(query).url, { signal, timeoutMs });
            const hits = parseRelatedHits(engine, html, query);
            suspensions.recordAnswer(paused);
            return { hits, kept: false };
          } catch (error) {
            if (!(error instanceof EngineError) || error.kind === 'refused') throw error;
            const kind = error.kind === 'changed' || error.kind === 'unrelated' ? 'changed' : 'refused';
            const pause = suspensions.suspend(paused, kind, error.message, error.wait);
            throw pause ? new EngineSuspendedError(pause) : error;
          }
        },
      };
    },
  };
}

function hasOpenAddress(engine: SearchEngine, query: SearchQuery): boolean {
  if (!engine.about.resultPage || engine.visit?.request(query)) return false;
  return (engine.request(query).method ?? 'GET') === 'GET';
}
