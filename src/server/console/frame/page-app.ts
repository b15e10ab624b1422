import { type Context, Hono, type Next } from 'hono';
import { html, raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError, asAppError, forbiddenError, notFoundError } from '../../../errors.ts';
import { type ProcessorMeter, withProcessorMeter } from '../../../lib/workers/processor-meter.ts';
import { parseSubmittedForm } from '../../app/form.ts';
import {
  closeUploadSession,
  findUploadSession,
  identifyByPass,
  noSessionError,
  openUploadSession,
} from '../../app/session.ts';
import { type Html, renderBackticksAsCode, toSentence } from '../../html.ts';
import { disconnectSignal, errorResponse, type HttpEnv } from '../../http/edge.ts';
import { refusePrefetch, refuseUnintendedRequest } from '../../http/guard.ts';
import { invokeOperation, type OperationPipeline } from '../../invoke.ts';
import { loginLink, signedOutPage } from '../login.ts';
import { ASSETS } from './assets.ts';
import { renderConsolePage, renderSignedOutPage } from './frame.ts';
import type { ConsoleContext, PageResult } from './page.ts';
import {
  type ConsoleOptions,
  type ConsoleVisitor,
  checkFormToken,
  identifyVisitor,
  linkHolder,
  type PageAdmission,
  refuseCrossSite,
  renewSession,
  signIn,
  signOut,
  takeFlash,
} from './visitor.ts';

