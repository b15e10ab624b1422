import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { AppError, asAppError, badRequestError, forbiddenError, notFoundError } from '../../errors.ts';
import { readStandalonePageStyle } from '../../lib/page-styles.ts';
import { type ProcessorMeter, withProcessorMeter } from '../../lib/workers/processor-meter.ts';
import type { CredentialPages, CredentialRequest } from '../credential-pages.ts';
import { errorResponse, type HttpEnv } from '../http/edge.ts';
import type { OperationPipeline } from '../invoke.ts';
import { describePageCount } from './file-kinds.ts';
import { addFile, readUploadedFile, sendAsAttachment } from './file-transfer.ts';
import { parseSubmittedForm } from './form.ts';
import {
  describeReadingProgress,
  errorPage,
  FILE_LIST_LINK,
  fileListAddress,
  filePageHtml,
  type Html,
  redirectPage,
  renderLayout,
  sendFileList,
  sendPage,
  toSentence,
  type UploadAppContext,
  type UploadAppOptions,
} from './page.ts';
import { UPLOAD_APP_SCRIPT } from './page-script.ts';
import { readRequestedPage, sendPageImage } from './requested-page.ts';
import {
  checkFormSession,
  closeUploadSession,
  findUploadSession,
  identifyFileOwner,
  identifyUploader,
  linkExpiredError,
  noSessionError,
  openUploadSession,
} from './session.ts';

const STYLE = readStandalonePageStyle(new URL('./style.css', import.meta.url));
const HEADERS: readonly (readonly [string, string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ],
  // With `no-referrer`, this page's forms would have `Origin: null`, which the server refuses.
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

export function createUploadApp(pipe: OperationPipeline, options: UploadAppOptions): Hono<HttpEnv> {
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
      // Requires a session before reading the form. Otherwise, strangers could block the server with large forms.
      if (!(await findUploadSession(c, pipe.services))) throw noSessionError();
      return parseSubmittedForm(c.req.raw, maxBytes);
    },
  };
  const app = new Hono<HttpEnv>();
  addEdge(app, parts, options);
  app.get('/style.css', (c) => asset(c, STYLE, 'text/css'));
  app.get('/script.js', (c) => asset(c, UPLOAD_APP_SCRIPT, 'text/javascript'));
  addPageRoutes(app, parts);
  addFileRoutes(app, parts);
  if (pipe.desk) addCredentialPage(app, pipe.desk);
  for (const [path, methods] of ROUTES) {
    app.all(path, async (c) => {
      c.env.outgoing.setHeader('Allow', methods);
      const why = `${c.req.path.slice(0, 200)} takes ${methods}: a file is uploaded by PUT /app/files/{name}`;
      if (!c.req.header('accept')?.includes('text/html')) return c.json({ error: why }, 405);
      return sendPage(
        c,
        errorPage('Nothing here', 'This address takes forms only.', await parts.findNextLink(c)),
        405,
      );
    });
  }
  app.get('/*', (c) => {
    if (c.req.path === '/app/') return c.redirect(`/app${new URL(c.req.url).search}`, 308);
    throw notFoundError('there is nothing at this address');
  });
  return app;
}

const PAGE_READ = 'app';
const PAGE_WRITE = 'app upload';

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
    const next = closed ? await findOpeningLink(c) : await findNextLink(c);
    return sendPage(c, errorPage(title, toSentence(error.message), next), error.status);
  });
}

