import type { Context } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { z } from 'zod';
import type {
  AccessControl,
  AuthorizationServer,
  OpenIdLogin,
  RequestClient,
  SignedInPerson,
} from '../../../access/types.ts';
import { ACCESS_SCOPES, type AccessScope, type Caller } from '../../../caller.ts';
import type { SettingInForce } from '../../../config/settings-in-force.ts';
import { badRequestError, forbiddenError } from '../../../errors.ts';
import type { LaunchCommand } from '../../../lib/assistants.ts';
import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
import {
  checkFormSession,
  closeUploadSession,
  cookieName,
  findUploadSession,
  identifyByPass,
  SESSION_LIFETIME_S,
  setPageCookie,
  type UploadSession,
} from '../../app/session.ts';
import type { HttpEnv } from '../../http/edge.ts';
import type { OperationPipeline } from '../../invoke.ts';

export interface ConsoleOptions {
  readonly publicUrl?: string | undefined;
  readonly identify: (request: Request, client: RequestClient) => Caller | Promise<Caller>;
  readonly isOpen?: AccessControl['isOpen'];
  /** The user who operates the server. A key of this user with all scopes opens the operator's pages. */
  readonly user?: string;
  readonly settings?: () => readonly SettingInForce[];
  readonly recentLog?: () => readonly string[];
  readonly localStart?: () => Promise<LaunchCommand | undefined>;
  readonly identifyPageUser?: AccessControl['identifyPageUser'];
  readonly createMeter?: AccessControl['createMeter'];
  /** True for the server of a stdio process: only links of `pdfload` open its pages, and no one can sign in. */
  readonly linksOnly?: true;
  /** The authorization server that is built in. */
  readonly apps?: (() => Promise<AuthorizationServer>) | undefined;
  readonly login?:
    | {
        readonly issuer: string;
        readonly open: () => Promise<OpenIdLogin>;
        readonly admit: AccessControl['admit'];
      }
    | undefined;
}

export interface ConsoleVisitor {
  readonly caller: Caller;
  readonly form: string;
  readonly open: boolean;
  readonly byKey: boolean;
  /** True for the local user of an open server, and for the operator's user with a key that has all scopes. */
  readonly operator: boolean;
  readonly person?: { readonly name: string | undefined };
  /** True for a visitor with only a link from `pdfload`, which opens only uploaded files. */
  readonly filesOnly?: true;
  /** The user who signed in here before opening a link to the files of another user. */
  readonly signedInAs?: string | undefined;
  /** Secret of a link to one file, which opens only this file. */
  readonly pass?: string;
}

/** Who may open a page: `keys` who signed in, `files` also links to a user's files, `file` also to one file. */
export type PageAudience = 'keys' | 'files' | 'file';

export interface PageAdmission {
  readonly opens?: PageAudience;
  /** False for a page that scripts ask for over and over: it does not count toward the limits of its user. */
  readonly counted?: boolean;
}

/** Opens a session with a key or token. Every node accepts the session's cookie. Throws `unauthenticated`. */
export async function signIn(
  c: Context<HttpEnv>,
  { services }: OperationPipeline,
  options: ConsoleOptions,
  key: string,
): Promise<void> {
  const { id, scopes, credential, expiresAt, grant } = await identifyKey(c, options, key);
  // A session would outlast the grant of the app, and an app is not a person.
  if (grant !== undefined) throw forbiddenError('the token of an app opens no console: sign in with a key');
  if (credential === undefined) throw badRequestError('this server is open: no key is needed');
  await openSession(c, services, options, id, factsText({ credential, scopes: [...scopes], expiresAt }));
}

/** Returns the caller of a key or token. Throws `unauthenticated`. */
export async function identifyKey(
  c: Context<HttpEnv>,
  { identify }: Pick<ConsoleOptions, 'identify'>,
  key: string,
): Promise<Caller> {
  const authorization = `Bearer ${key.replace(/[^\x21-\x7e]/g, '')}`;
  return identify(new Request(c.req.url, { headers: { authorization } }), c.get('client'));
}

