import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type LookupFunction,
  type Socket,
} from 'node:net';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import {
  createRegistrationLookup,
  type RegistrationLookupOptions,
} from '../../src/monitor/registration/registration-lookup.ts';

export const DAY_MS = 86_400_000;
export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** What a registry of RDAP answers about a domain. */
export const rdapDomain = (name: string, until: string | undefined, status: readonly string[] = []) => ({
  objectClassName: 'domain',
  ldhName: name.toUpperCase(),
  status,
  events: [
    { eventAction: 'registration', eventDate: '2001-01-12T00:00:00Z' },
    ...(until === undefined ? [] : [{ eventAction: 'expiration', eventDate: until }]),
  ],
});

export interface RegistriesOptions {
  /** Answers by domain, of the registry of .org: a value sent as JSON, or a function that answers. */
  readonly rdap?: Readonly<Record<string, unknown>>;
  /** Answers of WHOIS by query. A function gets the connection. */
  readonly whois?: Readonly<Record<string, string | ((socket: Socket) => void)>>;
  /** False if the list of servers cannot be fetched. */
  readonly hasBootstrap?: boolean;
}

/** The list of IANA, a registry by RDAP, and WHOIS servers, all on 127.0.0.1. `asked` has each question. */
export async function startRegistries({ rdap = {}, whois = {}, hasBootstrap = true }: RegistriesOptions) {
  const asked: string[] = [];
  const answers = new Map(Object.entries(rdap));
  const http = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/dns.json') {
      const services = [[['org'], [`http://rdap.registry:${portOf(http)}/v1`]]];
      response.writeHead(hasBootstrap ? 200 : 503).end(JSON.stringify({ services }));
      return;
    }
    const answer = answers.get(path.replace('/v1/domain/', ''));
    if (typeof answer === 'function') (answer as (response: ServerResponse) => void)(response);
    else response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (query) => {
      const name = query.toString().trim();
      asked.push(`whois ${name}`);
      const answer = whois[name] ?? `% No match for ${name}\r\n`;
      if (typeof answer === 'function') answer(socket);
      else socket.end(answer);
    });
  });
  for (const server of [http, tcp]) await once(server.listen(0, '127.0.0.1'), 'listening');
  const opened: { close(): Promise<void> }[] = [];
  return {
    asked,
    answers,
    /** A lookup as a process has it. Every name leads to 127.0.0.1, which may be reached unless `isPublicOnly`. */
    open(options: Partial<RegistrationLookupOptions> & { readonly isPublicOnly?: boolean } = {}) {
      const allowHosts = options.isPublicOnly ? [`127.0.0.1:${portOf(http)}`] : ['127.0.0.0/8'];
      const lookup: LookupFunction = (_, { all }, done) => {
        if (all) done(null, [{ address: '127.0.0.1', family: 4 }]);
        else done(null, '127.0.0.1', 4);
      };
      const fetch = createGuardedFetch({ allowHosts, lookup, userAgent: 'Magpie test' });
      opened.push(fetch);
      return createRegistrationLookup({
        fetch,
        guard: createUrlGuard({ allowHosts, lookup }),
        bootstrapUrl: `http://127.0.0.1:${portOf(http)}/dns.json`,
        whoisRoot: { host: 'whois.root.net', port: portOf(tcp) },
        ...options,
      });
    },
    async close() {
      for (const fetch of opened) await fetch.close();
      http.closeAllConnections();
      await Promise.all([http, tcp].map((server) => new Promise((done) => server.close(done))));
    },
  };
}

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
