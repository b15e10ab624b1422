import type { FileReadProgress } from '../../browse/reading/file-reader.ts';
import { planReaders } from '../../browse/reading/reader-plan.ts';
import { createAccessPasses } from '../../documents/access-passes.ts';
import { createDocuments } from '../../documents/documents.ts';
import type { AccessPasses, Documents } from '../../documents/types.ts';
import type { Knowledge } from '../../knowledge/types.ts';
import { makeOnce } from '../../lib/concurrency/once.ts';
import { createPassageIndex } from '../bridges.ts';
import type { ServicesFoundation } from '../foundation.ts';

export async function openDocuments(
  { config, log, stores, readers }: ServicesFoundation,
  knowledge: () => Promise<Knowledge>,
): Promise<Documents> {
  const set = await stores();
  const [store, blobs] = await Promise.all([set.documents(), set.blobs()]);
  const files = makeOnce(async () =>
    (await import('../../browse/reading/file-reader.ts')).createFileReader(await readers()),
  );
  const previews = makeOnce(async () =>
    (await import('../../browse/reading/preview-reader.ts')).createPreviewReader(await readers()),
  );
  const scans = makeOnce(async () =>
    (await import('../../browse/reading/ocr-scan-reader.ts')).createOcrScanReader(
      await readers(),
      config.ocr,
    ),
  );
  return createDocuments({
    store,
    blobs,
    index: createPassageIndex(knowledge),
    trouble: (err) => log.warn({ err }, 'uploaded files: what failed is tried again later'),
    readPages: async (file, soFar?: FileReadProgress) => (await files()).readOn(file, soFar),
    readScans: config.ocr !== 'off' ? async (...file) => (await scans()).read(...file) : undefined,
    drawPage: async (page) => (await previews())(page),
    textsAtOnce: planReaders(config.readerBytes).texts,
    maxBytes: config.documentBytes,
    quota: config.documentQuota,
  });
}

export async function openPasses({ stores }: ServicesFoundation): Promise<AccessPasses> {
  const set = await stores();
  const [secret, ends] = await Promise.all([set.secret(), set.passEnds()]);
  return createAccessPasses(secret, ends);
}
