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

type Directives = Map<string, Set<string>>;

const BROAD = new Set(['ftp:', 'http:', 'https:', '*', 'http://*', 'http://*.*', 'https://*', 'https://*.*']);
const INLINE = new Set(["'unsafe-inline'", 'data:']);
/** Minimum length of a policy. A shorter text cannot contain a directive. */
const MIN_POLICY_CHARACTERS = 6;
const HEADER_ONLY = ['frame-ancestors', 'report-uri', 'sandbox'];
const REPEATABLE = new Set(['report-uri', 'report-to']);
const PASSIVE = ['img-src', 'media-src'];
const REPEATED = 'said twice';
const PASSED = new Set<CspVerdict>(['good', 'strict', 'unsafe-style', 'insecure-passive']);

export function judgeCsp(headers: readonly string[], metas: readonly string[], secure: boolean) {
  const [own, all] = [parse(headers), parse([...headers, ...metas])];
  // True if a header limits which sites may frame the page. A meta element cannot do that.
  const framing = own?.has('frame-ancestors') === true;
  if (!all) return { verdict: 'invalid' as const, framing: false };
  const inMeta = parse(metas) ?? new Map();
  for (const name of HEADER_ONLY) inMeta.delete(name);
  if ((own?.size ?? 0) + inMeta.size === 0) return { verdict: 'missing' as const, framing };
  const verdict = judge(all, secure);
  // A repeated reporting directive does not make a policy invalid, but it lowers a passing verdict.
  return { verdict: all.has(REPEATED) && PASSED.has(verdict) ? ('repeated' as const) : verdict, framing };
}

function judge(csp: Directives, secure: boolean): CspVerdict {
  const of = (name: string) => new Set(csp.get(name) ?? csp.get('default-src') ?? ['*']);
  const [script, style, object] = [of('script-src'), of('style-src'), of('object-src')];
  for (const sources of [script, style]) if (hasNonce(sources)) sources.delete("'unsafe-inline'");
  if (script.has("'strict-dynamic'")) {
    if (!hasNonce(script)) return 'invalid';
    dropAddresses(script);
  }
  if (some(script, isLoose) || some(object, (source) => BROAD.has(source))) return 'unsafe-inline';
  if (secure && loadsInsecurely(csp, script)) return 'insecure-scheme';
  if (script.has("'unsafe-eval'") || style.has("'unsafe-eval'")) return 'unsafe-eval';
  const passive = PASSIVE.flatMap((name) => [...(csp.get(name) ?? csp.get('default-src') ?? [])]);
  if (secure && passive.some(isInsecure)) return 'insecure-passive';
  if (some(style, isLoose)) return 'unsafe-style';
  const fallback = csp.get('default-src');
  return fallback?.size === 1 && fallback.has("'none'") ? 'strict' : 'good';
}

/** Removes hosts and schemes from the sources, because browsers ignore them beside 'strict-dynamic'. */
function dropAddresses(script: Set<string>): void {
  for (const source of script) {
    if (source === "'self'" || [...BROAD].some((broad) => source.startsWith(broad))) script.delete(source);
  }
}

function loadsInsecurely(csp: Directives, script: ReadonlySet<string>): boolean {
  const active = [...csp].flatMap(([name, sources]) =>
    name === 'script-src' || PASSIVE.includes(name) ? [] : [...sources],
  );
  return [...active, ...script].some(isInsecure);
}

const isLoose = (source: string) => BROAD.has(source) || INLINE.has(source);
const isInsecure = (source: string) => source.startsWith('http:') || source.startsWith('ftp:');

function some(sources: Iterable<string>, is: (source: string) => boolean): boolean {
  for (const source of sources) if (is(source)) return true;
  return false;
}

function hasNonce(sources: Iterable<string>): boolean {
  return some(sources, (source) => /^'(?:nonce|sha256|sha384|sha512)-/.test(source));
}

function parse(policies: readonly string[]): Directives | undefined {
  const together: Directives = new Map();
  for (const policy of policies) {
    const parsed = parseOne(policy);
    if (!parsed) return undefined;
    for (const [name, sources] of parsed) {
      const before = together.get(name);
      const both = before && new Set([...before].filter((source) => sources.has(source)));
      together.set(name, !both ? sources : both.size > 0 ? both : new Set(["'none'"]));
    }
  }
  return together;
}

function parseOne(policy: string): Directives | undefined {
  const text = policy.trim();
  if (text.length < MIN_POLICY_CHARACTERS) return undefined;
  const seen: Directives = new Map();
  for (const part of text.split(';')) {
    const [first = '', ...sources] = part.trim().split(/\s+/);
    const name = first.toLowerCase();
    if (name === '') continue;
    if (!seen.has(name)) seen.set(name, sourcesOf(name, sources));
    else if (REPEATABLE.has(name)) seen.set(REPEATED, new Set());
    else return undefined;
  }
  return seen;
}

function sourcesOf(name: string, sources: readonly string[]): Set<string> {
  if (sources.length === 0 && name.endsWith('-src')) return new Set(["'none'"]);
  return new Set(sources.map((source) => source.toLowerCase()));
}
