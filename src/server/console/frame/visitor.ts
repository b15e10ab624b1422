import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Access, OpenIdLogin, Person, RequestClient } from '../../../access/types.ts';
import { type Caller, SCOPES, type Scope } from '../../../caller.ts';
import type { SettingInForce } from '../../../config/origins.ts';
import { AppError } from '../../../errors.ts';
import type { Start } from '../../../lib/assistants.ts';
import { closeSession, sessionOf, sessionOfForm } from '../../app/session.ts';
import type { Edge } from '../../http/edge.ts';
import type { Pipe } from '../../invoke.ts';

/** What the console needs of the server that it is part of. */
export interface ConsoleOptions {
  readonly publicUrl?: string | undefined;
  readonly identify: (request: Request, client: RequestClient) => Caller | Promise<Caller>;
  readonly isOpen?: Access['isOpen'];
  /** The operator's own user. */
  readonly user?: string;
  readonly settings?: () => readonly SettingInForce[];
  readonly recentLog?: () => readonly string[];
  /** How this machine starts the checkout that runs here, as `magpie setup` writes it; undefined for an installed package. */
  readonly localStart?: () => Promise<Start | undefined>;
  readonly identifyPageUser?: Access['identifyPageUser'];
  /** Logins of people at an OpenID provider; none when left out. */
  readonly login?:
    | {
        readonly issuer: string;
        readonly open: () => Promise<OpenIdLogin>;
        readonly admit: Access['admit'];
      }
    | undefined;
}

/** Who has a page open. */
export interface Visitor {
  readonly caller: Caller;
  /** What every form carries: without it another site could post in the user's name. */
  readonly form: string;
  /** Whether the server asks no one for a key. */
  readonly open: boolean;
  /** Signed in with a key, and not with a token of an issuer. */
  readonly byKey: boolean;
  /** Runs this server: its local user while it is open, or a key with all scopes of the server's own user. */
  readonly operator: boolean;
  /** Has signed in at the OpenID provider: how that one calls the person. */
  readonly person?: { readonly name: string | undefined };
  /** Let in by a link of `pdfload`, which opens uploaded files and nothing else. */
  readonly filesOnly?: true;
}

/** Seconds. */
const SESSION_LIFETIME_S = 4 * 3600;

/** Cookies are shared by all ports of a host, and several Magpies may run on one machine. */
function cookieName(c: Context<Edge>): string {
  return `magpie_console_${new URL(c.req.url).port || '0'}`;
}

/**
 * Opens a session with a key or an access token: what it may do is signed into the cookie, so that any node takes it. AppError
 * `unauthenticated` as REST has it.
 */
export async function signIn(
  c: Context<Edge>,
  { services }: Pipe,
  options: ConsoleOptions,
  key: string,
): Promise<void> {
  // A header takes Latin letters only, and a key has no others.
  const authorization = `Bearer ${key.replace(/[^\x21-\x7e]/g, '')}`;
  const request = new Request(c.req.url, { headers: { authorization } });
  const { id, scopes, credential, expiresAt } = await options.identify(request, c.get('client'));
  if (credential === undefined) throw new AppError('bad_request', 'this server is open: no key is needed');
  await openSession(c, services, options, id, factsText({ credential, scopes: [...scopes], expiresAt }));
}

