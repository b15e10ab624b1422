import { type Context, Hono } from 'hono';
import { AppError, asAppError } from '../../errors.ts';
import { type ProcessorMeter, withProcessorMeter } from '../../lib/workers/processor-meter.ts';
import { errorResponse, type HttpEnv } from '../http/edge.ts';
import type { Pipe } from '../invoke.ts';
import { addCredentialPage } from './credentials.ts';
import { addFileRoutes } from './file-routes.ts';
import { parseSubmittedForm } from './form.ts';
import { errorPage, FILE_LIST_LINK } from './page.ts';
import { addPageRoutes } from './page-routes.ts';
import { APP_SCRIPT } from './page-script.ts';
import { findUploadSession, noSessionError } from './session.ts';
import { APP_STYLE } from './style.ts';
import { sendPage, toSentence, type UploadAppContext, type UploadAppOptions } from './upload-app-context.ts';

const HEADERS: readonly (readonly [string, string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ],
  // With `no-referrer`, browsers send `Origin: null` with the page's own forms, which the server would refuse.
  ['Referrer-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
];

const ROUTES: readonly (readonly [path: string, methods: string])[] = [
  ['/', 'GET, HEAD'],
  ['/pages/:name', 'GET, HEAD'],
  ['/pictures/:name', 'GET, HEAD'],
  ['/reading', 'GET, HEAD'],
  ['/credentials/:ticket', 'GET, HEAD, POST'],
  ['/files/:name', 'GET, HEAD, PUT'],
  ...['/files', '/delete', '/leave', '/end'].map((path) => [path, 'POST'] as const),
];

/** Serves the upload page, its files and the content of access URLs. A signed link opens the page, a cookie keeps it open. */
export function createUploadApp(pipe: Pipe, options: UploadAppOptions): Hono<HttpEnv> {
  const { publicUrl, readOnly = false, home = '/app', identifyPageUser, openUser } = options;
  const parts: UploadAppContext = {
    pipe,
    readOnly,
    home,
    secure: publicUrl?.startsWith('https:') === true,
    async applyUserLimits(c, session) {
      if (session) c.set('pageUser', await identifyPageUser?.(session.owner, c.get('client')));
      return session;
    },
    async findOpeningLink() {
      const user = await openUser?.();
      if (user === undefined) return undefined;
      const pass = await (await pipe.services.passes()).issuePass('link', user);
      return { href: `/app?pass=${encodeURIComponent(pass)}`, words: `Open the files of ${user}` };
    },
    async findNextLink(c) {
      const session = await findUploadSession(c, pipe.services).catch(() => undefined);
      return session ? FILE_LIST_LINK : parts.findOpeningLink(c);
    },
    async readSessionForm(c, maxBytes) {
      // The server reads two large forms at a time, so strangers could block it.
      if (!(await findUploadSession(c, pipe.services))) throw noSessionError();
      return parseSubmittedForm(c.req.raw, maxBytes);
    },
  };
  const app = new Hono<HttpEnv>();
  addEdge(app, parts, options);
  app.get('/style.css', (c) => asset(c, APP_STYLE, 'text/css'));
  app.get('/script.js', (c) => asset(c, APP_SCRIPT, 'text/javascript'));
  addPageRoutes(app, parts);
  addFileRoutes(app, parts);
  if (pipe.desk) addCredentialPage(app, pipe.desk);
  for (const [path, methods] of ROUTES) {
    app.all(path, async (c) => {
      c.env.outgoing.setHeader('Allow', methods);
      const why = `${c.req.path.slice(0, 200)} takes ${methods}: a file is uploaded by PUT /app/files/{name}`;
      if (!c.req.header('accept')?.includes('text/html')) return c.json({ error: why }, 405);
      // Browsers send GET if the user reloads the page after sending the form.
      return sendPage(
        c,
        errorPage('Nothing here', 'This address takes forms only.', await parts.findNextLink(c)),
        405,
      );
    });
  }
  app.get('/*', (c) => {
    if (c.req.path === '/app/') return c.redirect(`/app${new URL(c.req.url).search}`, 308);
    throw new AppError('not_found', 'there is nothing at this address');
  });
  return app;
}

const PAGE_READ = 'app';
const PAGE_WRITE = 'app upload';

/** Adds headers, rate limits, usage records and error pages. Must be called before any route is added. */
function addEdge(
  app: Hono<HttpEnv>,
  { pipe, findOpeningLink, findNextLink }: UploadAppContext,
  { identifyPageUser, createMeter }: UploadAppOptions,
): void {
  app.use((c, next) => {
    for (const [name, value] of HEADERS) c.env.outgoing.setHeader(name, value);
    return next();
  });
  app.use(async (c, next) => {
    const began = performance.now();
    await identifyPageUser?.(undefined, c.get('client'));
    let meter: ProcessorMeter | undefined;
    const count: ProcessorMeter = (...cost) => {
      const owner = c.get('pageUser');
      if (owner) meter ??= createMeter?.(owner, c.get('client'));
      meter?.(...cost);
    };
    await withProcessorMeter(count, next);
    const user = c.get('pageUser');
    if (!user) return;
    const outcome = c.error ? asAppError(c.error).code : 'ok';
    const name = c.req.method === 'GET' ? PAGE_READ : PAGE_WRITE;
    pipe.accounting?.recordCall(user, name, outcome, performance.now() - began);
  });
  app.onError(async (thrown, c) => {
    const error = asAppError(thrown);
    if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter));
    if (error.code === 'internal') pipe.log.error({ err: thrown }, 'the upload page failed');
    if (c.req.method === 'PUT') return errorResponse(error, c);
    const closed = error.code === 'unauthenticated';
    const title = closed ? 'Closed' : 'That did not work';
    // Without a session, the list of files would fail with the same error.
    const next = closed ? await findOpeningLink(c) : await findNextLink(c);
    return sendPage(c, errorPage(title, toSentence(error.message), next), error.status);
  });
}

function asset(c: Context<HttpEnv>, text: string, type: string): Response {
  c.env.outgoing.setHeader('Cache-Control', 'public, max-age=86400');
  return c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8` });
}