export async function signInByOpenId(
  c: Context<HttpEnv>,
  { services }: OperationPipeline,
  options: ConsoleOptions,
  {
    login,
    person,
  }: { readonly login: NonNullable<ConsoleOptions['login']>; readonly person: SignedInPerson },
): Promise<void> {
  const until = Date.now() + SESSION_LIFETIME_S * 1000;
  const { id, scopes, expiresAt } = await login.admit(person, until, c.get('client'));
  const facts = {
    credential: id,
    scopes: [...scopes],
    expiresAt,
    person: { name: person.name, issuer: login.issuer },
  };
  await openSession(c, services, options, id, factsText(facts));
}

interface VisitorFacts {
  readonly credential: string;
  readonly scopes: readonly AccessScope[];
  readonly expiresAt: number | undefined;
  readonly person?: { readonly name: string | undefined; readonly issuer: string };
}

function factsText(facts: VisitorFacts): string {
  return Buffer.from(JSON.stringify(facts)).toString('base64url');
}

/** Opens a new session after the user has ended all sessions. The new session ends with the key's expiry. */
export async function renewSession(
  c: Context<HttpEnv>,
  { services }: OperationPipeline,
  options: ConsoleOptions,
  { caller, open }: ConsoleVisitor,
): Promise<void> {
  const [facts = ''] = (getCookie(c, cookieName(c, 'console')) ?? '').split('~');
  if (!open && facts) await openSession(c, services, options, caller.id, facts);
}

async function openSession(
  c: Context<HttpEnv>,
  services: OperationPipeline['services'],
  options: ConsoleOptions,
  id: string,
  facts: string,
): Promise<void> {
  const pass = await (await services.passes()).issuePass('console', id, facts);
  setPageCookie(c, 'console', `${facts}~${pass}`, {
    secure: options.publicUrl?.startsWith('https:') === true,
  });
}

export function signOut(c: Context<HttpEnv>): void {
  deleteCookie(c, cookieName(c, 'console'), { path: '/app' });
  closeUploadSession(c);
}

/** Identifies who opens a page. On pages of files, a link to the files of another user wins over a session. */
export async function identifyVisitor(
  c: Context<HttpEnv>,
  { services }: OperationPipeline,
  options: ConsoleOptions,
  { opens = 'keys', counted = true }: PageAdmission = {},
): Promise<ConsoleVisitor | undefined> {
  const client = c.get('client');
  await options.identifyPageUser?.(undefined, client);
  const pass = c.req.query('pass');
  if (opens === 'file' && pass !== undefined) {
    const name = c.req.param('name') ?? c.req.query('name') ?? '';
    const session = { owner: await identifyByPass(services, 'file', pass, name), form: '' };
    return { ...(await linkHolder(c, options, session, ['read'])), pass };
  }
  const open = !options.linksOnly && ((await options.isOpen?.()) ?? true);
  const cookie = getCookie(c, cookieName(c, 'console')) ?? '';
  const held = open
    ? { caller: await options.identify(c.req.raw, client) }
    : await holderOf(c, services, options, cookie);
  const session = held && opens === 'keys' ? undefined : await findUploadSession(c, services);
  if (session && session.owner !== held?.caller.id) {
    return { ...(await linkHolder(c, options, session, LINK, counted)), signedInAs: held?.caller.id };
  }
  if (!held) return undefined;
  const { caller } = held;
  if (counted) c.set('pageUser', await options.identifyPageUser?.(caller.id, client));
  const form = await (await services.passes()).issuePass('form', caller.id, formOf(open, cookie));
  const byKey = caller.credential !== undefined && caller.credential !== caller.id;
  const all = ACCESS_SCOPES.every((scope) => caller.scopes.has(scope));
  return { ...held, form, open, byKey, operator: open || (byKey && all && caller.id === options.user) };
}

const LINK: readonly AccessScope[] = ['read', 'write'];

