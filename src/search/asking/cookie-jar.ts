import { parseInstant } from '../../lib/time/written-date.ts';

const MAX_COOKIES = 20;
const MAX_COOKIE_CHARS = 2000;
/** Maximum lifetime of a cookie in ms, and the lifetime of a cookie that states none. */
const MAX_AGE_MS = 3_600_000;
/** Matches a cookie's name and value (RFC 6265, section 4.1.1). */
const PAIR = /^([\w!#$%&'*+.^`|~-]{1,200})=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)$/;

interface JarCookie {
  readonly value: string;
  readonly until: number;
}

/** Keeps cookies of engines in memory. All users share the cookies, so that none identifies a user. */
export function createCookieJar(now: () => number = Date.now) {
  const jars = new Map<string, ReadonlyMap<string, JarCookie>>();
  return {
    header(engine: string, own: string | undefined): string | undefined {
      const named = new Map((own ?? '').split('; ').flatMap(pairOf));
      const jar = jars.get(engine) ?? new Map<string, JarCookie>();
      for (const [name, { value, until }] of jar) {
        if (until > now() && !named.has(name)) named.set(name, value);
      }
      return named.size > 0 ? [...named].map((pair) => pair.join('=')).join('; ') : undefined;
    },
    keep(engine: string, lines: readonly string[]): void {
      const jar = new Map(jars.get(engine));
      for (const line of lines) {
        const [first = '', ...attributes] = line.slice(0, 2 * MAX_COOKIE_CHARS).split(';');
        const [pair] = pairOf(first.trim());
        if (!pair || first.length > MAX_COOKIE_CHARS) continue;
        const [name, value] = pair;
        jar.delete(name);
        const age = ageOf(attributes, now());
        if (value === '' || age <= 0) continue;
        jar.set(name, { value, until: now() + Math.min(age, MAX_AGE_MS) });
        const [oldest] = jar.keys();
        if (jar.size > MAX_COOKIES && oldest !== undefined) jar.delete(oldest);
      }
      if (jar.size > 0) jars.set(engine, jar);
      else jars.delete(engine);
    },
    /** Deletes an engine's cookies after a refusal, so that the next request looks like a first visit. */
    forget: (engine: string) => void jars.delete(engine),
  };
}

function pairOf(text: string): [name: string, value: string][] {
  const [, name, value = ''] = PAIR.exec(text) ?? [];
  return name ? [[name, value]] : [];
}

function ageOf(attributes: readonly string[], now: number): number {
  const value = (name: string) =>
    attributes
      .map((one) => one.trim())
      .find((one) => one.toLowerCase().startsWith(`${name}=`))
      ?.slice(name.length + 1);
  const seconds = value('max-age');
  if (seconds !== undefined && /^-?\d{1,12}$/.test(seconds)) return Number(seconds) * 1000;
  const until = parseInstant(value('expires'));
  return until === undefined ? MAX_AGE_MS : until - now;
}
