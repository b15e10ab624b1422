import type { SearchEngine } from '../engine.ts';

/** Minimum length of a key that is masked. A shorter key may be an ordinary word. */
const MIN_KEY_CHARS = 8;
const MASK = '[key]';

/** Masks an engine's key in answers before parsing, because a service or proxy may repeat the key. */
export function maskKeyInAnswers(engine: SearchEngine, key: string): SearchEngine {
  if (key.length < MIN_KEY_CHARS) return engine;
  return { ...engine, parse: (body, query) => engine.parse(body.replaceAll(key, MASK), query) };
}
