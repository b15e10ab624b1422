import { availableParallelism } from 'node:os';
import { createAccessControl } from '../../access/access.ts';
import { createAccessKeys } from '../../access/keys/keys.ts';
import {
  createDailyQuotaCounter,
  createSharedDailyQuotaCounter,
} from '../../access/limits/daily-quota-counter.ts';
import { createCallerLimiter } from '../../access/limits/limits.ts';
import { createSharedRateCounter } from '../../access/limits/shared-rate-limiter.ts';
import { createMcpTasks } from '../../access/tasks/mcp-tasks.ts';
import type {
  AccessControl,
  AccessTokenVerifier,
  AuthorizationServer,
  McpTasks,
  OpenIdLogin,
} from '../../access/types.ts';
import { createAlertWebhook } from '../../access/usage/alert-webhook.ts';
import { createAccessAlerts } from '../../access/usage/alerts.ts';
import { createCredentialWatcher } from '../../access/usage/credential-watcher.ts';
import { createCallUsageLog } from '../../access/usage/usage.ts';
import type { Config } from '../../config/config.ts';
import { unavailableError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import type { Logger } from '../../log.ts';
import type { ServicesFoundation } from '../foundation.ts';
import type { Stores } from '../stores.ts';

export interface AccessFoundation extends Pick<ServicesFoundation, 'config' | 'fetch' | 'log' | 'waits'> {
  stores(): Promise<Pick<Stores, 'keys' | 'usage' | 'rates' | 'grants' | 'secret'>>;
}

export interface OpenAccessOptions {
  readonly stored: (user: string) => Promise<number>;
  readonly tokens?: (() => Promise<AccessTokenVerifier | AuthorizationServer>) | undefined;
}

export async function openMcpTasks({ log, waits, stores }: ServicesFoundation): Promise<McpTasks> {
  return createMcpTasks({ store: await (await stores()).tasks(), log, graceMs: waits.taskGraceMs });
}

export async function openAccess(base: AccessFoundation, options: OpenAccessOptions): Promise<AccessControl> {
  const { config, fetch, log } = base;
  const { alertAttemptsMs: attemptDelaysMs } = base.waits;
  const { stored, tokens } = options;
  const now = Date.now;
  const stores = await base.stores();
  const [keyStore, store, rates, secret] = await Promise.all([
    stores.keys(),
    stores.usage(),
    stores.rates?.(),
    stores.secret(),
  ]);
  const counter = rates && createSharedRateCounter(rates);
  const days = counter ? createSharedDailyQuotaCounter(store, now) : createDailyQuotaCounter(store, now);
  const alerts = createAccessAlerts({ log, now });
  const url = config.alertWebhook;
  const webhook =
    url === undefined ? undefined : createAlertWebhook({ url, fetch, log, now, attemptDelaysMs });
  if (webhook) alerts.onAlert(webhook.send);
  const rules = {
    requests: config.rateRequests,
    concurrent: config.rateConcurrent,
    fetches: config.dayFetches,
    inserts: config.dayInserts,
    bytes: config.storedBytes,
  };
  return createAccessControl({
    tokens,
    keys: createAccessKeys({ store: keyStore, secret }),
    localUser: config.user,
    limits: createCallerLimiter({
      rules,
      days,
      readStoredBytes: stored,
      now,
      processorCount: availableParallelism(),
      counter,
    }),
    usage: createCallUsageLog({ store, counts: days, keepDays: config.usageDays, log, now }),
    alerts,
    watchman: createCredentialWatcher({ store, alerts, log, now }),
    log,
    now,
    async close() {
      webhook?.close();
      await counter?.idle();
    },
  });
}

export interface OpenTokensOptions {
  readonly config: Config;
  readonly url: string | undefined;
  readonly fetch: GuardedFetch;
  readonly log: Logger;
}

export async function openTokenVerifier(options: OpenTokensOptions): Promise<AccessTokenVerifier> {
  const { config, url, fetch, log } = options;
  const { oauthIssuer: issuer } = config;
  const audience = audienceOf(config, url);
  if (issuer === undefined) {
    throw unavailableError('no access tokens are taken: MAGPIE_OAUTH_ISSUER is not set');
  }
  const { createAccessTokenVerifier } = await import('../../access/tokens/access-token-verifier.ts');
  return createAccessTokenVerifier({ issuer, audience, fetch, log });
}

function audienceOf({ oauthAudience }: Config, url: string | undefined): string {
  return oauthAudience ?? `${url}/mcp`;
}

export async function openLogin(
  base: Pick<AccessFoundation, 'stores'>,
  { config, url, fetch, log }: OpenTokensOptions,
): Promise<OpenIdLogin> {
  const { oauthIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes } = config;
  if (issuer === undefined || clientId === undefined || url === undefined) {
    throw unavailableError('no one can sign in here: MAGPIE_OIDC_CLIENT_ID is not set');
  }
  const audience = audienceOf(config, url);
  const [{ createOpenIdLogin }, { createSealer }, stores] = await Promise.all([
    import('../../access/login/openid-login.ts'),
    import('../../lib/secrets/sealer.ts'),
    base.stores(),
  ]);
  return createOpenIdLogin({
    ...{ issuer, clientId, clientSecret, fetch, log, now: Date.now },
    scopes: oidcScopes,
    resource: URL.canParse(audience) ? audience : undefined,
    redirectUri: `${url}${LOGIN_RETURN}`,
    sealer: createSealer(await stores.secret(), 'login at an OpenID provider'),
  });
}

/** Opens the built-in authorization server. `fetch` must reach public addresses only. */
export async function openAuthorizationServer(
  base: Pick<AccessFoundation, 'stores'>,
  { config, fetch }: Pick<OpenTokensOptions, 'config' | 'fetch'>,
): Promise<AuthorizationServer> {
  const { oauth, publicUrl: issuer = '' } = config;
  if (oauth !== 'builtin') throw unavailableError('no app can sign in here: MAGPIE_OAUTH is not builtin');
  const { createAuthorizationServer } = await import('../../access/grants/authorization-server.ts');
  const stores = await base.stores();
  const [store, secret] = await Promise.all([stores.grants(), stores.secret()]);
  return createAuthorizationServer({ issuer, store, secret, fetch, now: Date.now });
}

const LOGIN_RETURN = '/app/oidc/callback';
