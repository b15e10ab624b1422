import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { AppRequest, AuthorizationServer } from '../../access/types.ts';
import { ACCESS_SCOPES, type AccessScope, type Caller } from '../../caller.ts';
import { type AppError, asAppError, badRequestError, forbiddenError } from '../../errors.ts';
import { unauthenticated } from '../../lib/network/bearer.ts';
import { parseSubmittedForm } from '../app/form.ts';
import { type Html, toSentence } from '../html.ts';
import type { HttpEnv } from '../http/edge.ts';
import { refusePrefetch } from '../http/guard.ts';
import { AUTHORIZATION_PATH } from '../http/protected-resource.ts';
import type { OperationPipeline } from '../invoke.ts';
import { renderSignedOutPage } from './frame/frame.ts';
import { createErrorPage, sendConsolePage, setConsoleHeaders } from './frame/page-app.ts';
import { type ConsoleOptions, identifyKey, refuseCrossSite } from './frame/visitor.ts';
import { scopeBox } from './keys.ts';

/** The page on which a user decides about an app. It asks for the key each time, so no session can be misused. */

const COOKIE = 'magpie_consent';
const COOKIE_LIFETIME_S = 3600;

export function createConsentPages(pipe: OperationPipeline, options: ConsoleOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const open = options.apps;
  if (!open) return app;
  app.onError(createErrorPage(pipe, options));
  app.use(AUTHORIZATION_PATH, async (c, next) => {
    setConsoleHeaders(c);
    // An app that opened this page in a window of its own waits there for the page that it is answered at.
    c.env.outgoing.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
    await options.identifyPageUser?.(undefined, c.get('client'));
    return next();
  });

  app.get(AUTHORIZATION_PATH, async (c) => {
    refusePrefetch(c.env.incoming.headers);
    const server = await open();
    const { searchParams } = new URL(c.req.url);
    const { request, refusal } = await server.readRequest(searchParams, c.get('client').address);
    if (refusal) return sendConsolePage(c, refusalPage(server, request, refusal), 400);
    const browser = getCookie(c, COOKIE) ?? randomBytes(16).toString('base64url');
    setCookie(c, COOKIE, browser, {
      // Lax, because apps lead here from their sites: a second tab must not replace the cookie of the first.
      ...{ path: AUTHORIZATION_PATH, httpOnly: true, sameSite: 'Lax', maxAge: COOKIE_LIFETIME_S },
      secure: options.publicUrl?.startsWith('https:') === true,
    });
    return sendConsolePage(c, consentPage(request, server.sealRequest(request, browser)), 200);
  });

  app.post(AUTHORIZATION_PATH, async (c) => {
    refuseCrossSite(c);
    const server = await open();
    const form = await parseSubmittedForm(c.req.raw, 0);
    const request = server.unsealRequest(form.field('request'), getCookie(c, COOKIE) ?? '');
    if (!request) throw forbiddenError('this page is too old, or of another browser: begin again in the app');
    if (form.field('decision') !== 'allow') {
      return leave(c, 'Refused', server.answerAddress(request, { error: 'access_denied' }));
    }
    const scopes = offeredScopes(request).filter((scope) => form.field(`scope-${scope}`) === '1');
    try {
      const caller = await identifyKey(c, options, form.field('key').trim().slice(0, 8000));
      const code = await server.grant(request, grantOf(caller, scopes));
      return leave(c, `Signed in as ${caller.id}`, server.answerAddress(request, { code }));
    } catch (thrown) {
      const { code, message, status } = asAppError(thrown);
      if (code !== 'unauthenticated' && code !== 'bad_request') throw thrown;
      const alert = code === 'unauthenticated' ? 'Only a valid key of this server lets an app in' : message;
      return sendConsolePage(
        c,
        consentPage(request, form.field('request'), scopes, toSentence(alert)),
        status,
      );
    }
  });
  return app;
}

function grantOf({ id: user, credential, expiresAt, scopes: own }: Caller, chosen: readonly AccessScope[]) {
  if (credential === undefined || credential === user || expiresAt !== undefined) {
    throw unauthenticated();
  }
  const scopes = chosen.filter((scope) => own.has(scope));
  if (scopes.length > 0) return { user, keyId: credential, scopes };
  throw badRequestError(`choose something that your key may do: it has ${[...own].join(', ')}`);
}

const offeredScopes = ({ scopes }: AppRequest): readonly AccessScope[] =>
  scopes.length > 0 ? scopes : ACCESS_SCOPES;

function consentPage(
  request: AppRequest,
  sealed: string,
  chosen: readonly AccessScope[] = request.scopes.length > 0 ? request.scopes : ['read'],
  alert?: string,
): Html {
  const { clientName, clientId } = request;
  const source = clientId.startsWith('https:') ? html`<code>${clientId}</code>` : 'what it wrote of itself';
  return renderSignedOutPage(
    'Let an app in?',
    html`<form class="panel" method="post" action="${AUTHORIZATION_PATH}"><input type="hidden" name="request" value="${sealed}">
<dl class="facts"><dt>Who asks</dt><dd><b><bdi>${clientName || 'an app without a name'}</bdi></b></dd><dt>Known by</dt><dd>${source}</dd><dt>Goes back to</dt><dd><code>${placeOf(request)}</code></dd></dl>
<p class="caution">Magpie has not checked the name. If you did not begin this in the app just now, refuse.</p>
<fieldset><legend>What it may do with your notes, files, scans and monitors</legend><div class="chips">${offeredScopes(request).map((scope) => scopeBox(scope, chosen.includes(scope)))}</div></fieldset>
<label>Your key<input type="password" name="key" autocomplete="current-password" maxlength="8000"><small class="quiet">The app acts as the user of this key, and never sees it. When the key ends, so does the app’s access.</small></label>
<div class="row"><button class="main" name="decision" value="allow">Allow</button><button name="decision" value="refuse">Refuse</button></div></form>`,
    alert,
  );
}

/** Says where the answer goes: the host of a web app, or the scheme of an app on the user's device. */
function placeOf({ redirectUri }: AppRequest): string {
  const { protocol, host } = new URL(redirectUri);
  if (protocol === 'https:') return host;
  return protocol === 'http:' ? `an app on this device (${host})` : `an app on this device (${protocol})`;
}

function refusalPage(server: AuthorizationServer, request: AppRequest, refusal: AppError): Html {
  // Leads back by a link and not by itself, so that no one is led to a stranger's page unasked (RFC 9700, 4.11).
  const { oauth: error = 'invalid_request', message } = refusal;
  const back = server.answerAddress(request, { error, error_description: message });
  const link = html`<p><a class="button" href="${back}">Back to ${placeOf(request)}</a></p>`;
  return renderSignedOutPage('The app asks for what is not offered', link, toSentence(message));
}

/** Leads to the app by a page: after a redirect of a form, browsers hold `form-action` against the app's pages. */
function leave(c: Context<HttpEnv>, title: string, address: string): Promise<Response> {
  c.header('Refresh', `0; url=${address}`);
  const link = html`<p><a class="button main" href="${address}">Back to the app</a></p>`;
  return sendConsolePage(c, renderSignedOutPage(title, link), 200);
}
