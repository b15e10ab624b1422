import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A server that answers like the hub's API, with the models in folders. */
export interface ModelHub {
  readonly url: string;
  /** `path range` of each request for a file. */
  readonly asked: string[];
  /** Does something else than answering well; true when it did. */
  mischief: (path: string, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

/** As on the hub, weights and large files are in LFS, and served from another path by a redirect. */
const isLarge = (path: string) => /\.onnx/.test(path);

export async function startModelHub(models: Readonly<Record<string, string>>): Promise<ModelHub> {
  const asked: string[] = [];
  const revisions = new Map(
    Object.entries(models).map(([id, folder]) => [id, createHash('sha1').update(folder).digest('hex')]),
  );
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
    if (hub.mischief(path, response)) return;
    const [, id = ''] = /^\/api\/models\/(.+)\/revision\/[^/]+$/.exec(path) ?? [];
    const folder = models[id];
    if (folder) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(listing(id, folder, revisions.get(id))));
    }
    const [, , from = '', revision, file = ''] =
      /^\/(lfs\/)?(.+)\/resolve\/([0-9a-f]{40})\/(.+)$/.exec(path) ?? [];
    const found = models[from];
    if (!found || revision !== revisions.get(from))
      return void response.writeHead(404).end('Entry not found');
    if (isLarge(file) && !path.startsWith('/lfs/')) {
      return void response.writeHead(302, { location: `/lfs${request.url}` }).end();
    }
    asked.push(`${file} ${request.headers.range ?? 'all'}`);
    const content = readFileSync(join(found, file));
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined) return void response.writeHead(200).end(content);
    const range = `bytes ${first}-${last}/${content.length}`;
    response
      .writeHead(206, { 'content-range': range })
      .end(content.subarray(Number(first), Number(last) + 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hub: ModelHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    mischief: () => false,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return hub;
}

function listing(id: string, folder: string, sha: string | undefined) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
  const siblings = paths.map((rfilename) => {
    const content = readFileSync(join(folder, rfilename));
    const size = content.length;
    const blobId = createHash('sha1').update(`blob ${size}\0`).update(content).digest('hex');
    const lfs = { sha256: createHash('sha256').update(content).digest('hex'), size, pointerSize: 134 };
    return { rfilename, size, blobId, ...(isLarge(rfilename) && { lfs }) };
  });
  return { id, sha, gated: false, cardData: { license: 'mit' }, siblings };
}
