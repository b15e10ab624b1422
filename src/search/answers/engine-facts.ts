import type { EngineAbout, SearchEngine } from '../engine.ts';
import engines from './engine-facts.json' with { type: 'json' };

/** Returns an engine's name and its entry in `engine-facts.json`. `more` holds what depends on the options of the engine. */
export function describeEngine(
  name: keyof typeof engines,
  more: Partial<EngineAbout> = {},
): Pick<SearchEngine, 'name' | 'about'> {
  return { name, about: { ...(engines[name] as EngineAbout), ...more } };
}
