import type { Context, Hono } from 'hono';
import { AppError } from '../../errors.ts';
import { markedPassage } from '../../lib/passage-mark.ts';
import { type Edge, untilGone } from '../http/edge.ts';
import { errorPage, openingPage, textPage } from './page.ts';
import { sendList, sendPage, type UploadParts } from './parts.ts';
import {
  closeSession,
  linkExpired,
  noSession,
  openSession,
  ownerOfFile,
  sessionOf,
  sessionOfForm,
} from './session.ts';

/** Characters of a passage that is marked. */
const MAX_PASSAGE_CHARS = 4000;

/** Said where the page itself has no link that opens it again. */
const NEW_LINK = ' A new link opens it again: ask your assistant for one with /pdfload.';

/** Who reads a file, after its user was counted towards the limits: with the page open, or with a link to that file. */
async function readerOf(
  c: Context<Edge>,
  { pipe, identified }: UploadParts,
): Promise<{ readonly owner: string; readonly pass: string | undefined }> {
  const pass = c.req.query('pass');
  const owner = await ownerOfFile(c, pipe.services, c.req.param('name') ?? '');
  return { ...(await identified(c, { owner })), pass };
}

/** Which page is asked for, its text, and what is marked on it: a passage by its words, or by a mark (passageMark). */
async function placeIn(c: Context<Edge>, { pipe }: UploadParts, owner: string) {
  const page = Number(c.req.query('page') ?? 1);
  const mark = c.req.query('mark');
  const text = await (await pipe.services.documents()).readPage(owner, c.req.param('name') ?? '', page);
  const words = (c.req.query('passage') ?? '').slice(0, MAX_PASSAGE_CHARS);
  return { page, text, mark, passage: mark === undefined ? words : (markedPassage(text, mark) ?? '') };
}

/** The pages that a user sees: the list, a file's text, and the ways to close them. */
export function addPageRoutes(app: Hono<Edge>, parts: UploadParts): void {
  const { pipe, secure, identified, formOf } = parts;
  const { services } = pipe;

  app.get('/', async (c) => {
    const pass = c.req.query('pass');
    if (pass === undefined) {
      const session = await identified(c, await sessionOf(c, services));
      if (!session) throw noSession();
      return sendList(c, parts, session);
    }
    if ((await openSession(c, services, pass, secure)) === undefined) throw linkExpired();
    // Not a redirect: a browser that comes from another site would not send the new cookie along with it.
    return sendPage(c, openingPage(c.req.query('collection')));
  });

  app.get('/pages/:name', async (c) => {
    const { owner, pass } = await readerOf(c, parts);
    const room = await services.documents();
    const document = await room.getDocument(owner, c.req.param('name'));
    return sendPage(c, textPage({ document, pass, ...(await placeIn(c, parts, owner)) }));
  });

  app.get('/pictures/:name', async (c) => {
    const { owner } = await readerOf(c, parts);
    const { page, passage } = await placeIn(c, parts, owner);
    const room = await services.documents();
    const drawn = await room.drawPage(owner, c.req.param('name'), page, passage, untilGone(c));
    if (!drawn) throw new AppError('not_found', 'this page cannot be drawn: its text is on its page');
    c.env.outgoing.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
    const { type, bytes, length } = drawn;
    const isHead = c.req.method === 'HEAD';
    if (isHead && bytes instanceof ReadableStream) await bytes.cancel();
    const body = bytes instanceof ReadableStream ? bytes : new Uint8Array(bytes);
    const headers = { 'Content-Type': type, 'Content-Length': String(length) };
    return new Response(isHead ? null : body, { headers });
  });

  app.post('/leave', async (c) => {
    const form = await formOf(c, 0);
    await identified(c, await sessionOfForm(c, services, form.field('form')));
    closeSession(c);
    const next = await parts.wayIn(c);
    return sendPage(c, errorPage('Closed', `The page is closed.${next ? '' : NEW_LINK}`, next));
  });

  app.post('/end', async (c) => {
    const form = await formOf(c, 0);
    const { owner } = await identified(c, await sessionOfForm(c, services, form.field('form')));
    await (await services.passes()).endPasses(owner);
    closeSession(c);
    const next = await parts.wayIn(c);
    const why = `All links and open pages of ${owner} are ended.${next ? '' : NEW_LINK}`;
    return sendPage(c, errorPage('Signed out everywhere', why, next));
  });
}
