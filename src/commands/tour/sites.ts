import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createExpiredCertificate } from './certificate.ts';
import { NESTS_PAGE_HTML } from './samples.ts';

const HOST = '127.0.0.1';

export interface TourSites {
  readonly site: string;
  readonly shop: string;
  close(): void;
}

export async function startTourSites(): Promise<TourSites> {
  const answer: RequestListener = ({ url }, response) => {
    const there = url === '/nests' || url === '/';
    response.writeHead(there ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(there ? NESTS_PAGE_HTML : 'Not here.');
  };
  const servers = [createServer(answer), createSecureServer(createExpiredCertificate(HOST), answer)];
  const [site = '', shop = ''] = await Promise.all(servers.map(listen));
  return {
    site,
    shop,
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, () => resolve(`${HOST}:${(server.address() as AddressInfo).port}`));
  });
}
