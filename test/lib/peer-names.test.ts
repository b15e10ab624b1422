import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate } from '../helpers/certificates.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** Fetches from servers with certificates of every kind, each in a process of its own: the wrong one would end it. */

const FETCH = new URL('../../src/lib/fetch.ts', import.meta.url).pathname;
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

async function fetched(own: ReturnType<typeof leaf>, chain: string): Promise<string> {
  const server = createServer({ key: own.keyPem, cert: own.pem + chain }, (_, response) =>
    response.end('here'),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const script = `const { createGuardedFetch } = await import(${JSON.stringify(FETCH)});
    const fetch = createGuardedFetch({ userAgent: 'Magpie/test', allowHosts: [process.argv[1]] });
    const { body } = await fetch('https://' + process.argv[1] + '/', { signal: new AbortController().signal }).catch(({ message }) => ({ body: message }));
    process.stdout.write(String(Buffer.from(body)));
    await fetch.close();`;
  const args = ['--input-type=module', '-e', script, host];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder.path, 'root.pem') };
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

test('an issuer whose key Node cannot name ends no process, wherever it stands in the chain', async () => {
  const own = leaf(['localhost']);
  expect(await fetched(own, issuer.pem)).toBe('here');
  expect(await fetched(own, odd.pem + issuer.pem)).toBe('here');
  expect(await fetched(own, issuer.pem + odd.pem)).toBe('here');
});

test('names are compared all the same', async () => {
  for (const own of [leaf(['other.example']), leaf(), leaf(['*.localhost'])]) {
    expect(await fetched(own, issuer.pem)).toContain('has a certificate for another name');
  }
  expect(await fetched(leaf(['other.example', 'localhost']), issuer.pem)).toBe('here');
});
