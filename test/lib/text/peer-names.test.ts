import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate } from '../../helpers/certificates.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** Fetches from servers with certificates of every kind, in processes of their own: the wrong one would end them. */

const FETCH = new URL('../../../src/lib/network/fetch.ts', import.meta.url).pathname;
const folder = temporaryFolder();
const root = makeCertificate({ subject: 'Root', authority: true });
const issuer = makeCertificate({ subject: 'Issuer', authority: true, by: root });
/** Looks like the issuer, and has a key that Node cannot name. */
const odd = makeCertificate({
  subject: 'Issuer',
  authority: true,
  by: root,
  claims: issuer,
  key: 'secp256k1',
  from: -100,
  to: -50,
});
const leaf = (names?: string[]) =>
  makeCertificate({ subject: 'localhost', by: issuer, ...(names && { names }) });
const servers: Server[] = [];

beforeAll(() => writeFileSync(join(folder.path, 'root.pem'), root.pem));
afterAll(() => {
  for (const server of servers) server.close();
  folder.remove();
});

/** What one process fetches from a server for each certificate with its chain, in their order. */
async function fetched(...all: readonly (readonly [own: ReturnType<typeof leaf>, chain: string])[]) {
  const hosts: string[] = [];
  for (const [own, chain] of all) {
    const server = createServer({ key: own.keyPem, cert: own.pem + chain }, (_, response) =>
      response.end('here'),
    );
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    hosts.push(`localhost:${(server.address() as AddressInfo).port}`);
  }
  const script = `const { createGuardedFetch } = await import(${JSON.stringify(FETCH)});
    const hosts = process.argv.slice(1);
    const fetch = createGuardedFetch({ userAgent: 'Magpie/test', allowHosts: hosts });
    for (const host of hosts) {
      const { body } = await fetch('https://' + host + '/', { signal: new AbortController().signal }).catch(({ message }) => ({ body: message }));
      process.stdout.write(String(Buffer.from(body)) + '\\n');
    }
    await fetch.close();`;
  const args = ['--input-type=module', '-e', script, ...hosts];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder.path, 'root.pem') };
  return (await promisify(execFile)(process.execPath, args, { env })).stdout.trimEnd().split('\n');
}

test('an issuer whose key type Node cannot name does not end the process, wherever it is in the chain', async () => {
  const own = leaf(['localhost']);
  expect(await fetched([own, issuer.pem], [own, odd.pem + issuer.pem], [own, issuer.pem + odd.pem])).toEqual([
    'here',
    'here',
    'here',
  ]);
});

test('certificate names are still compared', async () => {
  const names = [['other.example'], undefined, ['*.localhost'], ['other.example', 'localhost']];
  const other = expect.stringContaining('has a certificate for another name');
  expect(await fetched(...names.map((one) => [leaf(one), issuer.pem] as const))).toEqual([
    other,
    other,
    other,
    'here',
  ]);
});
