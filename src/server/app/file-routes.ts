import type { Hono } from 'hono';
import { AppError, asAppError } from '../../errors.ts';
import type { Edge } from '../http/edge.ts';
import { addFile, sentFile } from './add-file.ts';
import { sendFile } from './download.ts';
import { extentOf } from './file-kinds.ts';
import { listAddress, readingWords } from './page.ts';
import { sendList, sentence, type UploadParts } from './parts.ts';
import { noSession, ownerOfFile, sessionOf, sessionOfForm, uploader } from './session.ts';

export function addFileRoutes(app: Hono<Edge>, parts: UploadParts): void {
  addReading(app, parts);
  addUploads(app, parts);
  const { pipe, readOnly, identified, formOf } = parts;
  app.post('/delete', async (c) => {
    const form = await formOf(c, 0);
    const { owner } = await identified(c, await sessionOfForm(c, pipe.services, form.field('form')));
    if (readOnly) throw new AppError('forbidden', 'this server is read-only: no file can be deleted');
    await (await pipe.services.documents()).removeDocument(owner, form.field('name'));
    return c.redirect('/app', 303);
  });
}

function addReading(app: Hono<Edge>, { pipe: { services }, identified }: UploadParts): void {
  app.get('/files/:name', async (c) => {
    const name = c.req.param('name');
    const owner = await ownerOfFile(c, services, name);
    // A link to one page of a file shows that page; a link without a page downloads the file.
    if (c.req.query('page') !== undefined) {
      return c.redirect(`/app/pages/${encodeURIComponent(name)}${new URL(c.req.url).search}`, 302);
    }
    await identified(c, { owner });
    return sendFile(c, await services.documents(), owner, name);
  });

  app.get('/reading', async (c) => {
    // Not recorded as usage: the page polls this address while a file is read.
    const session = await sessionOf(c, services);
    if (!session) throw noSession();
    const reading = (await services.documents()).listReading(session.owner);
    return c.json(reading.map((one) => ({ ...one, words: readingWords(one) })));
  });
}

function addUploads(app: Hono<Edge>, parts: UploadParts): void {
  const { pipe, identified, formOf } = parts;
  const { services } = pipe;

  app.put('/files/:name', async (c) => {
    const { owner } = await identified(c, await uploader(c, services));
    const { maxBytes } = await services.documents();
    const added = await addFile(c, parts, owner, sentFile(c, c.req.param('name'), maxBytes));
    return c.json({ ...added, words: extentOf(added) }, 201);
  });

  app.post('/files', async (c) => {
    const { maxBytes } = await services.documents();
    const form = await formOf(c, maxBytes);
    const session = await identified(c, await sessionOfForm(c, services, form.field('form')));
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
    if (!first) return c.redirect(listAddress(collection), 303);
    const words = failures.map(({ message }) => sentence(message));
    return sendList(c, parts, session, words, first.status, collection);
  });
}