/** Returns the visitor with a link to files of `owner`, whose use of them counts as that of a page. */
export async function linkHolder(
  c: Context<HttpEnv>,
  options: ConsoleOptions,
  { owner: id, form }: UploadSession,
  scopes = LINK,
  counted = true,
): Promise<ConsoleVisitor> {
  const user = counted ? await options.identifyPageUser?.(id, c.get('client')) : undefined;
  c.set('pageUser', user);
  c.set('linkUser', user);
  const caller: Caller = { ...(user ?? { id, via: 'http' }), scopes: new Set(scopes) };
  return { caller, form, open: false, byKey: false, operator: false, filesOnly: true };
}

async function holderOf(
  c: Context<HttpEnv>,
  services: OperationPipeline['services'],
  options: ConsoleOptions,
  cookie: string,
): Promise<Pick<ConsoleVisitor, 'caller' | 'person'> | undefined> {
  const [facts = '', pass = ''] = cookie.split('~');
  if (!pass || options.linksOnly) return undefined;
  const user = await (await services.passes()).checkPass('console', pass, facts);
  if (user === undefined) return undefined;
  const { credential, scopes, expiresAt, person } = JSON.parse(
    Buffer.from(facts, 'base64url').toString(),
  ) as VisitorFacts;
  if (person && person.issuer !== options.login?.issuer) return undefined;
  const caller: Caller = {
    id: user,
    via: 'http',
    scopes: new Set(ACCESS_SCOPES.filter((scope) => scopes.includes(scope))),
    credential,
    expiresAt,
    address: c.get('client').address,
  };
  const standing = await (await services.identity.access()).standingOf(caller);
  if (standing !== 'valid') return undefined;
  return person ? { caller, person } : { caller };
}

const formOf = (open: boolean, cookie: string): string => `console ${open ? 'open' : cookie}`;

const FOREIGN: readonly unknown[] = ['cross-site', 'same-site'];

export function refuseCrossSite(c: Context<HttpEnv>): void {
  if (!FOREIGN.includes(c.env.incoming.headers['sec-fetch-site'])) return;
  throw forbiddenError('this form belongs to another site: open the console and send its own');
}

export async function checkFormToken(
  c: Context<HttpEnv>,
  { services }: OperationPipeline,
  { caller, open, filesOnly }: ConsoleVisitor,
  form: string,
): Promise<void> {
  if (filesOnly) return void (await checkFormSession(c, services, form));
  const about = formOf(open, getCookie(c, cookieName(c, 'console')) ?? '');
  if ((await (await services.passes()).checkPass('form', form, about)) === caller.id) return;
  throw forbiddenError('this form has expired or is not of this page: load the page again');
}

const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Returns true if connection and host name are loopback and no proxy forwarded the request. */
export function isOnThisMachine(c: Context<HttpEnv>): boolean {
  const { headers } = c.env.incoming;
  if (FORWARDING.some((name) => headers[name] !== undefined)) return false;
  const { hostname } = new URL(`http://${headers.host ?? ''}`);
  return (
    /^(?:127\.|::1$)/.test(c.get('client').address) && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  );
}

const flash = z.object({ text: z.string().max(600), undo: z.string().max(500).optional() });
export type FlashMessage = z.output<typeof flash>;

const LIFETIME_S = 60;

export function putFlash(c: Context<HttpEnv>, text: string, undo?: string): void {
  const value = Buffer.from(JSON.stringify({ text: text.slice(0, 600), undo })).toString('base64url');
  setPageCookie(c, 'said', value, { maxAge: LIFETIME_S });
}

export function takeFlash(c: Context<HttpEnv>): FlashMessage | undefined {
  const cookie = getCookie(c, cookieName(c, 'said'));
  if (cookie === undefined) return undefined;
  deleteCookie(c, cookieName(c, 'said'), { path: '/app' });
  return flash.safeParse(parseJsonOrNothing(Buffer.from(cookie, 'base64url').toString())).data;
}
