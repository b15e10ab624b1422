import type { EngineDescription, SearchEngine } from '../engine.ts';
import engines from './engine-facts.json' with { type: 'json' };

export function describeEngine(
  name: keyof typeof engines,
  more: Partial<EngineDescription> = {},
): Pick<SearchEngine, 'name' | 'about'> {
  return { name, about: { ...(engines[name] as EngineDescription), ...more } };
}
