import type { SearchEngine } from '../engine.ts';

/** Minimum length of a key that is masked. A shorter key may be an ordinary word of a page. */
const MIN_KEY_CHARS = 8;
const MASK = '[key]';

/** Wraps an engine so that its key is masked in answers before parsing. A service or proxy might echo the key. */
export function maskKeyInAnswers(engine: SearchEngine, key: string): SearchEngine {
  if (key.length < MIN_KEY_CHARS) return engine;
  return { ...engine, parse: (body, query) => engine.parse(body.replaceAll(key, MASK), query) };
}
