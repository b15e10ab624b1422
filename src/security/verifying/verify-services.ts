export interface VerifyService {
  readonly name: string;
  readonly rules: readonly string[];
  readonly base: string;
  /** Path of a request that returns the owner of a token and changes nothing. */
  readonly path: string;
  readonly method?: 'POST';
  readonly headers: (token: string) => Readonly<Record<string, string>>;
  /** Matches tokens that this request can check. It would refuse valid tokens whose only use is to renew other tokens. */
  readonly takes?: RegExp;
  /** True if a token may belong to another server of the same software. A refused token may then still be valid. */
  readonly elsewhere?: true;
  /** Reads the verdict from the response body. For a service that always answers with status 200. */
  readonly says?: (body: string) => TokenVerdict;
}

/** Answer of a service about a token: `live` means valid, `refused` not accepted, `unknown` any other answer. */
export type TokenVerdict = 'live' | 'refused' | 'unknown';

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, accept: 'application/json' });

/** Services that can say whether a token is valid. Source: their documentation in November 2026. */
export const VERIFY_SERVICES: readonly VerifyService[] = [
  {
    name: 'GitHub',
    rules: ['secrets/github-token', 'secrets/github-fine-grained-token'],
    takes: /^(?:gh[pou]_|github_pat_)/,
    base: 'https://api.github.com',
    path: '/user',
    headers: bearer,
  },
  {
    name: 'gitlab.com',
    rules: ['secrets/gitlab-token'],
    takes: /^glpat-/,
    base: 'https://gitlab.com',
    path: '/api/v4/personal_access_tokens/self',
    headers: (token) => ({ 'private-token': token }),
    elsewhere: true,
  },
  {
    name: 'npm',
    rules: ['secrets/npm-token'],
    base: 'https://registry.npmjs.org',
    path: '/-/whoami',
    headers: bearer,
  },
  {
    name: 'Slack',
    rules: ['secrets/slack-token'],
    takes: /^xox[abp]-/,
    base: 'https://slack.com',
    path: '/api/auth.test',
    method: 'POST',
    headers: bearer,
    says: (body) => {
      if (/"ok"\s{0,5}:\s{0,5}true/.test(body)) return 'live';
      return /"(?:invalid_auth|token_revoked|token_expired|account_inactive)"/.test(body)
        ? 'refused'
        : 'unknown';
    },
  },
  {
    name: 'Stripe',
    rules: ['secrets/stripe-key'],
    base: 'https://api.stripe.com',
    path: '/v1/account',
    headers: bearer,
  },
  {
    name: 'SendGrid',
    rules: ['secrets/sendgrid-key'],
    base: 'https://api.sendgrid.com',
    path: '/v3/scopes',
    headers: bearer,
  },
  {
    name: 'Hugging Face',
    rules: ['secrets/hugging-face-token'],
    base: 'https://huggingface.co',
    path: '/api/whoami-v2',
    headers: bearer,
  },
  {
    name: 'OpenAI',
    rules: ['secrets/openai-key'],
    base: 'https://api.openai.com',
    path: '/v1/models',
    headers: bearer,
  },
  {
    name: 'DigitalOcean',
    rules: ['secrets/digitalocean-token'],
    takes: /^do[op]_/,
    base: 'https://api.digitalocean.com',
    path: '/v2/account',
    headers: bearer,
  },
];

export function readTokenVerdict(service: VerifyService, status: number, body: string): TokenVerdict {
  if (status === 401) return service.elsewhere ? 'unknown' : 'refused';
  if (status !== 200) return 'unknown';
  return service.says?.(body) ?? 'live';
}
