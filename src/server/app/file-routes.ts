import type { Hono } from 'hono';
import { AppError, asAppError } from '../../errors.ts';
import type { HttpEnv } from '../http/edge.ts';
import { addFile, readSentFile } from './add-file.ts';
import { describePageCount } from './file-kinds.ts';
import { describeReadingProgress, fileListAddress } from './page.ts';
import { sendAsAttachment } from './send-attachment.ts';
import {
  checkFormSession,
  findUploadSession,
  identifyFileOwner,
  identifyUploader,
  noSessionError,
} from './session.ts';
import { sendFileList, toSentence, type UploadAppContext } from './upload-app-context.ts';

export function addFileRoutes(app: Hono<HttpEnv>, parts: UploadAppContext): void {
  addReading(app, parts);
  addUploads(app, parts);
  const { pipe, readOnly, applyUserLimits, readSessionForm } = parts;
  app.post('/delete', async (c) => {
    const form = await readSessionForm(c, 0);
    const { owner } = await applyUserLimits(c, await checkFormSession(c, pipe.services, form.field('form')));
    if (readOnly) throw new AppError('forbidden', 'this server is read-only: no file can be deleted');
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
    // Not recorded as usage, because the page polls this address while a file is being read.
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
    const added = await addFile(c, parts, owner, readSentFile(c, c.req.param('name'), maxBytes));
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
    if (form.files.length === 0) failures.push(new AppError('bad_request', 'no file was chosen'));
    const [first] = failures;
    if (!first) return c.redirect(fileListAddress(collection), 303);
    const words = failures.map(({ message }) => toSentence(message));
    return sendFileList(c, parts, session, words, first.status, collection);
  });
}
