import { createServer } from 'node:net';
import { upstreamError } from '../../src/errors.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { createResolver } from '../../src/monitor/probing/resolver.ts';
import type { Target } from '../../src/monitor/types.ts';
import type { CheckSamples, Sample } from '../contracts/monitor-check.ts';
import { startNameServer, type Zone } from '../helpers/name-server.ts';
import { inDays, rdapDomain, startRegistries } from '../helpers/registries.ts';
import { GOOD_HEADERS, startTlsSite, type TlsSiteOptions } from '../helpers/tls-site.ts';

/** One good and one bad target of each check, by its name: a check without them fails checks-contract.test.ts. */

/** A page of a local server. */
async function page(options: TlsSiteOptions): Promise<Sample> {
  const { url, port, close } = await startTlsSite(options);
  return { target: { kind: 'url', name: url }, allow: [`localhost:${port}`], close };
}

async function bad(sample: Promise<Sample>, ...rules: string[]) {
  return { ...(await sample), rules };
}

/** A page whose server is down. */
async function dead(): Promise<Sample> {
  const sample = await page({ certificate: 'good' });
  await sample.close();
  return { ...sample, close: async () => {} };
}

async function portListening(): Promise<{ port: number; close(): Promise<unknown> }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { port, close: () => new Promise((done) => server.close(done)) };
}

/** A machine with one open port, which is listed or not. */
async function machine(isListed: boolean): Promise<Sample> {
  const [listed, other] = [await portListening(), await portListening()];
  const ports = isListed ? [listed.port, other.port] : [listed.port];
  return {
    target: { kind: 'host', name: '127.0.0.1', ports, tls: [], closed: isListed ? [] : [other.port] },
    allow: ['127.0.0.1'],
    close: () => Promise.all([listed.close(), other.close()]),
  };
}

async function zone(records: Zone): Promise<Sample> {
  const server = await startNameServer(records, true);
  return {
    target: { kind: 'url', name: 'https://www.shop.example/' },
    allow: [],
    context: { resolver: createResolver([server.address]) },
    close: () => server.close(),
  };
}

/** Plain HTTP that answers as given, beside a page at https. */
async function plain(answer: (secure: string) => TlsSiteOptions['answer']): Promise<Sample> {
  const secure = await startTlsSite({ certificate: 'good' });
  const http = await startTlsSite({ answer: answer(secure.url) });
  return {
    target: { kind: 'url', name: secure.url, plain: http.url },
    allow: [`localhost:${secure.port}`, `localhost:${http.port}`],
    close: () => Promise.all([secure.close(), http.close()]),
  };
}

function repository(findings: number): Sample {
  const finding = {
    id: 'secrets/password',
    score: 7,
    title: 'A password is in the code',
    description: 'src/a.js:1: a password',
    fix: 'Remove it.',
    scanners: ['secrets'],
  };
  const found = Array.from({ length: findings }, (_, at) => ({ ...finding, fingerprint: `f${at}` }));
  const target: Target = { kind: 'repository', name: 'https://git.example/shop.git' };
  const scan = async (_owner: string, _target: Target, signal: AbortSignal) => {
    signal.throwIfAborted();
    return { findings: found, failed: [] };
  };
  return { target, allow: [], context: { scan }, close: async () => {} };
}

/** A watched page, whose reader says that it has changed, or cannot read it. */
async function watched(hasText = true): Promise<Sample> {
  const look = async (
    _url: string,
    _watch: unknown,
    _state: unknown,
    { signal }: { signal: AbortSignal },
  ) => {
    signal.throwIfAborted();
    if (!hasText) throw upstreamError('it has no text');
    return { state: '{}', isPending: false, shown: '9 EUR' };
  };
  const pages = { guard: createUrlGuard({ allowHosts: [] }), check: async () => {}, look };
  const target: Target = { kind: 'page', name: 'page:https://shop.example/', url: 'https://shop.example/' };
  return { target, allow: [], context: { pages }, close: async () => {} };
}

