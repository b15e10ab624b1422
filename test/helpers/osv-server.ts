import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAffected } from '../../src/security/scanners/dependencies/advisories/affected-versions.ts';
import { readOsvRecord } from '../../src/security/scanners/dependencies/advisories/osv-record.ts';

/** What the server does instead of answering well: it is asked with the path. */
export type Mischief = (path: string) => 'rubbish' | 'endless' | 'slow' | 'busy' | 'broken' | undefined;

export interface OsvServer {
  readonly url: string;
  /** host:port, as MAGPIE_ALLOW_HOSTS takes it. */
  readonly host: string;
  /** `METHOD path` of each request. */
  readonly asked: string[];
  /** Bodies that were sent. */
  readonly bodies: string[];
  close(): Promise<void>;
}

export interface OsvServerOptions {
  readonly records: readonly { readonly id: string }[];
  /** What npm's registry answers, by name. */
  readonly npm?: Readonly<Record<string, readonly object[]>>;
  /** Archives by path. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Ids of one page of an answer. */
  readonly pageSize?: number;
  readonly mischief?: Mischief;
}

/** A server that speaks OSV's documented API, its exports and npm's bulk advisories. */
export async function startOsv(options: OsvServerOptions): Promise<OsvServer> {
  const { records, npm = {}, files = {}, pageSize = 1000, mischief = () => undefined } = options;
  const asked: string[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    asked.push(`${request.method} ${path}`);
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body !== '') bodies.push(body);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    switch (mischief(path)) {
      case 'rubbish':
        return void response.end('<html>not what you asked for</html>');
      case 'busy':
        return void response.writeHead(429, { 'retry-after': '3600' }).end();
      case 'broken':
        return void response.writeHead(500).end();
      case 'slow':
        return void response.writeHead(200).write('{');
      case 'endless': {
        const more = () => {
          while (response.write(' '.repeat(1 << 20)));
        };
        response.on('drain', more);
        return more();
      }
      default:
    }
    const file = files[path];
    if (file) return void response.end(file);
    const id = /^\/v1\/vulns\/(.+)$/.exec(path)?.[1];
    if (id !== undefined) {
      const found = records.find((one) => one.id === decodeURIComponent(id));
      return found ? json(found) : json({ code: 5, message: 'Bug not found.' }, 404);
    }
    if (path === '/v1/querybatch') {
      const { queries } = JSON.parse(body) as { queries: Query[] };
      if (queries.length > 1000) return json({ code: 3, message: 'Too many queries.' }, 400);
      return json({ results: queries.map((query) => answerTo(query, records, pageSize)) });
    }
    if (path === '/-/npm/v1/security/advisories/bulk') {
      const names = Object.keys(JSON.parse(body) as object);
      return json(Object.fromEntries(names.flatMap((name) => (npm[name] ? [[name, npm[name]]] : []))));
    }
    json({}, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    bodies,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Query {
  readonly package: { readonly name: string; readonly ecosystem: string };
  readonly version: string;
  readonly page_token?: string;
}

function answerTo(
  { package: named, version, page_token }: Query,
  records: readonly { id: string }[],
  pageSize: number,
) {
  const hits = records.filter((record) => {
    const advisory = readOsvRecord(record);
    return advisory && isAffected(advisory, { ...named, version });
  });
  const from = Number(page_token ?? 0);
  const page = hits.slice(from, from + pageSize).map(({ id }) => ({ id, modified: '2024-01-01T00:00:00Z' }));
  const more = from + pageSize < hits.length ? { next_page_token: String(from + pageSize) } : {};
  return page.length > 0 ? { vulns: page, ...more } : {};
}
