import type { SearchEngine } from './engine.ts';

/** A shorter key is a word that may well stand in a page. */
const MIN_KEY_CHARS = 8;
const MASK = '[key]';

/** The same engine, blind to its own key: whatever a service or a proxy before it echoes, no hit and no reason shows it. */
export function hidingKey(engine: SearchEngine, key: string): SearchEngine {
  // Of `cx:key` only the second part is secret, and it may be echoed alone.
  const secrets = [key, key.slice(key.lastIndexOf(':') + 1)].filter(({ length }) => length >= MIN_KEY_CHARS);
  const masked = (body: string) => secrets.reduce((text, secret) => text.replaceAll(secret, MASK), body);
  return { ...engine, parse: (body, query) => engine.parse(masked(body), query) };
}
