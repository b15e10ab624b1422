import { lookup as systemLookup } from 'node:dns';
import { createServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { severityOf } from '../../src/lib/severity.ts';
import { certificate } from '../../src/monitor/checks/certificate.ts';
import { headers } from '../../src/monitor/checks/headers.ts';
import { protocol } from '../../src/monitor/checks/protocol.ts';
import { reachability } from '../../src/monitor/checks/reachability.ts';
import { isInconclusiveResult } from '../../src/monitor/probing/check.ts';
import { probeContext } from '../helpers/probe-context.ts';
import { root } from '../helpers/test-authority.ts';
import { CERTIFICATE_SERVERS, PROTOCOL_SERVERS, type TlsServer, WILD_HOST } from '../helpers/tls-servers.ts';
import { VERDICTS } from './tls-verdicts.ts';

/** Servers of TLS, each with one property, and what is found of them; beside it, what five other tools say. */

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function start(server: TlsServer): Promise<number> {
  const site = createServer(server.options(), (_request, response) => {
    response.writeHead(200, { 'strict-transport-security': 'max-age=31536000' }).end('<title>A site</title>');
  });
  site.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  endings.push(() => {
    site.closeAllConnections();
    return new Promise((done) => site.close(done));
  });
  return (site.address() as AddressInfo).port;
}

/** The servers' names lead here. */
const lookup: LookupFunction = (name, options, done) => {
  systemLookup(name === WILD_HOST ? '127.0.0.1' : name, { ...options, family: 4 }, done);
};

/** Rules that are broken, whether it is up, and whether browsers trust it; information in brackets. */
async function look({ host }: TlsServer, port: number) {
  const target = { kind: 'url' as const, name: `https://${host}:${port}/` };
  const probe = probeContext({
    guard: createUrlGuard({ allowHosts: [], lookup }),
    infrastructure: { allow: [`${host}:${port}`], authority: root.pem },
    signal: AbortSignal.timeout(100_000),
  });
  const seen: string[] = [];
  let up: number | string | undefined;
  for (const check of [reachability, certificate, protocol]) {
    const result = await check.run(target, probe);
    if (isInconclusiveResult(result)) continue;
    up = result.measures?.up ?? up;
    for (const { rule, score = rule.score } of result.problems) {
      seen.push(severityOf(score) === 'info' ? `(${rule.id})` : rule.id);
    }
  }
  const shown = await headers.run(target, probe);
  const hsts = isInconclusiveResult(shown) ? undefined : shown.points?.['strict-transport-security'];
  return { seen, up: up === 1, trusted: hsts === undefined ? undefined : hsts === 0 };
}

test('each server has its expected verdicts, and each line of verdicts has its server', () => {
  const names = [...CERTIFICATE_SERVERS, ...PROTOCOL_SERVERS].map(({ name }) => name);
  const served = Object.entries(VERDICTS).filter(([, { by }]) => by === undefined);
  expect(served.map(([name]) => name)).toEqual(names);
});

test.each([...CERTIFICATE_SERVERS, ...PROTOCOL_SERVERS].map((server) => [server.name, server] as const))(
  '%s',
  async (name, server) => {
    const { magpie, up = true, trusted } = VERDICTS[name] ?? {};
    expect(await look(server, await start(server))).toEqual({ seen: magpie, up, trusted });
  },
);