/** A name whose domain a local registry knows by RDAP, until then and with these status codes. */
async function registered(until: string, ...status: string[]): Promise<Sample> {
  const registries = await startRegistries({ rdap: { 'shop.org': rdapDomain('shop.org', until, status) } });
  const findRegistration = registries.open();
  const target: Target = { kind: 'url', name: 'https://www.shop.org/' };
  return { target, allow: [], context: { findRegistration }, close: registries.close };
}

const securityTxt = (body: string) =>
  page({ certificate: 'good', body, headers: { 'content-type': 'text/plain; charset=utf-8' } });

const GOOD_ZONE: Zone = {
  'SOA shop.example': ['it'],
  'CAA shop.example': ['issue ca.example'],
  'TXT shop.example': ['v=spf1 -all'],
  'TXT _dmarc.shop.example': ['v=DMARC1; p=reject'],
};

export const SAMPLES: Readonly<Record<string, CheckSamples>> = {
  reachability: {
    good: () => page({ certificate: 'good' }),
    bad: () => bad(dead(), 'reachability/down'),
  },
  certificate: {
    good: () => page({ certificate: 'good' }),
    bad: () => bad(page({ certificate: 'expired' }), 'certificate/expired'),
    gone: dead,
  },
  headers: {
    good: () => page({ certificate: 'good' }),
    bad: () => bad(page({ certificate: 'good', headers: {} }), 'headers/csp-missing', 'headers/hsts-missing'),
    gone: dead,
  },
  cookies: {
    good: () => page({ certificate: 'good' }),
    bad: () =>
      bad(
        page({ certificate: 'good', headers: { 'set-cookie': 'sessionid=1' } }),
        'cookies/session-not-http-only',
        'cookies/session-not-secure',
      ),
    gone: dead,
  },
  protocol: {
    good: () => page({ certificate: 'good' }),
    bad: () => bad(page({ certificate: 'good', old: true }), 'protocol/tls-1-0', 'protocol/tls-1-1'),
    gone: dead,
  },
  redirection: {
    good: () => plain((secure) => () => ({ status: 301, headers: { location: secure } })),
    bad: () =>
      bad(
        plain(() => () => ({ status: 200, headers: {} })),
        'redirection/missing',
      ),
    gone: async () => {
      const sample = await dead();
      return { ...sample, target: { ...sample.target, plain: 'http://localhost:1/' } as Target };
    },
  },
  cors: {
    good: () => page({ certificate: 'good' }),
    bad: () =>
      bad(
        page({
          certificate: 'good',
          answer: ({ headers: { origin = '*' } }) => ({
            status: 200,
            headers: {
              ...GOOD_HEADERS,
              'access-control-allow-origin': origin,
              'access-control-allow-credentials': 'true',
            },
          }),
        }),
        'cors/open-to-all',
      ),
    gone: dead,
  },
  ports: {
    good: () => machine(true),
    bad: () => bad(machine(false), 'ports/unlisted'),
  },
  'security-txt': {
    good: () => securityTxt('Contact: mailto:a@example.org\nExpires: 2126-01-01T00:00:00Z\n'),
    bad: () => bad(securityTxt('Expires: 2126-01-01T00:00:00Z\n'), 'security-txt/invalid'),
    gone: dead,
  },
  dns: {
    good: () => zone(GOOD_ZONE),
    bad: () => bad(zone({ 'SOA shop.example': ['it'] }), 'dns/spf-missing', 'dns/caa-missing'),
    gone: async () => ({ ...(await zone({})), context: { resolver: createResolver(['127.0.0.1:9']) } }),
  },
  registration: {
    good: () => registered(inDays(100), 'active'),
    bad: () =>
      bad(registered(inDays(5), 'client hold'), 'registration/ends-in-7-days', 'registration/client-hold'),
    gone: async () => {
      const sample = await registered(inDays(5));
      return { ...sample, target: { kind: 'url', name: 'https://www.other.org/' } };
    },
  },
  repository: {
    good: async () => repository(0),
    bad: async () => ({ ...repository(2), rules: ['secrets/password'] }),
  },
  // A change of a page is a notice and no problem, so no page is bad.
  page: { good: () => watched(), bad: () => bad(watched()), gone: () => watched(false) },
};
