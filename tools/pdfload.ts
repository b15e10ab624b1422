import { z } from 'zod';
import { unavailableError } from '../src/errors.ts';
import { normalizeCollection } from '../src/lib/collection.ts';
import { defineOperation } from '../src/operation.ts';
import { collection } from './schemas/knowledge.ts';
import { renderStatus, statusBody } from './schemas/status.ts';

export const pdfload = defineOperation({
  name: 'pdfload',
  title: 'Upload a file',
  description:
    'Returns a link, good for an hour, with which the user uploads files (PDF, Word, slides). ' +
    'Show it to the user.',
  toolset: 'documents',
  essential: true,
  routes: ['GET /pdfload'],
  effect: 'read',
  openWorld: false,
  // Requires `write`, because anyone with the link can add and delete files.
  scope: 'write',
  input: z.object({ collection: collection.describe('Collection to put the files in') }),
  output: statusBody,
  example: {},
  async run({ collection: of }, { caller, services, offers }) {
    const at = await services.appUrl();
    if (!at) {
      throw unavailableError(
        'the upload page is served by `magpie serve`, and none runs on this data folder: start it, then ask again' +
          (caller.via === 'cli' ? ', or name the files: magpie upload report.pdf' : ''),
      );
    }
    const into = of === undefined ? '' : `&collection=${encodeURIComponent(normalizeCollection(of))}`;
    const url = `${at}/app?pass=${await (await services.passes()).issuePass('link', caller.id)}${into}`;
    const while_ = caller.via === 'cli' ? ' while `magpie serve` runs' : '';
    const next = offers('listpdfs') && offers('document');
    return {
      status: {
        status:
          `Upload files at ${url} (for one hour${while_}; anyone who has the link can add and delete files of ` +
          `${caller.id}).${next ? ' listpdfs then lists them, and document answers questions about them.' : ''}`,
      },
    };
  },
  render: renderStatus,
});
