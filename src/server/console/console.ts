import { type Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError, asAppError, forbiddenError } from '../../errors.ts';
import { parseSubmittedForm } from '../app/form.ts';
import { type Html, toSentence } from '../app/page.ts';
import { findUploadSession } from '../app/session.ts';
import { disconnectSignal, errorResponse, type HttpEnv } from '../http/edge.ts';
import { refuseUnintendedRequest } from '../http/guard.ts';
import { invokeOperation, type OperationPipeline } from '../invoke.ts';
import { addAutomationsPages } from './automations.ts';
import { addConnectPage } from './connect.ts';
import { addAskPage } from './find/ask.ts';
import { addEnginesPage } from './find/engines.ts';
import { addIndexedPagesPage } from './find/pages-read.ts';
import { SCRIPT_ASSET, STYLE_ASSET } from './frame/assets.ts';
import { renderConsolePage, renderSignedOutPage } from './frame/frame.ts';
import type { ConsoleContext, PageResult } from './frame/page.ts';
import {
  type ConsoleOptions,
  type ConsoleVisitor,
  checkFormToken,
  identifyVisitor,
  refuseCrossSite,
  renewSession,
  signIn,
  signOut,
  takeFlash,
} from './frame/visitor.ts';
import { addFilesPages } from './keep/files.ts';
import { addNotesPages, addNotesTransfer } from './keep/notes.ts';
import { addKeysPage } from './keys.ts';
import { addLogPage } from './log.ts';
import { addLogin, loginLink, signedOutPage } from './login.ts';
import { addSettingsPage } from './settings.ts';
import { addComplianceCheckPage } from './warn/check-page.ts';
import { addAttestationPages, addCompliancePages } from './warn/compliance.ts';
import { addMonitorForm } from './warn/monitor-form-route.ts';
import { addMaintenanceForm, addMonitorPage } from './warn/monitor-page.ts';
import { addMonitorsPage, addStatusPageForm } from './warn/monitors.ts';
import { addScanChangesPage, addScanPage } from './warn/scan-page.ts';
import { addScansPages } from './warn/scans.ts';

const HEADERS: readonly (readonly [string, string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ],
  // With `no-referrer`, this page's forms would have `Origin: null`, which the server refuses.
  ['Referrer-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
];

const PAGES: readonly ((parts: ConsoleContext) => void)[] = [
  addAskPage,
  addNotesPages,
  addNotesTransfer,
  addFilesPages,
  addScansPages,
  addScanPage,
  addScanChangesPage,
  addMonitorsPage,
  addMonitorPage,
  addMonitorForm,
  addMaintenanceForm,
  addStatusPageForm,
  addIndexedPagesPage,
  addConnectPage,
  addKeysPage,
  addEnginesPage,
  addSettingsPage,
  addLogPage,
  addCompliancePages,
  addComplianceCheckPage,
  addAttestationPages,
  addAutomationsPages,
];

export function createConsole(pipe: OperationPipeline, options: ConsoleOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(createErrorPage(pipe));
  for (const { name, type, text } of [STYLE_ASSET, SCRIPT_ASSET]) {
    app.get(`/assets/${name}`, (c) => {
      c.env.outgoing.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      return c.body(text, 200, { 'Content-Type': type });
    });
  }
  const parts: ConsoleContext = {
    pipe,
    settings: () => options.settings?.() ?? [],
    recentLog: () => options.recentLog?.() ?? [],
    apps: options.apps,
    localStart: async () => options.localStart?.(),
    signIn: (c, key) => signIn(c, pipe, options, key),
    renew: (c, visitor) => renewSession(c, pipe, options, visitor),
    requireOperator: needOperator,
    get(path, page, opens = 'keys') {
      app.get(path, async (c) => {
        setConsoleHeaders(c);
        refuseUnintendedRequest(
          { name: path, effect: 'read' },
          { headers: c.env.incoming.headers, listed: false, open: false },
        );
        const visitor = await identifyVisitor(c, pipe, options);
        if (!visitor) return sendConsolePage(c, signInPage(c, options), 401);
        if (visitor.filesOnly && opens !== 'files')
          return sendConsolePage(c, signInPage(c, options, FILES_ALONE), 401);
        return show(c, await page(c, visitor), visitor);
      });
    },
    post(path, act, { maxBytes = 0, opens = 'keys' } = {}) {
      app.post(path, async (c) => {
        setConsoleHeaders(c);
        refuseCrossSite(c);
        const visitor = await identifyVisitor(c, pipe, options);
        if (!visitor) throw sessionEnded();
        if (visitor.filesOnly && opens !== 'files') throw forbiddenError(FILES_ALONE);
        const form = await parseSubmittedForm(
          c.req.raw,
          typeof maxBytes === 'number' ? maxBytes : await maxBytes(),
        );
        await checkFormToken(c, pipe, visitor, form.field('form'));
        const next = await act(c, visitor, form);
        return typeof next === 'string' ? c.redirect(next, 303) : show(c, next, visitor);
      });
    },
    put(path, act) {
      app.put(path, async (c) => {
        setConsoleHeaders(c);
        refuseCrossSite(c);
        const visitor = await identifyVisitor(c, pipe, options);
        if (!visitor) throw sessionEnded();
        await checkFormToken(c, pipe, visitor, c.req.header('x-form') ?? '');
        return act(c, visitor);
      });
    },
    async call<Answer>(...[c, { caller }, operation, input, wishes]: Parameters<ConsoleContext['call']>) {
      const signal = disconnectSignal(c);
      const call = { operation, input, caller, signal, unknown: 'reject' } as const;
      const { output } = await invokeOperation(pipe, wishes ? { ...call, wishes } : call);
      return output as Answer;
    },
  };
  addSignIn(app, pipe, options);
  parts.post(
    '/sign-out',
    async (c, visitor) => {
      signOut(c);
      if (!visitor.person) return '/app/ask';
      return sendConsolePage(c, await signedOutPage(options), 200);
    },
    { opens: 'files' },
  );
  addLogin(app, { pipe, options, secure: setConsoleHeaders });
  app.get('/', async (c, next) => {
    if (c.req.query('pass') !== undefined) return next();
    setConsoleHeaders(c);
    const visitor = await identifyVisitor(c, pipe, options);
    if (!visitor) return sendConsolePage(c, signInPage(c, options), 401);
    return visitor.filesOnly || (await findUploadSession(c, pipe.services))
      ? next()
      : c.redirect('/app/ask', 302);
  });
  for (const addPage of PAGES) addPage(parts);
  return app;
}

/** Creates the answer to an error of a page: a page that says what to do. */
export function createErrorPage(pipe: OperationPipeline) {
  return async (thrown: unknown, c: Context<HttpEnv>): Promise<Response> => {
    const error = asAppError(thrown);
    if (error.code === 'internal') pipe.log.error({ err: thrown }, 'a page of the console failed');
    if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter));
    if (c.req.method === 'PUT') return errorResponse(error, c);
    const back = html`<p><a class="button" href="/app/ask">To the console</a></p>`;
    return sendConsolePage(
      c,
      renderSignedOutPage('That did not work', back, toSentence(error.message)),
      error.status,
    );
  };
}

