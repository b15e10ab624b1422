import { AppError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createOwnWorker } from '../../lib/workers/worker-pool.ts';
import type { JudgedFinding } from '../findings/suppress-findings.ts';
import type { FileTree } from '../trees/tree.ts';
import written from './verify-services.json' with { type: 'json' };
import type { TokenJob } from './verify-tokens.ts';

/** Request that checks a token without changing anything. `{token}` stands for the token. */
interface VerifyService {
  readonly name: string;
  /** Ids of the rules whose tokens the service can check, without the prefix `secrets/`. */
  readonly rules: readonly string[];
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Headers of the request. Without `headers` and `basic`, the token is sent as a bearer token. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly basic?: string;
  readonly body?: string;
  /** Pattern of tokens that the request can check. Other tokens may be refused although they are valid. */
  readonly takes?: RegExp | undefined;
  /** True if a refused token may still be valid, because it may belong to another server or region. */
  readonly elsewhere?: boolean;
  /** For a valid token, the body of an answer with status 200 must match this pattern. Default: any body. */
  readonly live?: RegExp | undefined;
  readonly ended?: RegExp | undefined;
}

/** A service's answer about a token: `live` if valid, `refused` if not accepted, otherwise `unknown`. */
type TokenVerdict = 'live' | 'refused' | 'unknown';

/** Services that can say whether a token is valid. Source: their documentation in November 2026. */
export const VERIFY_SERVICES: readonly VerifyService[] = written.map(
  ({ method, headers, takes, live, ended, ...service }) => ({
    ...service,
    method: method === undefined ? 'GET' : 'POST',
    headers: headers as VerifyService['headers'],
    takes: compile(takes),
    live: compile(live),
    ended: compile(ended),
  }),
);

function compile(pattern: string | undefined): RegExp | undefined {
  return pattern === undefined ? undefined : new RegExp(pattern);
}

const byRule = Map.groupBy(
  VERIFY_SERVICES.flatMap((service) => service.rules.map((rule) => ({ rule: `secrets/${rule}`, service }))),
  ({ rule }) => rule,
);

export const findVerifyService = (rule: string, token?: string): VerifyService | undefined =>
  byRule.get(rule)?.find(({ service: { takes } }) => token === undefined || !takes || takes.test(token))
    ?.service;

export function createVerifyRequest({ url, method, headers, basic, body }: VerifyService, token: string) {
  const insert = (text: string) => text.replace('{token}', () => token);
  const authorization =
    basic === undefined ? `Bearer ${token}` : `Basic ${Buffer.from(insert(basic)).toString('base64')}`;
  return {
    url: url.replace('{token}', () => encodeURIComponent(token)),
    method,
    headers: headers
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, insert(value)]))
      : { authorization, accept: 'application/json' },
    body,
  };
}

export function readTokenVerdict(service: VerifyService, status: number, body: string): TokenVerdict {
  if (status === 401) return service.elsewhere ? 'unknown' : 'refused';
  if (status !== 200) return 'unknown';
  if (!service.live || service.live.test(body)) return 'live';
  return service.ended?.test(body) ? 'refused' : 'unknown';
}

export type TokenVerifier = (
  tree: FileTree,
  findings: readonly JudgedFinding[],
  signal: AbortSignal,
) => Promise<JudgedFinding[]>;

export interface VerifierOptions {
  readonly fetch: GuardedFetch;
  /** Maps names of services to origins that replace the real ones, for example of a local test server. */
  readonly bases?: Readonly<Record<string, string>>;
}

/** Maximum number of tokens checked in one scan. The most severe findings are checked first. */
const MAX_ASKED = 50;
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 100_000;
const READ_MS = 10_000;

/** Sends each token to its service once. A finding gets low severity if all its tokens are refused. */
export function createTokenVerifier({ fetch, bases = {} }: VerifierOptions): TokenVerifier {
  async function ask(service: VerifyService, token: string, signal: AbortSignal): Promise<TokenVerdict> {
    const base = bases[service.name];
    const { url, ...request } = createVerifyRequest(service, token);
    const { pathname, search } = new URL(url);
    const { status, body } = await fetch(base === undefined ? url : base + pathname + search, {
      ...request,
      signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
      allow: base === undefined ? undefined : [new URL(base).host],
    });
    return readTokenVerdict(service, status, new TextDecoder().decode(body));
  }

  const verdictOf = (service: VerifyService, token: string, signal: AbortSignal) =>
    ask(service, token, signal).catch((thrown: unknown): TokenVerdict => {
      signal.throwIfAborted();
      if (thrown instanceof AppError) return 'unknown';
      throw thrown;
    });

  return async (tree, findings, signal) => {
    const asked = findings
      .filter((one) => findVerifyService(one.id) && one.commit === undefined && one.suppressed === undefined)
      .slice(0, MAX_ASKED);
    const tokens = await readTokens(tree, asked, signal);
    const verdicts = new Map<string, TokenVerdict>();
    const said = new Map<JudgedFinding, JudgedFinding>();
    for (const one of asked) {
      const here: TokenVerdict[] = [];
      let name = '';
      for (const token of tokens.get(one) ?? []) {
        const service = findVerifyService(one.id, token);
        const key = `${service?.name} ${token}`;
        if (!service || (!verdicts.has(key) && verdicts.size >= MAX_ASKED)) continue;
        const verdict = verdicts.get(key) ?? (await verdictOf(service, token, signal));
        verdicts.set(key, verdict);
        here.push(verdict);
        name = service.name;
      }
      if (here.length > 0) said.set(one, withVerdict(one, name, joinVerdicts(here)));
    }
    return findings.map((one) => said.get(one) ?? one);
  };
}

function joinVerdicts(verdicts: readonly TokenVerdict[]): TokenVerdict {
  if (verdicts.includes('live')) return 'live';
  return verdicts.every((one) => one === 'refused') ? 'refused' : 'unknown';
}

/** Finds the tokens in the files again, because findings contain no secrets. Uses a worker thread. */
async function readTokens(tree: FileTree, findings: readonly JudgedFinding[], signal: AbortSignal) {
  const files = new Map(tree.files.map((file) => [file.path, file]));
  const tokens = new Map<JudgedFinding, readonly string[]>();
  const pool = createOwnWorker<TokenJob, string[][]>(moduleUrl('./verify-worker.ts', import.meta.url));
  try {
    for (const [path, here] of Map.groupBy(findings, (one) => one.path)) {
      const file = files.get(path);
      // A file that has changed since the scan is skipped. The tokens in the file are not checked.
      const content = file && (await tree.read(file).catch(() => undefined));
      if (!content) continue;
      const places = here.map(({ id, line = 0 }) => ({ rule: id, line }));
      const outcome = await pool.run({ content, places }, READ_MS, signal);
      if (!('answer' in outcome)) continue;
      for (const [at, finding] of here.entries()) tokens.set(finding, outcome.answer[at] ?? []);
    }
  } finally {
    await pool.close();
  }
  return tokens;
}

function withVerdict(one: JudgedFinding, name: string, verdict: TokenVerdict): JudgedFinding {
  if (verdict === 'live')
    return { ...one, description: `${one.description} ${name} accepts it: it is live.` };
  if (verdict === 'refused')
    return {
      ...one,
      severity: 'low',
      description: `${one.description} ${name} does not accept it: it has ended.`,
    };
  return { ...one, description: `${one.description} Whether it is live, ${name} did not say.` };
}
