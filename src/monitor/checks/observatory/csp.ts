/** Content-Security-Policy as the HTTP Observatory reads it. */

export type CspVerdict =
  | 'missing'
  | 'invalid'
  | 'unsafe-inline'
  | 'insecure-scheme'
  | 'unsafe-eval'
  | 'insecure-passive'
  | 'unsafe-style'
  | 'repeated'
  | 'good'
  | 'strict';

export interface CspReading {
  readonly verdict: CspVerdict;
  /** Whether the header (a meta element may not) says who may frame the page. */
  readonly framing: boolean;
}

type Directives = Map<string, Set<string>>;

/** Sources that let in about everybody. */
const BROAD = new Set(['ftp:', 'http:', 'https:', '*', 'http://*', 'http://*.*', 'https://*', 'https://*.*']);
const INLINE = new Set(["'unsafe-inline'", 'data:']);
/** The shortest directive there could be, less one character. */
const SHORTEST = 6;
/** What may stand in a header only. */
const HEADER_ONLY = ['frame-ancestors', 'report-uri', 'sandbox'];
const REPEATABLE = new Set(['report-uri', 'report-to']);
const PASSIVE = ['img-src', 'media-src'];
/** No directive has a blank in its name. */
const REPEATED = 'said twice';
const PASSED = new Set<CspVerdict>(['good', 'strict', 'unsafe-style', 'insecure-passive']);

/** Judges the policies of a page: those of its headers and those of its meta elements. */
export function readCsp(headers: readonly string[], metas: readonly string[], secure: boolean): CspReading {
  const [own, all] = [parse(headers), parse([...headers, ...metas])];
  const framing = own?.has('frame-ancestors') === true;
  if (!all) return { verdict: 'invalid', framing: false };
  const inMeta = parse(metas) ?? new Map();
  for (const name of HEADER_ONLY) inMeta.delete(name);
  if ((own?.size ?? 0) + inMeta.size === 0) return { verdict: 'missing', framing };
  const verdict = judge(all, secure);
  // Where to report said twice is a slip that costs what was to be gained.
  return { verdict: all.has(REPEATED) && PASSED.has(verdict) ? 'repeated' : verdict, framing };
}

function judge(csp: Directives, secure: boolean): CspVerdict {
  const of = (name: string) => new Set(csp.get(name) ?? csp.get('default-src') ?? ['*']);
  const [script, style, object] = [of('script-src'), of('style-src'), of('object-src')];
  for (const sources of [script, style]) if (hasNonce(sources)) sources.delete("'unsafe-inline'");
  if (script.has("'strict-dynamic'")) {
    if (!hasNonce(script)) return 'invalid';
    // With it browsers pass over whatever names a place.
    for (const source of script) {
      if (source === "'self'" || [...BROAD].some((broad) => source.startsWith(broad))) script.delete(source);
    }
  }
  if (some(script, isLoose) || some(object, isBroad)) return 'unsafe-inline';
  const active = [...csp].flatMap(([name, sources]) =>
    name === 'script-src' || PASSIVE.includes(name) ? [] : [...sources],
  );
  if (secure && [...active, ...script].some(isInsecure)) return 'insecure-scheme';
  if (script.has("'unsafe-eval'") || style.has("'unsafe-eval'")) return 'unsafe-eval';
  const passive = PASSIVE.flatMap((name) => [...(csp.get(name) ?? csp.get('default-src') ?? [])]);
  if (secure && passive.some(isInsecure)) return 'insecure-passive';
  if (some(style, isLoose)) return 'unsafe-style';
  const fallback = csp.get('default-src');
  return fallback?.size === 1 && fallback.has("'none'") ? 'strict' : 'good';
}

const isBroad = (source: string) => BROAD.has(source);
const isLoose = (source: string) => BROAD.has(source) || INLINE.has(source);
const isInsecure = (source: string) => source.startsWith('http:') || source.startsWith('ftp:');

function some(sources: Iterable<string>, is: (source: string) => boolean): boolean {
  for (const source of sources) if (is(source)) return true;
  return false;
}

function hasNonce(sources: Iterable<string>): boolean {
  return some(sources, (source) => /^'(?:nonce|sha256|sha384|sha512)-/.test(source));
}

/**
 * All policies hold at once, so a source counts when each policy that has its directive lets it in. Undefined when one
 * says nothing, or has a directive twice: browsers take the first, but it is a mistake.
 */
function parse(policies: readonly string[]): Directives | undefined {
  const together: Directives = new Map();
  for (const policy of policies) {
    const text = policy.trim();
    if (text.length < SHORTEST) return undefined;
    const seen: Directives = new Map();
    for (const part of text.split(';')) {
      const [first = '', ...sources] = part.trim().split(/\s+/);
      const name = first.toLowerCase();
      if (name === '') continue;
      if (seen.has(name)) {
        if (!REPEATABLE.has(name)) return undefined;
        seen.set(REPEATED, new Set());
        continue;
      }
      const said = sources.map((source) => source.toLowerCase());
      seen.set(name, new Set(said.length === 0 && name.endsWith('-src') ? ["'none'"] : said));
    }
    for (const [name, sources] of seen) {
      const before = together.get(name);
      const both = before && new Set([...before].filter((source) => sources.has(source)));
      together.set(name, !both ? sources : both.size > 0 ? both : new Set(["'none'"]));
    }
  }
  return together;
}
