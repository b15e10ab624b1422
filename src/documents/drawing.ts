import type { BlobStore } from './blob-store.ts';
import type { DocumentStore } from './document-store.ts';
import type { DocumentReaders } from './reading.ts';
import type { Documents, DrawnPage } from './types.ts';

/** What drawing needs of the room. */
export interface DrawingOptions extends Pick<DocumentReaders, 'drawPage'> {
  readonly store: Pick<DocumentStore, 'findBlob'>;
  readonly blobs: Pick<BlobStore, 'get' | 'locate'>;
  /** Its own name for a file, and its text; throws where it or the page is not there. */
  readonly readPage: Documents['readPage'];
  readonly getDocument: Documents['getDocument'];
}

/** First bytes of picture files, in Latin-1, at their place, and what browsers call them. */
const TYPES: readonly (readonly [number, string, DrawnPage['type']])[] = [
  [0, '\x89PNG', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [8, 'WEBP', 'image/webp'],
  [0, 'BM', 'image/bmp'],
];

/** Shows pages as they look. */
export function createDrawing({
  store,
  blobs,
  drawPage,
  readPage,
  getDocument,
}: DrawingOptions): Documents['drawPage'] {
  return async (owner, given, page, passage, signal) => {
    const { name, kind } = await getDocument(owner, given);
    await readPage(owner, name, page);
    const blob = (await store.findBlob(owner, name))?.blob;
    if (blob === undefined) return undefined;
    const all = async () => new Uint8Array(await new Response(await blobs.get(owner, blob)).arrayBuffer());
    if (kind === 'picture') {
      const bytes = await all();
      const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
      const type = TYPES.find(([at, magic]) => head.startsWith(magic, at))?.[2];
      return type && { type, bytes };
    }
    if (kind !== 'pdf' || !drawPage) return undefined;
    const file = (await blobs.locate(owner, blob)) ?? (await all());
    const drawn = await drawPage({ file, page, passage, owner, signal });
    return drawn && { type: 'image/png', bytes: drawn.png };
  };
}
