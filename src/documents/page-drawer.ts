import type { BlobStore } from './blob-store.ts';
import type { DocumentStore } from './document-store.ts';
import type { DocumentReaders } from './reading.ts';
import type { Documents, DrawnPage } from './types.ts';

const HEAD_BYTES = 16;
const TYPES: readonly (readonly [number, string, DrawnPage['type']])[] = [
  [0, '\x89PNG', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [8, 'WEBP', 'image/webp'],
  [0, 'GIF8', 'image/gif'],
  [0, 'BM', 'image/bmp'],
];

export function createPageDrawer({
  store,
  blobs,
  drawPage,
  readPage,
  getDocument,
}: Pick<DocumentReaders, 'drawPage'> & {
  readonly store: Pick<DocumentStore, 'findBlob'>;
  readonly blobs: Pick<BlobStore, 'get' | 'locate'>;
  readonly readPage: Documents['readPage'];
  readonly getDocument: Documents['getDocument'];
}): Documents['drawPage'] {
  return async (owner, given, page, passage, signal) => {
    const { name, kind, bytes: length } = await getDocument(owner, given);
    await readPage(owner, name, page);
    const blob = (await store.findBlob(owner, name))?.blob;
    if (blob === undefined) return undefined;
    if (kind === 'picture') {
      const head = await headOf(await blobs.get(owner, blob));
      const type = TYPES.find(([at, magic]) => head.startsWith(magic, at))?.[2];
      const bytes = type && (await blobs.get(owner, blob));
      return bytes && { type, bytes, length };
    }
    if (kind !== 'pdf' || !drawPage) return undefined;
    const all = async () => new Uint8Array(await new Response(await blobs.get(owner, blob)).arrayBuffer());
    const file = (await blobs.locate(owner, blob)) ?? (await all());
    const drawn = await drawPage({ file, page, passage, owner, signal });
    return drawn && { type: 'image/png', bytes: drawn.png, length: drawn.png.length };
  };
}

async function headOf(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  let head = '';
  for await (const chunk of stream ?? []) {
    head += Buffer.from(chunk.subarray(0, HEAD_BYTES)).toString('latin1');
    if (head.length >= HEAD_BYTES) break;
  }
  return head;
}
