import type { Context, Hono } from 'hono';
import { AppError } from '../../errors.ts';
import type { Edge } from '../http/edge.ts';
import { errorPage, openingPage, textPage } from './page.ts';
import { sendList, sendPage, type UploadParts } from './parts.ts';
import { placeIn, sendPicture } from './place.ts';
import {
  closeSession,
  linkExpired,
  noSession,
  openSession,
  ownerOfFile,
  sessionOf,
  sessionOfForm,
} from './session.ts';

const NEW_LINK = ' A new link opens it again: ask your assistant for one with /pdfload.';

/** Identifies the user by the open page or by a link to the file, and counts the request towards their limits. */
async function readerOf(
  c: Context<Edge>,
  { pipe, identified }: UploadParts,
): Promise<{ readonly owner: string; readonly pass: string | undefined }> {
  const pass = c.req.query('pass');
  const owner = await ownerOfFile(c, pipe.services, c.req.param('name') ?? '');
  return { ...(await identified(c, { owner })), pass };
}

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
    return sendPage(c, openingPage(parts.home, c.req.query('collection')));
  });

  app.get('/pages/:name', async (c) => {
    const { owner, pass } = await readerOf(c, parts);
    const room = await services.documents();
    const name = c.req.param('name');
    const document = await room.getDocument(owner, name);
    return sendPage(c, textPage({ document, pass, ...(await placeIn(c, services, owner, name)) }));
  });

  app.get('/pictures/:name', async (c) => {
    const { owner } = await readerOf(c, parts);
    const picture = await sendPicture(c, services, owner, c.req.param('name'));
    if (picture) return picture;
    throw new AppError('not_found', 'this page cannot be drawn: its text is on its page');
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