function addSignIn(app: Hono<HttpEnv>, pipe: OperationPipeline, options: ConsoleOptions): void {
  app.post('/sign-in', async (c) => {
    setConsoleHeaders(c);
    refuseCrossSite(c);
    await options.identifyPageUser?.(undefined, c.get('client'));
    const form = await parseSubmittedForm(c.req.raw, 0);
    try {
      await signIn(c, pipe, options, form.field('key').trim().slice(0, 8000));
    } catch (thrown) {
      const { code, message, status } = asAppError(thrown);
      if (code !== 'unauthenticated') throw thrown;
      return sendConsolePage(c, signInPage(c, options, toSentence(message)), status);
    }
    return c.redirect('/app/ask', 303);
  });
}

/** Sets the headers of a page of the console. */
export function setConsoleHeaders(c: Context<HttpEnv>): void {
  for (const [name, value] of HEADERS) c.env.outgoing.setHeader(name, value);
}

export async function sendConsolePage(c: Context<HttpEnv>, page: Html, status: number): Promise<Response> {
  return c.html(page, status as ContentfulStatusCode);
}

async function show(c: Context<HttpEnv>, shown: PageResult, visitor: ConsoleVisitor): Promise<Response> {
  if (shown instanceof Response) return shown;
  return sendConsolePage(
    c,
    renderConsolePage({ flash: takeFlash(c), ...shown }, visitor),
    shown.alert === undefined ? 200 : 422,
  );
}

const FILES_ALONE = 'Your link opens your files alone. A key opens the rest.';

function needOperator({ operator }: ConsoleVisitor): void {
  if (operator) return;
  throw forbiddenError(
    'only the operator can open this page: on an open server, or with a key of the server’s own user that has all scopes',
  );
}

function sessionEnded(): AppError {
  return new AppError('unauthenticated', 'your session has ended: sign in again');
}

function signInPage(c: Context<HttpEnv>, options: ConsoleOptions, alert?: string): Html {
  const login = loginLink(c, options);
  const asks = login ? 'Or with a key:' : 'This server asks for a key.';
  return renderSignedOutPage(
    'Sign in',
    html`<section class="panel">${login ?? ''}<p>${asks} <code>magpie key create --scope read,write</code> makes one.</p>
<form method="post" action="/app/sign-in"><label>Key or access token<input type="password" name="key" autocomplete="current-password" required maxlength="8000"></label>
<button${login ? '' : raw(' class="main"')}>Sign in</button></form></section>`,
    alert,
  );
}
