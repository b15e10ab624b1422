import written from './verify-services.json' with { type: 'json' };

/** Request that checks a token without changing anything. `{token}` stands for the token. */
export interface VerifyService {
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
export type TokenVerdict = 'live' | 'refused' | 'unknown';

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

export function findVerifyService(rule: string, token?: string): VerifyService | undefined {
  return byRule
    .get(rule)
    ?.find(({ service: { takes } }) => token === undefined || !takes || takes.test(token))?.service;
}

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
