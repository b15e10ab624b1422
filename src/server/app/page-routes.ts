import type { Hono } from 'hono';
import type { Edge } from '../http/edge.ts';
import { errorPage, openingPage, textPage } from './page.ts';
import { sendList, sendPage, type UploadParts } from './parts.ts';
import { closeSession, linkExpired, noSession, openSession, sessionOf, sessionOfForm } from './session.ts';

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
    return sendPage(c, openingPage());
  });

  app.get('/pages/:name', async (c) => {
    const session = await identified(c, await sessionOf(c, services));
    if (!session) throw noSession();
    const room = await services.documents();
    const document = await room.getDocument(session.owner, c.req.param('name'));
    const number = Number(c.req.query('page') ?? 1);
    return sendPage(c, textPage(document, number, await room.readPage(session.owner, document.name, number)));
  });

  app.post('/leave', async (c) => {
    const form = await formOf(c, 0);
    await identified(c, await sessionOfForm(c, services, form.field('form')));
    closeSession(c);
    const next = await parts.wayIn(c);
    return sendPage(c, errorPage('Closed', 'The page is closed. A new link opens it again.', next));
  });

  app.post('/end', async (c) => {
    const form = await formOf(c, 0);
    const { owner } = await identified(c, await sessionOfForm(c, services, form.field('form')));
    await (await services.passes()).endPasses(owner);
    closeSession(c);
    const why = `All links and open pages of ${owner} are ended. A new link opens the page again.`;
    return sendPage(c, errorPage('Signed out everywhere', why, await parts.wayIn(c)));
  });
}
