import type { Context, Hono } from 'hono';
import { AppError } from '../../errors.ts';
import type { HttpEnv } from '../http/edge.ts';
import { errorPage, filePageHtml, redirectPage } from './page.ts';
import { readRequestedPage, sendPageImage } from './requested-page.ts';
import {
  checkFormSession,
  closeUploadSession,
  findUploadSession,
  identifyFileOwner,
  linkExpiredError,
  noSessionError,
  openUploadSession,
} from './session.ts';
import { sendFileList, sendPage, type UploadAppContext } from './upload-app-context.ts';

const NEW_LINK = ' A new link opens it again: ask your assistant for one with /pdfload.';

/** Returns the user of the session or of a link (`pass`) to the file. Counts the request towards the user's limits. */
async function readerOf(
  c: Context<HttpEnv>,
  { pipe, applyUserLimits }: UploadAppContext,
): Promise<{ readonly owner: string; readonly pass: string | undefined }> {
  const pass = c.req.query('pass');
  const owner = await identifyFileOwner(c, pipe.services, c.req.param('name') ?? '');
  return { ...(await applyUserLimits(c, { owner })), pass };
}

export function addPageRoutes(app: Hono<HttpEnv>, parts: UploadAppContext): void {
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
    // A page opens the list, because browsers omit the new cookie after an HTTP redirect from another site.
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
    throw new AppError('not_found', 'this page cannot be drawn: its text is on its page');
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
