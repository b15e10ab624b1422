import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Caller } from '../../caller.ts';
import { AppError, asAppError } from '../../errors.ts';
import { type Edge, errorResponse, untilGone, type Visitor } from '../http/rest.ts';
import type { Pipe } from '../invoke.ts';
import { addCredentialPage } from './credentials.ts';
import { download } from './download.ts';
import { readForm } from './form.ts';
import { faultPage, type Html, listPage, openingPage, readingWords, textPage } from './page.ts';
import { APP_SCRIPT } from './page-script.ts';
import {
  closeSession,
  noSession,
  openSession,
  overLink,
  type Session,
  sessionOf,
  sessionOfForm,
  uploader,
} from './session.ts';
import { APP_STYLE } from './style.ts';

const HEADERS: readonly (readonly [string, string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ],
  // With no-referrer a browser would send `Origin: null` with the page's own forms.
  ['Referrer-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
];

/** What each address takes. */
const ROUTES: readonly (readonly [path: string, methods: string])[] = [
  ['/', 'GET, HEAD'],
  ['/pages/:name', 'GET, HEAD'],
  ['/reading', 'GET, HEAD'],
  ['/credentials/:ticket', 'GET, HEAD, POST'],
  ['/files/:name', 'GET, HEAD, PUT'],
  ...['/files', '/delete', '/leave', '/end'].map((path) => [path, 'POST'] as const),
];

/** Files in the list before "Show more". */
const SHOWN = 100;

/** What limits and the record of use know a request of the page by. */
const UPLOAD = { name: 'app upload', effect: 'write', openWorld: false } as const;
const LOOK = { name: 'app', effect: 'read', openWorld: false } as const;

export interface UploadAppOptions {
  readonly publicUrl?: string | undefined;
  readonly readOnly?: boolean;
  /** Holds a request to its limits, first by address and then by user; throws AppError. */
  readonly atPage?: (user: string | undefined, visit: Visitor) => Caller | undefined;
}

/**
 * The upload page, its files and the bytes behind access URLs. It asks for no key: a signed link opens it, and a
 * cookie keeps it open for that user and for nothing but uploaded files.
 */
export function createUploadApp(
  pipe: Pipe,
  { publicUrl, readOnly = false, atPage }: UploadAppOptions,
): Hono<Edge> {
  const { services, watch } = pipe;
  const app = new Hono<Edge>();
  const secure = publicUrl?.startsWith('https:') === true;

  app.use((c, next) => {
    for (const [name, value] of HEADERS) c.env.outgoing.setHeader(name, value);
    return next();
  });
  app.use(async (c, next) => {
    const began = performance.now();
    atPage?.(undefined, c.get('visit'));
    await next();
    const visitor = c.get('visitor');
    if (!visitor) return;
    const { name } = c.req.method === 'GET' ? LOOK : UPLOAD;
    const outcome = c.error ? asAppError(c.error).code : 'ok';
    watch?.ended(visitor, name, outcome, performance.now() - began);
  });
  const known = <S extends { readonly owner: string } | undefined>(c: Context<Edge>, session: S): S => {
    if (session) c.set('visitor', atPage?.(session.owner, c.get('visit')));
    return session;
  };
  app.onError((thrown, c) => {
    const error = asAppError(thrown);
    // Told by the limits, if it was they.
    if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter));
    if (error.code === 'internal') pipe.log.error({ err: thrown }, 'the upload page failed');
    if (c.req.method === 'PUT') return errorResponse(error, c);
    const title = error.code === 'unauthenticated' ? 'Closed' : 'That did not work';
    return page(c, faultPage(title, sentence(error.message)), error.status);
  });

  const list = async (c: Context<Edge>, session: Session, alert: readonly string[] = [], status = 200) => {
    const room = await services.documents();
    const q = (c.req.query('q') ?? '').trim().slice(0, 200);
    const found = q
      ? await room.searchDocuments(session.owner, q, untilGone(c))
      : (await room.listDocuments(session.owner)).map((document) => ({ document }));
    const show = Math.min(Math.max(Math.trunc(Number(c.req.query('show'))) || SHOWN, SHOWN), 10_000);
    const [usage, reading] = [await room.readUsage(session.owner), room.listReading(session.owner)];
    const { maxBytes } = room;
    const view = { session, found, reading, usage, maxBytes, q, show, readOnly };
    return page(c, listPage(view, alert), status);
  };
  const add = async (c: Context<Edge>, owner: string, name: string, bytes: AsyncIterable<Uint8Array>) => {
    if (readOnly) throw new AppError('forbidden', 'this server is read-only: no file can be added');
    const visitor = c.get('visitor');
    const leave = visitor && (await watch?.enter(visitor, UPLOAD));
    const work = services
      .documents()
      .then((room) => room.addDocument(owner, name, bytes, untilGone(c)))
      .finally(leave);
    pipe.running.add(work);
    const ended = () => pipe.running.delete(work);
    work.then(ended, ended);
    return work;
  };

  // Read for who has the page open alone: large forms take turns, and nobody else's may hold them up.
  const formOf = async (c: Context<Edge>, maxBytes: number) => {
    if (!(await sessionOf(c, services))) throw noSession();
    return readForm(c.req.raw, maxBytes);
  };

  app.get('/style.css', (c) => asset(c, APP_STYLE, 'text/css'));
  app.get('/script.js', (c) => asset(c, APP_SCRIPT, 'text/javascript'));

  app.get('/', async (c) => {
    const pass = c.req.query('pass');
    if (pass === undefined) {
      const session = known(c, await sessionOf(c, services));
      if (!session) throw noSession();
      return list(c, session);
    }
    if ((await openSession(c, services, pass, secure)) === undefined) throw overLink();
    // Not a redirect: a browser that comes from another site would not send the new cookie along with it.
    return page(c, openingPage());
  });

  app.get('/pages/:name', async (c) => {
    const session = known(c, await sessionOf(c, services));
    if (!session) throw noSession();
    const room = await services.documents();
    const document = await room.getDocument(session.owner, c.req.param('name'));
    const number = Number(c.req.query('page') ?? 1);
    return page(c, textPage(document, number, await room.readPage(session.owner, document.name, number)));
  });

  app.get('/files/:name', async (c) => {
    const name = c.req.param('name');
    const pass = c.req.query('pass');
    const owner =
      pass === undefined
        ? (await sessionOf(c, services))?.owner
        : await (await services.passes()).checkPass('file', pass, name);
    if (owner !== undefined) known(c, { owner });
    if (owner !== undefined) return download(c, await services.documents(), owner, name);
    if (pass === undefined) throw noSession();
    throw new AppError('unauthenticated', 'this link is over, or not whole: listpdfs gives a new one');
  });

  app.get('/reading', async (c) => {
    // Asked every moment while a file is read: it would drown all else in the record of use.
    const session = await sessionOf(c, services);
    if (!session) throw noSession();
    const reading = (await services.documents()).listReading(session.owner);
    return c.json(reading.map((one) => ({ ...one, words: readingWords(one) })));
  });

  app.put('/files/:name', async (c) => {
    const { owner } = known(c, await uploader(c, services));
    const { maxBytes } = await services.documents();
    const name = c.req.param('name');
    if (Number(c.req.header('content-length') ?? 0) > maxBytes) {
      throw new AppError(
        'too_large',
        `${JSON.stringify(name.slice(0, 80))} is over ${maxBytes} bytes, which is the most`,
      );
    }
    const body = c.req.raw.body ?? new Blob([]).stream();
    return c.json(await add(c, owner, name, body), 201);
  });

  app.post('/files', async (c) => {
    const { maxBytes } = await services.documents();
    const form = await formOf(c, maxBytes);
    const session = known(c, await sessionOfForm(c, services, form.field('form')));
    const faults: AppError[] = [];
    for (const file of form.files) {
      await add(c, session.owner, file.name, file.stream()).catch((thrown: unknown) =>
        faults.push(asAppError(thrown)),
      );
    }
    if (form.files.length === 0) faults.push(new AppError('bad_request', 'no file was chosen'));
    const [first] = faults;
    if (!first) return c.redirect('/app', 303);
    return list(
      c,
      session,
      faults.map(({ message }) => sentence(message)),
      first.status,
    );
  });

  app.post('/delete', async (c) => {
    const form = await formOf(c, 0);
    const { owner } = known(c, await sessionOfForm(c, services, form.field('form')));
    if (readOnly) throw new AppError('forbidden', 'this server is read-only: no file can be deleted');
    await (await services.documents()).removeDocument(owner, form.field('name'));
    return c.redirect('/app', 303);
  });

  app.post('/leave', async (c) => {
    const form = await formOf(c, 0);
    known(c, await sessionOfForm(c, services, form.field('form')));
    closeSession(c);
    return page(c, faultPage('Closed', 'The page is closed. A new link opens it again.'));
  });

  app.post('/end', async (c) => {
    const form = await formOf(c, 0);
    const { owner } = known(c, await sessionOfForm(c, services, form.field('form')));
    await (await services.passes()).endPasses(owner);
    closeSession(c);
    const why = `All links and open pages of ${owner} are ended. A new link opens the page again.`;
    return page(c, faultPage('Signed out everywhere', why));
  });

  if (pipe.desk) addCredentialPage(app, pipe.desk);

  for (const [path, methods] of ROUTES) {
    app.all(path, (c) => {
      c.env.outgoing.setHeader('Allow', methods);
      return c.json(
        { error: `${c.req.path} takes ${methods}: a file is uploaded by PUT /app/files/{name}` },
        405,
      );
    });
  }

  return app;
}

async function page(c: Context, html: Html, status = 200): Promise<Response> {
  return c.html(html, status as ContentfulStatusCode);
}

function asset(c: Context<Edge>, text: string, type: string): Response {
  c.env.outgoing.setHeader('Cache-Control', 'public, max-age=86400');
  return c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8` });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
