import { type Caller, type CredentialState, localCaller } from '../caller.ts';
import { AppError, asAppError } from '../errors.ts';
import { createLimiter } from '../lib/concurrency/limiter.ts';
import { parseBearerToken, unauthenticated } from '../lib/network/bearer.ts';
import type { Logger } from '../log.ts';
import { classifyKeyText } from './keys/key.ts';
import type { CallerLimiter } from './limits/limits.ts';
import { networkOf } from './limits/network.ts';
import { createRefusalThrottle } from './limits/refusal-throttle.ts';
import type {
  AccessControl,
  AccessKeys,
  AccessToken,
  CallUsageLog,
  KeyRecord,
  KeyWithState,
  RequestClient,
  UnidentifiedRequest,
} from './types.ts';
import type { AccessAlerts } from './usage/alerts.ts';
import type { CredentialWatcher } from './usage/credential-watcher.ts';

interface TokenVerifier {
  verifyToken(token: string): Promise<Pick<AccessToken, 'user' | 'scopes' | 'expiresAt' | 'grant'>>;
  /** Says whether a grant of an app is still there. An issuer's tokens have none. */
  hasGrant?(id: string): Promise<boolean>;
}

export interface AccessOptions {
  readonly keys: AccessKeys;
  readonly tokens?: () => Promise<TokenVerifier>;
  readonly localUser: string;
  readonly limits: CallerLimiter;
  readonly usage: CallUsageLog;
  readonly alerts: AccessAlerts;
  readonly watchman: CredentialWatcher;
  readonly log: Logger;
  readonly now: () => number;
  readonly close: () => void | Promise<void>;
}

interface AccessParts extends AccessOptions {
  /** Logs a request that was refused before its call began. `key` is the request's key, if known. */
  recordRefusal(outcome: string, reason: string, address: string, key?: Pick<KeyRecord, 'id' | 'user'>): void;
  isOpen: AccessControl['isOpen'];
  /** Delays the answer to a refused request, so that immediate retries take little processor time. */
  paceRefusals(sender: string, bytes?: number): Promise<void>;
}

const REFUSALS = new Set(['unauthenticated', 'forbidden', 'rate_limited']);

export function createAccessControl(options: AccessOptions): AccessControl {
  const { keys, usage, limits, alerts, now } = options;
  const parts: AccessParts = {
    ...options,
    isOpen: createIsOpen(options),
    recordRefusal: createRefusalRecorder(options),
    paceRefusals: createRefusalThrottle(() => performance.now()),
  };
  const standingOf = createStandingOf(parts);
  return {
    keys,
    usage,
    isOpen: parts.isOpen,
    identify: createIdentify(parts),
    admit: createAdmission(parts),
    countWork: createWorkCount(parts),
    createMeter: createMeterMaker(parts),
    standingOf,
    identifyPageUser: createIdentifyPageUser(parts),
    enterCall: limits.enterCall,
    enterTurn: limits.enterTurn,
    paceRefusal: async ({ id, credential }, bytes) =>
      credential === undefined ? undefined : parts.paceRefusals(`user ${id}`, bytes),
    async countFetch(caller) {
      const standing = await standingOf(caller);
      // An expired access token does not end a running call, because clients replace tokens often.
      if (standing === 'revoked' || (standing === 'ended' && caller.expiresAt === undefined)) {
        const how = standing === 'revoked' ? 'was revoked' : 'has expired';
        throw new AppError('unauthenticated', `the credential of this call ${how} while it ran`);
      }
      const counted = await limits.countFetch(caller);
      usage.writeSoon();
      return counted;
    },
    recordCall({ id: user, credential, address = '' }, operation, outcome, ms) {
      if (credential === undefined) return;
      usage.recordCall({ at: now(), credential, user, operation, outcome, ms, address });
      if (REFUSALS.has(outcome)) alerts.countRefusal({ credential, address });
    },
    onAlert: alerts.onAlert,
    listAlerts: alerts.listAlerts,
    async close() {
      await usage.close();
      await options.close();
    },
  };
}

function createIsOpen({ keys, tokens }: AccessOptions): AccessControl['isOpen'] {
  let closed = tokens !== undefined;
  return async () => {
    if (!closed) closed = await keys.hasKeys();
    return !closed;
  };
}

function createRefusalRecorder({ usage, alerts, log, now }: AccessOptions): AccessParts['recordRefusal'] {
  return (outcome, reason, address, key) => {
    const { id, user = '' } = key ?? {};
    log.info({ key: id, reason, address }, 'a request is refused at the edge');
    usage.recordCall({ at: now(), credential: id ?? '', user, operation: '', outcome, ms: 0, address });
    alerts.countRefusal({ address, credential: id });
  };
}

const SUSPECTS = { concurrency: 4, maxWaiting: 1000, maxWaitingPerOwner: 100, refuse: createBusyError };

function createBusyError(): AppError {
  const message = 'this address sends too many requests without a valid key: try again in 1 s';
  return new AppError('rate_limited', message, { retryAfter: 1 });
}

function noop(): void {}

