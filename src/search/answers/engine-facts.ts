import type { EngineAbout, SearchEngine } from '../engine.ts';
import engines from './engine-facts.json' with { type: 'json' };

export function describeEngine(
  name: keyof typeof engines,
  more: Partial<EngineAbout> = {},
): Pick<SearchEngine, 'name' | 'about'> {
  return { name, about: { ...(engines[name] as EngineAbout), ...more } };
}