/** Opens a session for who has just signed in at the provider. It lasts its hours and not longer, whatever becomes of the login there. */
export async function signInPerson(
  c: Context<Edge>,
  { services }: Pipe,
  options: ConsoleOptions,
  { login, person }: { readonly login: NonNullable<ConsoleOptions['login']>; readonly person: Person },
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

/** What is signed into the cookie of a session. */
interface Facts {
  readonly credential: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | undefined;
  /** Of who has signed in at a provider. */
  readonly person?: { readonly name: string | undefined; readonly issuer: string };
}

function factsText(facts: Facts): string {
  return Buffer.from(JSON.stringify(facts)).toString('base64url');
}

/** The session goes on although all passes of its user were ended; its key still ends it. */
export async function renewSession(
  c: Context<Edge>,
  { services }: Pipe,
  options: ConsoleOptions,
  { caller, open }: Visitor,
): Promise<void> {
  const [facts = ''] = (getCookie(c, cookieName(c)) ?? '').split('~');
  if (!open && facts) await openSession(c, services, options, caller.id, facts);
}

async function openSession(
  c: Context<Edge>,
  services: Pipe['services'],
  options: ConsoleOptions,
  id: string,
  facts: string,
): Promise<void> {
  const pass = await (await services.passes()).issuePass('console', id, facts);
  setCookie(c, cookieName(c), `${facts}~${pass}`, {
    path: '/app',
    httpOnly: true,
    sameSite: 'Strict',
    secure: options.publicUrl?.startsWith('https:') === true,
    maxAge: SESSION_LIFETIME_S,
  });
}

export function signOut(c: Context<Edge>): void {
  deleteCookie(c, cookieName(c), { path: '/app' });
  closeSession(c);
}

/**
 * Who asks for a page, counted towards the limits; undefined for a stranger. A session ends with its key: its standing is asked
 * for with every request.
 */
export async function visitorOf(
  c: Context<Edge>,
  { services }: Pipe,
  options: ConsoleOptions,
): Promise<Visitor | undefined> {
  const client = c.get('client');
  await options.identifyPageUser?.(undefined, client);
  const open = (await options.isOpen?.()) ?? true;
  const cookie = getCookie(c, cookieName(c)) ?? '';
  const held = open
    ? { caller: await options.identify(c.req.raw, client) }
    : await holderOf(c, services, options, cookie);
  if (!held) return linkHolder(c, services, options);
  const { caller } = held;
  c.set('pageUser', await options.identifyPageUser?.(caller.id, client));
  const form = await (await services.passes()).issuePass('form', caller.id, formOf(open, cookie));
  // A token is known by its user, a key by its id.
  const byKey = caller.credential !== undefined && caller.credential !== caller.id;
  const all = SCOPES.every((scope) => caller.scopes.has(scope));
  return { ...held, form, open, byKey, operator: open || (byKey && all && caller.id === options.user) };
}

/** Who has followed a link of `pdfload`: the session is the upload page's. */
async function linkHolder(
  c: Context<Edge>,
  services: Pipe['services'],
  options: ConsoleOptions,
): Promise<Visitor | undefined> {
  const session = await sessionOf(c, services);
  if (!session) return undefined;
  const { owner: id, form } = session;
  const counted = await options.identifyPageUser?.(id, c.get('client'));
  c.set('pageUser', counted);
  const caller: Caller = { ...(counted ?? { id, via: 'http' }), scopes: new Set(['read', 'write']) };
  return { caller, form, open: false, byKey: false, operator: false, filesOnly: true };
}

/** Whose session a cookie is, while its credential stands and its provider is the one that is configured. */
async function holderOf(
  c: Context<Edge>,
  services: Pipe['services'],
  options: ConsoleOptions,
  cookie: string,
): Promise<Pick<Visitor, 'caller' | 'person'> | undefined> {
  const [facts = '', pass = ''] = cookie.split('~');
  if (!pass) return undefined;
  const user = await (await services.passes()).checkPass('console', pass, facts);
  if (user === undefined) return undefined;
  // Signed by this installation: it is what openSession has written.
  const { credential, scopes, expiresAt, person } = JSON.parse(
    Buffer.from(facts, 'base64url').toString(),
  ) as Facts;
  if (person && person.issuer !== options.login?.issuer) return undefined;
  const caller: Caller = {
    id: user,
    via: 'http',
    scopes: new Set(SCOPES.filter((scope) => scopes.includes(scope))),
    credential,
    expiresAt,
    address: c.get('client').address,
  };
  const standing = await (await services.access()).standingOf(caller);
  if (standing !== 'valid') return undefined;
  return person ? { caller, person } : { caller };
}

function formOf(open: boolean, cookie: string): string {
  return `console ${open ? 'open' : cookie}`;
}

const FOREIGN: readonly unknown[] = ['cross-site', 'same-site'];

/** Refuses a request that changes something and that a page of another site has caused. AppError `forbidden`. */
export function refuseForeign(c: Context<Edge>): void {
  if (!FOREIGN.includes(c.env.incoming.headers['sec-fetch-site'])) return;
  throw new AppError('forbidden', 'this form belongs to another site: open the console and send its own');
}

/** AppError `forbidden` for a form that is not of this visitor's session. */
export async function checkForm(
  c: Context<Edge>,
  { services }: Pipe,
  { caller, open, filesOnly }: Visitor,
  form: string,
): Promise<void> {
  if (filesOnly) return void (await sessionOfForm(c, services, form));
  const about = formOf(open, getCookie(c, cookieName(c)) ?? '');
  if ((await (await services.passes()).checkPass('form', form, about)) === caller.id) return;
  throw new AppError('forbidden', 'this form has expired or is not of this page: load the page again');
}

const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Whether the browser runs on this machine: it comes from loopback, to a name of loopback, and no proxy has passed it on. */
export function isOnThisMachine(c: Context<Edge>): boolean {
  const { headers } = c.env.incoming;
  if (FORWARDING.some((name) => headers[name] !== undefined)) return false;
  const { hostname } = new URL(`http://${headers.host ?? ''}`);
  return (
    /^(?:127\.|::1$)/.test(c.get('client').address) && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  );
}