const HEADERS: readonly (readonly [string, string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ],
  // With `no-referrer`, this page's forms would have `Origin: null`, which the server refuses.
  ['Referrer-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
];

const FILES_ALONE = 'Your link opens your files alone. A key opens the rest.';
export const NEW_LINK = 'A new link opens it again: ask your assistant for one with /pdfload.';
const LINK_READ = 'app';
const LINK_WRITE = 'app upload';

export type AddPages = (parts: ConsoleContext, app: Hono<HttpEnv>) => void;

/** Creates an app of pages in the console's frame: the console, or the files alone where no one can sign in. */
export function createPageApp(
  pipe: OperationPipeline,
  options: ConsoleOptions,
  pages: readonly AddPages[],
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(createErrorPage(pipe, options));
  app.use((c, next) => {
    setConsoleHeaders(c);
    return recordLinkUse(pipe, options, c, next);
  });
  for (const { name, type, text } of ASSETS) {
    app.get(`/assets/${name}`, (c) => {
      c.env.outgoing.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      return c.body(text, 200, { 'Content-Type': type });
    });
  }
  const methods = new Map<string, string[]>();
  const parts = createContext(pipe, options, app, methods);
  methods.set('/', ['GET, HEAD']);
  app.get('/', (c) => openApp(c, pipe, options));
  addSignOut(parts, options);
  for (const addPages of pages) addPages(parts, app);
  for (const [path, allowed] of methods) {
    app.all(path, (c) => refuseMethod(c, pipe, options, allowed.join(', ')));
  }
  app.get('/*', (c) => {
    if (c.req.path === '/app/') return c.redirect(`/app${new URL(c.req.url).search}`, 308);
    throw notFoundError('there is nothing at this address');
  });
  return app;
}

function createContext(
  pipe: OperationPipeline,
  options: ConsoleOptions,
  app: Hono<HttpEnv>,
  methods: Map<string, string[]>,
): ConsoleContext {
  const note = (path: string, ...added: string[]) =>
    methods.set(path, [...(methods.get(path) ?? []), ...added]);
  return {
    pipe,
    settings: () => options.settings?.() ?? [],
    recentLog: () => options.recentLog?.() ?? [],
    apps: options.apps,
    localStart: async () => options.localStart?.(),
    signIn: (c, key) => signIn(c, pipe, options, key),
    renew: (c, visitor) => renewSession(c, pipe, options, visitor),
    requireOperator: needOperator,
    get(path, page, admission = {}) {
      note(path, 'GET', 'HEAD');
      app.get(path, async (c) => {
        refuseUnintendedRequest(
          { name: path, effect: 'read' },
          { headers: c.env.incoming.headers, listed: false, open: false },
        );
        const visitor = await identifyVisitor(c, pipe, options, admission);
        if (!visitor || isOutsideFiles(visitor, admission)) {
          return sendSignInPage(c, options, visitor && FILES_ALONE);
        }
        return show(c, await page(c, visitor), visitor);
      });
    },
    post(path, act, { maxBytes = 0, ...admission } = {}) {
      note(path, 'POST');
      app.post(path, async (c) => {
        refuseCrossSite(c);
        // Requires a visitor before reading the form. Otherwise, strangers could block the server with large forms.
        const visitor = await identifyVisitor(c, pipe, options, admission);
        if (!visitor) throw sessionEnded(options);
        if (isOutsideFiles(visitor, admission)) throw forbiddenError(FILES_ALONE);
        const most = typeof maxBytes === 'number' ? maxBytes : await maxBytes();
        const form = await parseSubmittedForm(c.req.raw, most);
        await checkFormToken(c, pipe, visitor, form.field('form'));
        const next = await act(c, visitor, form);
        return typeof next === 'string' ? c.redirect(next, 303) : show(c, next, visitor);
      });
    },
    put(path, act) {
      note(path, 'PUT');
      app.put(path, async (c) => {
        refuseCrossSite(c);
        return act(c, await identifyUploader(c, pipe, options));
      });
    },
    async call<Answer>(...[c, { caller }, operation, input, wishes]: Parameters<ConsoleContext['call']>) {
      const signal = disconnectSignal(c);
      const call = { operation, input, caller, signal, unknown: 'reject' } as const;
      const { output } = await invokeOperation(pipe, wishes ? { ...call, wishes } : call);
      return output as Answer;
    },
  };
}

function addSignOut({ post }: ConsoleContext, options: ConsoleOptions): void {
  post('/sign-out', async (c, visitor) => {
    signOut(c);
    return visitor.person ? sendConsolePage(c, await signedOutPage(options), 200) : '/app/ask';
  });
  // Apart from the sign-out, because the form of a console page belongs to who signed in, not to the link.
  post(
    '/close',
    async (c, visitor) => {
      closeUploadSession(c);
      if (!visitor.filesOnly || visitor.signedInAs !== undefined) return '/app/files';
      const closed = html`<p>The page is closed. ${NEW_LINK}</p>`;
      return sendConsolePage(c, renderSignedOutPage('Closed', closed), 200);
    },
    { opens: 'files' },
  );
}

/** Opens the console, or the files of a link. */
async function openApp(
  c: Context<HttpEnv>,
  pipe: OperationPipeline,
  options: ConsoleOptions,
): Promise<Response> {
  const pass = c.req.query('pass');
  if (pass !== undefined) {
    const { headers } = c.env.incoming;
    refusePrefetch(headers);
    // A picture or frame of another page would let its author change unnoticed whose files this browser opens.
    refuseUnintendedRequest({ name: '/app', effect: 'read' }, { headers, listed: false, open: false });
    await options.identifyPageUser?.(undefined, c.get('client'));
    await openUploadSession(c, pipe.services, pass, options.publicUrl?.startsWith('https:') === true);
    // Opens the list from a page, because after a redirect browsers may omit the cookie that was just set.
    return sendConsolePage(c, redirectPage(fileListAddress(c.req.query('collection'))), 200);
  }
  const visitor = await identifyVisitor(c, pipe, options, { opens: 'files', counted: false });
  if (!visitor) return sendSignInPage(c, options);
  const hasLink = visitor.filesOnly || (await findUploadSession(c, pipe.services));
  return c.redirect(hasLink ? '/app/files' : '/app/ask', 302);
}

export function fileListAddress(collection: string | undefined): string {
  return collection ? `/app/files?${new URLSearchParams({ collection })}` : '/app/files';
}

/** Returns a page that opens the list of files. The link's secret then leaves the address bar. */
function redirectPage(list: string): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0;url=${list}"><title>Magpie</title></head>
<body><p><a href="${list}">Continue to your files</a></p></body></html>`;
}

/** Identifies the user by a link's secret, or by session and form token. Other sites know none of these. */
async function identifyUploader(
  c: Context<HttpEnv>,
  pipe: OperationPipeline,
  options: ConsoleOptions,
): Promise<ConsoleVisitor> {
  const pass = c.req.query('pass');
  if (pass !== undefined) {
    await options.identifyPageUser?.(undefined, c.get('client'));
    return linkHolder(c, options, { owner: await identifyByPass(pipe.services, 'link', pass), form: '' });
  }
  const visitor = await identifyVisitor(c, pipe, options, { opens: 'files' });
  if (!visitor) throw sessionEnded(options);
  await checkFormToken(c, pipe, visitor, c.req.header('x-form') ?? '');
  return visitor;
}

async function recordLinkUse(
  pipe: OperationPipeline,
  { createMeter }: ConsoleOptions,
  c: Context<HttpEnv>,
  next: Next,
): Promise<void> {
  const began = performance.now();
  let meter: ProcessorMeter | undefined;
  const count: ProcessorMeter = (...cost) => {
    const user = c.get('linkUser');
    if (user) meter ??= createMeter?.(user, c.get('client'));
    meter?.(...cost);
  };
  await withProcessorMeter(count, next);
  const user = c.get('linkUser');
  if (!user) return;
  const outcome = c.error ? asAppError(c.error).code : 'ok';
  const name = c.req.method === 'GET' ? LINK_READ : LINK_WRITE;
  pipe.accounting?.recordCall(user, name, outcome, performance.now() - began);
}

function isOutsideFiles({ filesOnly }: ConsoleVisitor, { opens = 'keys' }: PageAdmission): boolean {
  return filesOnly === true && opens === 'keys';
}

/** Creates the answer to an error of a page: a page that says what to do. */
export function createErrorPage(pipe: OperationPipeline, options: ConsoleOptions) {
  return async (thrown: unknown, c: Context<HttpEnv>): Promise<Response> => {
    const error = asAppError(thrown);
    if (error.code === 'internal') pipe.log.error({ err: thrown }, 'a page of the console failed');
    if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter));
    if (c.req.method === 'PUT') return errorResponse(error, c);
    const next = await findNextLink(c, pipe, options);
    const title = error.code === 'unauthenticated' && !next ? 'Closed' : 'That did not work';
    return sendConsolePage(
      c,
      renderSignedOutPage(title, next ?? html``, toSentence(error.message)),
      error.status,
    );
  };
}

async function findNextLink(
  c: Context<HttpEnv>,
  pipe: OperationPipeline,
  { linksOnly }: ConsoleOptions,
): Promise<Html | undefined> {
  const session = await findUploadSession(c, pipe.services).catch(() => undefined);
  if (session) return html`<p><a class="button" href="/app/files">To the list of files</a></p>`;
  return linksOnly ? undefined : html`<p><a class="button" href="/app/ask">To the console</a></p>`;
}

async function refuseMethod(
  c: Context<HttpEnv>,
  pipe: OperationPipeline,
  options: ConsoleOptions,
  allowed: string,
): Promise<Response> {
  c.env.outgoing.setHeader('Allow', allowed);
  if (!c.req.header('accept')?.includes('text/html')) {
    const path = c.req.path.slice(0, 200);
    const error = `${path} takes ${allowed}: a file is uploaded by PUT /app/files/{name}`;
    return c.json({ error }, 405);
  }
  const next = (await findNextLink(c, pipe, options)) ?? html``;
  return sendConsolePage(c, renderSignedOutPage('Nothing here', next, 'This address takes forms only.'), 405);
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

function needOperator({ operator }: ConsoleVisitor): void {
  if (operator) return;
  throw forbiddenError(
    'only the operator can open this page: on an open server, or with a key of the server’s own user that has all scopes',
  );
}

function sessionEnded({ linksOnly }: ConsoleOptions): AppError {
  return linksOnly
    ? noSessionError()
    : new AppError('unauthenticated', 'your session has ended: sign in again');
}

export async function sendSignInPage(
  c: Context<HttpEnv>,
  options: ConsoleOptions,
  alert?: string,
  status = 401,
): Promise<Response> {
  if (options.linksOnly) throw noSessionError();
  const login = loginLink(c, options);
  const asks = login ? 'Or with a key:' : 'This server asks for a key.';
  const page = renderSignedOutPage(
    'Sign in',
    html`<section class="panel">${login ?? ''}<p>${asks} <code>magpie key create --scope read,write</code> makes one.</p>
<form method="post" action="/app/sign-in"><label>Key or access token<input type="password" name="key" autocomplete="current-password" required maxlength="8000"></label>
<button${login ? '' : raw(' class="main"')}>Sign in</button></form>
<p class="quiet">${renderBackticksAsCode('A link opens your files without a key: ask your assistant for one with /pdfload, or run `magpie call pdfload`.')}</p></section>`,
    alert,
  );
  return sendConsolePage(c, page, status);
}
