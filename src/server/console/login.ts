import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { AppError, forbiddenError } from '../../errors.ts';
import type { Html } from '../html.ts';
import { disconnectSignal, type HttpEnv } from '../http/edge.ts';
import { refusePrefetch, refuseUnintendedRequest } from '../http/guard.ts';
import type { OperationPipeline } from '../invoke.ts';
import { renderSignedOutPage } from './frame/frame.ts';
import { type ConsoleOptions, signInByOpenId } from './frame/visitor.ts';

const COOKIE_LIFETIME_S = 600;
/** Maximum length of the address to open after the login. A cookie has at most 4,096 bytes. */
const MAX_NEXT_CHARS = 1000;
const HOME = '/app/ask';
const LOGIN = '/app/oidc/login';

interface LoginParts {
  readonly pipe: OperationPipeline;
  readonly options: ConsoleOptions;
}

export function loginLink(c: Context<HttpEnv>, { login }: ConsoleOptions): Html | undefined {
  if (!login) return undefined;
  const { pathname, search } = new URL(c.req.url);
  const here = c.req.method === 'GET' && pathname !== '/app' ? `${pathname}${search}` : HOME;
  const href = `${LOGIN}?next=${encodeURIComponent(here.length > MAX_NEXT_CHARS ? HOME : here)}`;
  return html`<a class="button main wide" href="${href}">Sign in with ${new URL(login.issuer).host}</a>`;
}

export async function signedOutPage({ login }: ConsoleOptions): Promise<Html> {
  const address = await (await login?.open())?.endAddress();
  const host = login ? new URL(login.issuer).host : '';
  return renderSignedOutPage(
    'Signed out',
    html`<section class="panel"><p>This browser has left the console. At ${host} you are still signed in.</p>
<p class="row">${address === undefined ? '' : html`<a class="button" href="${address}">Sign out of ${host} too</a>`}<a class="button" href="${HOME}">Sign in again</a></p></section>`,
  );
}

export function addLogin(app: Hono<HttpEnv>, { pipe, options }: LoginParts): void {
  const { login } = options;
  if (!login) return;
  const isSecure = options.publicUrl?.startsWith('https:') === true;
  /** Browsers must send this cookie after the provider's redirect. `SameSite=Strict` would prevent that. */
  const cookie = {
    path: isSecure ? '/' : '/app/oidc',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
  } as const;
  const nameOf = (c: Context<HttpEnv>) =>
    `${isSecure ? '__Host-' : ''}magpie_login_${new URL(c.req.url).port || '0'}`;

  app.get('/oidc/login', async (c) => {
    refusePrefetch(c.env.incoming.headers);
    refuseForeignStart(c);
    await options.identifyPageUser?.(undefined, c.get('client'));
    const { address, kept } = await (await login.open()).begin(localPath(c.req.query('next')));
    setCookie(c, nameOf(c), kept, { ...cookie, maxAge: COOKIE_LIFETIME_S });
    return c.redirect(address, 302);
  });

  app.get('/oidc/callback', async (c) => {
    refuseUnintendedRequest(
      { name: 'login', effect: 'read' },
      { headers: c.env.incoming.headers, listed: false, open: false },
    );
    await options.identifyPageUser?.(undefined, c.get('client'));
    const answer = new URL(c.req.url).searchParams;
    const room = await login.open();
    const begun = room.take(getCookie(c, nameOf(c)) ?? '', answer.get('state') ?? '');
    if (!begun) throw await notBegun(pipe);
    deleteCookie(c, nameOf(c), cookie);
    const person = await room.finish(begun, answer, disconnectSignal(c));
    await signInByOpenId(c, pipe, options, { login, person });
    // Opens `next` from a page, because after a redirect browsers may omit the cookie that was just set.
    c.header('Refresh', `0; url=${begun.next}`);
    return c.html(
      renderSignedOutPage('Signed in', html`<p><a class="button main" href="${begun.next}">Continue</a></p>`),
    );
  });
}

async function notBegun({ services }: OperationPipeline): Promise<AppError> {
  const url = await services.appUrl();
  return new AppError(
    'unauthenticated',
    `this login was not begun in this browser at ${url}/app, or is over 10 minutes old, or was used before: sign in there again`,
  );
}

/** Refuses a login that another site has started without the user's intention. */
function refuseForeignStart(c: Context<HttpEnv>): void {
  const site = c.env.incoming.headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return;
  throw forbiddenError('another site has asked for this login: open the console and sign in there');
}

function localPath(next = ''): string {
  const base = 'http://console.invalid';
  if (next.length > MAX_NEXT_CHARS || !next.startsWith('/') || !URL.canParse(next, base)) return HOME;
  const { origin, pathname, search } = new URL(next, base);
  const isOurs = origin === base && pathname.startsWith('/app/') && !pathname.startsWith('/app/oidc/');
  const path = `${pathname}${search}`;
  return isOurs && path.length <= MAX_NEXT_CHARS ? path : HOME;
}
