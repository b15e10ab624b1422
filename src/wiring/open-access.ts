import { type Access, createAccess } from '../access/access.ts';
import { createAlerts } from '../access/alerts.ts';
import { createDayCounts } from '../access/day-counts.ts';
import { createKeys } from '../access/keys.ts';
import { createLimits } from '../access/limits.ts';
import { createSqliteKeyStore } from '../access/stores/sqlite.ts';
import { createSqliteUsageStore } from '../access/stores/usage.ts';
import type { Tokens } from '../access/tokens.ts';
import { createUsage } from '../access/usage.ts';
import { createWatchman } from '../access/watchman.ts';
import { createWebhook } from '../access/webhook.ts';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import type { Logger } from '../log.ts';
import { loadSecret } from '../storage/secret.ts';
import type { Database } from '../storage/sqlite.ts';

export interface OpenAccessOptions {
  readonly db: Database;
  readonly config: Config;
  readonly fetch: GuardedFetch;
  /** Bytes that a user has stored. */
  readonly stored: (user: string) => Promise<number>;
  readonly tokens?: () => Promise<Tokens>;
  readonly log: Logger;
}

/** The room of access on the embedded database. */
export async function openAccess(options: OpenAccessOptions): Promise<Access> {
  const { db, config, fetch, stored, log, ...issued } = options;
  const now = Date.now;
  const store = createSqliteUsageStore(db);
  const days = createDayCounts(store, now);
  const alerts = createAlerts({ log, now });
  const url = config.alertWebhook;
  const webhook = url === undefined ? undefined : createWebhook({ url, fetch, log, now });
  if (webhook) alerts.onAlert(webhook.send);
  const rules = {
    requests: config.rateRequests,
    concurrent: config.rateConcurrent,
    fetches: config.dayFetches,
    inserts: config.dayInserts,
    bytes: config.storedBytes,
  };
  return createAccess({
    ...issued,
    keys: createKeys({ store: createSqliteKeyStore(db), secret: await loadSecret(config.data) }),
    localUser: config.user,
    limits: createLimits({ rules, days, stored, now }),
    usage: createUsage({ store, counts: days, keep: config.usageDays, log, now }),
    alerts,
    watchman: createWatchman({ store, alerts, log, now }),
    log,
    now,
    close: () => webhook?.close(),
  });
}

export interface OpenTokensOptions {
  readonly config: Config;
  /** Address of this server, where it is known. */
  readonly url: string | undefined;
  readonly fetch: GuardedFetch;
  readonly log: Logger;
}

/** Access tokens of the configured issuer. AppError `unavailable` without one. */
export async function openTokens({ config, url, fetch, log }: OpenTokensOptions): Promise<Tokens> {
  const { oauthIssuer: issuer, oauthAudience: audience = `${url}/mcp` } = config;
  if (issuer === undefined) {
    throw new AppError('unavailable', 'no access tokens are taken: MAGPIE_OAUTH_ISSUER is not set');
  }
  const { createTokens } = await import('../access/tokens.ts');
  return createTokens({ issuer, audience, fetch, log });
}