function createIdentify(parts: AccessParts): AccessControl['identify'] {
  const { keys, tokens, localUser, limits, isOpen } = parts;
  const local = localCaller(localUser, 'http');
  const byKey = createKeyCheck(parts);
  const byToken = createTokenCheck(parts);
  // Checks of keys must not wait for checks of tokens, which may need a slow request to the issuer.
  const [suspectKeys, suspectTokens] = [createLimiter(SUSPECTS), createLimiter(SUSPECTS)];
  return async (request) => {
    if (await isOpen()) return local;
    const text = parseBearerToken(request.authorization) ?? '';
    const form = classifyKeyText(text);
    const isToken = tokens !== undefined && text !== '' && form === 'other';
    const needsCheck = isToken || (form === 'key' && !keys.isKnown(text));
    const owner = networkOf(request.address, 'client');
    const check = async () => {
      const leave =
        needsCheck && limits.isAddressSpent(request.address)
          ? await (isToken ? suspectTokens : suspectKeys).enter({
              owner,
              ...(request.disconnected && { signal: request.disconnected() }),
            })
          : noop;
      const checked = isToken
        ? tokens().then(({ verifyToken }) => byToken(text, request, verifyToken))
        : byKey(text, request);
      return checked.finally(leave);
    };
    const caller = await check().catch((error: unknown) => paced(parts, `address ${owner}`, error));
    await countCredential(parts, caller, request);
    return caller;
  };
}

async function countCredential(
  { limits, recordRefusal, paceRefusals }: AccessParts,
  { credential: id = '', id: user }: Caller,
  { address, setHeader }: RequestClient,
): Promise<void> {
  try {
    await limits.countCredential({ user, credential: id }, setHeader);
  } catch (error) {
    recordRefusal('rate_limited', 'rate', address, { id, user });
    await paceRefusals(`user ${user}`);
    throw error;
  }
}

async function paced({ paceRefusals }: AccessParts, sender: string, error: unknown): Promise<never> {
  if (asAppError(error).code === 'rate_limited') await paceRefusals(sender);
  throw error;
}

function createAdmission(parts: AccessParts): AccessControl['admit'] {
  return async ({ user, scopes }, expiresAt, client) => {
    const { address } = client;
    const caller: Caller = { id: user, via: 'http', scopes, credential: user, expiresAt, address };
    await parts.watchman.noteAddress(user, user, address);
    await countCredential(parts, caller, client);
    return caller;
  };
}

function createKeyCheck({ keys, limits, watchman, recordRefusal }: AccessParts) {
  async function refuse(
    text: string,
    found: KeyWithState | undefined,
    { address, setHeader }: RequestClient,
  ): Promise<never> {
    await limits.countAddress(address, setHeader);
    const form = classifyKeyText(text) === 'mistyped' ? 'mistyped' : 'unknown';
    recordRefusal('unauthenticated', found?.state ?? form, address, found?.record);
    if (found) watchman.noteEndedKey(found.record, address);
    throw unauthenticated();
  }

  return async (text: string, request: UnidentifiedRequest): Promise<Caller> => {
    const { address } = request;
    const found = classifyKeyText(text) === 'key' ? await keys.findKey(text) : undefined;
    if (found?.state !== 'active') return refuse(text, found, request);
    const { id, user, scopes } = found.record;
    await watchman.noteUse(found.record, request);
    return { id: user, via: 'http', scopes: new Set(scopes), credential: id, address };
  };
}

function createTokenCheck({ limits, watchman, recordRefusal }: AccessParts) {
  return async (
    text: string,
    { address, setHeader }: RequestClient,
    verify: TokenVerifier['verifyToken'],
  ): Promise<Caller> => {
    try {
      const { user, scopes, expiresAt, grant } = await verify(text);
      await watchman.noteAddress(user, user, address);
      const caller: Caller = { id: user, via: 'http', scopes, credential: user, expiresAt, address };
      return grant === undefined ? caller : { ...caller, grant };
    } catch (error) {
      const { code } = asAppError(error);
      if (code !== 'unauthenticated') throw error;
      await limits.countAddress(address, setHeader);
      recordRefusal(code, 'token', address);
      throw error;
    }
  };
}

function createWorkCount({ limits, recordRefusal }: AccessParts): AccessControl['countWork'] {
  return ({ id: user, credential }, work, { address, setHeader }) => {
    if (credential === undefined) return;
    try {
      limits.countWork({ user, credential }, work, setHeader);
    } catch (error) {
      recordRefusal('rate_limited', 'rate', address, { id: credential, user });
      throw error;
    }
  };
}

function createMeterMaker({ limits }: AccessParts): AccessControl['createMeter'] {
  return ({ id: user, credential }, { setHeader }) => {
    if (credential === undefined) return () => {};
    const policy = credential === pageCredential(user) ? 'page' : 'key';
    return limits.createMeter({ user, credential }, policy, setHeader);
  };
}

function createStandingOf({ keys, tokens, now, isOpen }: AccessParts): AccessControl['standingOf'] {
  return async ({ credential, expiresAt, grant }): Promise<CredentialState> => {
    if (credential === undefined) return (await isOpen()) ? 'valid' : 'ended';
    if (grant !== undefined && (await (await tokens?.())?.hasGrant?.(grant)) !== true) return 'revoked';
    if (expiresAt !== undefined) return expiresAt > now() ? 'valid' : 'ended';
    const { state } = await keys.getKey(credential);
    if (state === 'active') return 'valid';
    return state === 'expired' ? 'ended' : state;
  };
}

function createIdentifyPageUser(parts: AccessParts): AccessControl['identifyPageUser'] {
  const { limits, isOpen, recordRefusal } = parts;
  return async (user, { address, setHeader }) => {
    const open = await isOpen();
    if (user === undefined) {
      if (open) return undefined;
      const sender = `address ${networkOf(address, 'client')}`;
      await Promise.resolve(limits.countAddress(address, setHeader)).catch((error: unknown) =>
        paced(parts, sender, error),
      );
      return undefined;
    }
    if (open) return localCaller(user, 'http');
    const caller = { ...localCaller(user, 'http'), credential: pageCredential(user), address };
    try {
      await limits.countPageUser(user, setHeader);
    } catch (error) {
      recordRefusal('rate_limited', 'rate', address, { id: caller.credential, user });
      throw error;
    }
    return caller;
  };
}

const pageCredential = (user: string): string => `page:${user}`;