function asset(c: Context<HttpEnv>, text: string, type: string): Response {
  c.env.outgoing.setHeader('Cache-Control', 'public, max-age=86400');
  return c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8` });
}

const MAX_CREDENTIAL_CHARS = 2000;

function addCredentialPage(app: Hono<HttpEnv>, desk: CredentialPages): void {
  app.get('/credentials/:ticket', async (c) => c.html(formPage(await requestOf(c, desk))));

  app.post('/credentials/:ticket', async (c) => {
    const names = Object.keys((await requestOf(c, desk)).credentials);
    const form = await parseSubmittedForm(c.req.raw, 0);
    const values = Object.fromEntries(names.map((name) => [name, form.field(name).trim()]));
    const empty = names.filter((name) => !values[name] || values[name].length > MAX_CREDENTIAL_CHARS);
    if (empty.length > 0) {
      throw badRequestError(
        `${empty.join(' and ')} has to be filled in, with at most ${MAX_CREDENTIAL_CHARS} characters`,
      );
    }
    if (!(await desk.giveCredentials(c.req.param('ticket'), values))) throw pageEnded();
    return c.html(donePage());
  });
}

async function requestOf(c: Context<HttpEnv>, desk: CredentialPages): Promise<CredentialRequest> {
  const request = await desk.findRequest(c.req.param('ticket') ?? '');
  if (!request) throw pageEnded();
  return request;
}

function pageEnded(): AppError {
  return new AppError(
    'unauthenticated',
    'this page has ended, or was used already: ask your assistant again',
  );
}

function formPage({ title, caller, purpose, credentials }: CredentialRequest): Html {
  return renderLayout(
    title,
    html`<main id="main"><h1>${title}</h1>
<p><bdi>${capitalised(purpose)}</bdi></p>
<p class="quiet">Your assistant asked for this, for the user <b><bdi>${caller.id}</bdi></b> of this server. What you enter here is sent to the service it belongs to and is not stored. Close this page if you did not ask for it.</p>
<form class="panel" method="post">${Object.entries(credentials).map(
      ([name, words]) =>
        html`<p><label for="${name}">${capitalised(words)}</label><input id="${name}" name="${name}" type="password" autocomplete="off" required maxlength="${MAX_CREDENTIAL_CHARS}" aria-describedby="${name}-name"><small id="${name}-name">The parameter <code>${name}</code></small></p>`,
    )}<button class="main">Continue</button></form></main>`,
  );
}

function donePage(): Html {
  return renderLayout(
    'Done',
    html`<main id="main"><h1>Done</h1><p>You can close this page; your assistant continues.</p></main>`,
  );
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function addFileRoutes(app: Hono<HttpEnv>, parts: UploadAppContext): void {
  addReading(app, parts);
  addUploads(app, parts);
  const { pipe, readOnly, applyUserLimits, readSessionForm } = parts;
  app.post('/delete', async (c) => {
    const form = await readSessionForm(c, 0);
    const { owner } = await applyUserLimits(c, await checkFormSession(c, pipe.services, form.field('form')));
    if (readOnly) throw forbiddenError('this server is read-only: no file can be deleted');
    await (await pipe.services.documents()).removeDocument(owner, form.field('name'));
    return c.redirect('/app', 303);
  });
}

function addReading(app: Hono<HttpEnv>, { pipe: { services }, applyUserLimits }: UploadAppContext): void {
  app.get('/files/:name', async (c) => {
    const name = c.req.param('name');
    const owner = await identifyFileOwner(c, services, name);
    if (c.req.query('page') !== undefined) {
      return c.redirect(`/app/pages/${encodeURIComponent(name)}${new URL(c.req.url).search}`, 302);
    }
    await applyUserLimits(c, { owner });
    return sendAsAttachment(c, await services.documents(), owner, name);
  });

  app.get('/reading', async (c) => {
    // These requests do not count as usage, because the page repeats them while a file is read.
    const session = await findUploadSession(c, services);
    if (!session) throw noSessionError();
    const reading = (await services.documents()).listReading(session.owner);
    return c.json(reading.map((one) => ({ ...one, words: describeReadingProgress(one) })));
  });
}

function addUploads(app: Hono<HttpEnv>, parts: UploadAppContext): void {
  const { pipe, applyUserLimits, readSessionForm } = parts;
  const { services } = pipe;

  app.put('/files/:name', async (c) => {
    const { owner } = await applyUserLimits(c, await identifyUploader(c, services));
    const { maxBytes } = await services.documents();
    const added = await addFile(c, parts, owner, readUploadedFile(c, c.req.param('name'), maxBytes));
    return c.json({ ...added, words: describePageCount(added) }, 201);
  });

  app.post('/files', async (c) => {
    const { maxBytes } = await services.documents();
    const form = await readSessionForm(c, maxBytes);
    const session = await applyUserLimits(c, await checkFormSession(c, services, form.field('form')));
    const collection = form.field('collection').trim() || undefined;
    const password = form.field('password') || undefined;
    const failures: AppError[] = [];
    for (const file of form.files) {
      const added = { name: file.name, bytes: file.stream(), password, collection };
      await addFile(c, parts, session.owner, added).catch((thrown: unknown) =>
        failures.push(asAppError(thrown)),
      );
    }
    if (form.files.length === 0) failures.push(badRequestError('no file was chosen'));
    const [first] = failures;
    if (!first) return c.redirect(fileListAddress(collection), 303);
    const words = failures.map(({ message }) => toSentence(message));
    return sendFileList(c, parts, session, words, first.status, collection);
  });
}

const NEW_LINK = ' A new link opens it again: ask your assistant for one with /pdfload.';

async function readerOf(c: Context<HttpEnv>, { pipe, applyUserLimits }: UploadAppContext) {
  const pass = c.req.query('pass');
  const owner = await identifyFileOwner(c, pipe.services, c.req.param('name') ?? '');
  return { ...(await applyUserLimits(c, { owner })), pass };
}

function addPageRoutes(app: Hono<HttpEnv>, parts: UploadAppContext): void {
  const { pipe, secure, applyUserLimits, readSessionForm } = parts;
  const { services } = pipe;

  app.get('/', async (c) => {
    const pass = c.req.query('pass');
    if (pass === undefined) {
      const session = await applyUserLimits(c, await findUploadSession(c, services));
      if (!session) throw noSessionError();
      return sendFileList(c, parts, session);
    }
    if ((await openUploadSession(c, services, pass, secure)) === undefined) throw linkExpiredError();
    // Opens the list from a page, because after a redirect browsers may omit the cookie that was just set.
    return sendPage(c, redirectPage(parts.home, c.req.query('collection')));
  });

  app.get('/pages/:name', async (c) => {
    const { owner, pass } = await readerOf(c, parts);
    const room = await services.documents();
    const name = c.req.param('name');
    const document = await room.getDocument(owner, name);
    return sendPage(
      c,
      filePageHtml({ document, pass, ...(await readRequestedPage(c, services, owner, name)) }),
    );
  });

  app.get('/pictures/:name', async (c) => {
    const { owner } = await readerOf(c, parts);
    const picture = await sendPageImage(c, services, owner, c.req.param('name'));
    if (picture) return picture;
    throw notFoundError('this page cannot be drawn: its text is on its page');
  });

  app.post('/leave', async (c) => {
    const form = await readSessionForm(c, 0);
    await applyUserLimits(c, await checkFormSession(c, services, form.field('form')));
    closeUploadSession(c);
    const next = await parts.findOpeningLink(c);
    return sendPage(c, errorPage('Closed', `The page is closed.${next ? '' : NEW_LINK}`, next));
  });

  app.post('/end', async (c) => {
    const form = await readSessionForm(c, 0);
    const { owner } = await applyUserLimits(c, await checkFormSession(c, services, form.field('form')));
    await (await services.passes()).endPasses(owner);
    closeUploadSession(c);
    const next = await parts.findOpeningLink(c);
    const why = `All links and open pages of ${owner} are ended.${next ? '' : NEW_LINK}`;
    return sendPage(c, errorPage('Signed out everywhere', why, next));
  });
}
