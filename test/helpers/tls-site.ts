import { createServer as createPlainServer, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { certificateOf } from './test-authority.ts';

export { AUTHORITY, certificateOf } from './test-authority.ts';

export type HeaderValues = Readonly<Record<string, string | string[]>>;

/** Headers that the HTTP Observatory finds nothing wrong with. */
export const GOOD_HEADERS: HeaderValues = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; form-action 'self'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export interface TlsSiteOptions {
  /** Name of a certificate; plain HTTP without. */
  readonly certificate?: string;
  readonly headers?: HeaderValues;
  readonly body?: string;
  /** The body of the next answer, in place of the usual one. */
  readonly page?: () => string | undefined;
  /** What it shows and speaks, in place of its certificate's. */
  readonly tls?: TlsOptions;
  /** Speaks TLS 1.0 and 1.1 too. */
  readonly old?: boolean;
  /** The one to take again after it was down; any free one when left out. */
  readonly port?: number;
  /** Status and headers in place of the usual ones. */
  readonly answer?: (request: IncomingMessage) => { status: number; headers: HeaderValues } | undefined;
}

/** A real server on 127.0.0.1 that can be made good or bad in each way that monitoring looks at. */
export interface TlsSite {
  readonly url: string;
  readonly port: number;
  readonly asked: string[];
  headers: HeaderValues;
  close(): Promise<void>;
}

export async function startTlsSite(options: TlsSiteOptions = {}): Promise<TlsSite> {
  const { certificate, headers = GOOD_HEADERS, body = '<!doctype html><title>A site</title>', old } = options;
  const asked: string[] = [];
  const handler: Parameters<typeof createPlainServer>[1] = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { status, headers: own } = options.answer?.(request) ?? { status: 200, headers: site.headers };
    response
      .writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...own })
      .end(options.page?.() ?? body);
  };
  const pem = certificate === undefined ? undefined : certificateOf(certificate);
  const server = pem
    ? createServer(
        {
          key: pem,
          cert: pem,
          ...(old && { minVersion: 'TLSv1' as const, maxVersion: 'TLSv1.2' as const }),
          ...options.tls,
          ...((old || certificate === 'weak') && { ciphers: 'DEFAULT:@SECLEVEL=0' }),
        },
        handler,
      )
    : createPlainServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const site: TlsSite = {
    url: `${pem ? 'https' : 'http'}://localhost:${port}/`,
    port,
    asked,
    headers,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return site;
}
