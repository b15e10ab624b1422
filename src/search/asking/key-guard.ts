import type { SearchEngine } from '../engine.ts';

/** A shorter key is a word that may well stand in a page. */
const MIN_KEY_CHARS = 8;
const MASK = '[key]';

/** The same engine, blind to its own key: whatever a service or a proxy before it echoes, no hit and no reason shows it. */
export function hidingKey(engine: SearchEngine, key: string): SearchEngine {
  if (key.length < MIN_KEY_CHARS) return engine;
  return { ...engine, parse: (body, query) => engine.parse(body.replaceAll(key, MASK), query) };
}
