import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../helpers/test-authority.ts';
import { CERTIFICATE_SERVERS, PROTOCOL_SERVERS, type TlsServer } from '../helpers/tls-servers.ts';
import { VERDICTS } from '../monitor/tls-verdicts.ts';

/**
 * Whether openssl and curl of this machine take what the table of verdicts says that they take. Their words differ from version to
 * version; what counts is who refuses.
 */

const OPENSSL = process.env.MAGPIE_TEST_OPENSSL ?? 'openssl';
const CURL = process.env.MAGPIE_TEST_CURL ?? 'curl';
const PATIENCE_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'magpie-verdicts-'));
const authority = join(folder, 'authority.pem');
writeFileSync(authority, root.pem);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([...CERTIFICATE_SERVERS, ...PROTOCOL_SERVERS].map((server) => [server.name, server] as const))(
  '%s: openssl and curl give the verdicts of the table',
  async (name, server) => {
    const said = VERDICTS[name];
    const { port, close } = await start(server);
    try {
      const [openssl, curl] = await Promise.all([
        opensslSays(server.host, port, said?.openssl.startsWith('ok, then') === true),
        curlSays(server.host, port),
      ]);
      expect({ openssl, curl }).toEqual({
        openssl: said?.openssl.startsWith('ok') === true,
        curl: said?.curl === 'ok',
      });
    } finally {
      await close();
    }
  },
  2 * PATIENCE_MS,
);

async function start(server: TlsServer) {
  const site = createServer(server.options(), (_request, response) => response.end('a page'));
  site.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  const close = () => {
    site.closeAllConnections();
    return new Promise((done) => site.close(done));
  };
  return { port, close };
}

/** Whether it trusts the certificate and shakes hands; `alerted`: the server ends what was a good handshake for openssl. */
async function opensslSays(host: string, port: number, alerted: boolean): Promise<boolean> {
  const options = ['-connect', `127.0.0.1:${port}`, '-servername', host, '-verify_hostname', host];
  const { output } = await runProgram(OPENSSL, ['s_client', ...options, '-CAfile', authority]);
  const isShown = !output.includes('no peer certificate available');
  return isShown && /Verification: OK/.test(output) && (alerted || !output.includes('Cipher is (NONE)'));
}

async function curlSays(host: string, port: number): Promise<boolean> {
  const options = ['-sS', '--noproxy', '*', '--resolve', `${host}:${port}:127.0.0.1`, '--cacert', authority];
  return (await runProgram(CURL, [...options, `https://${host}:${port}/`])).code === 0;
}

/** With an empty input; a program that is missing is an error, and no verdict. */
function runProgram(
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...args], { timeout: PATIENCE_MS }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, output: `${stdout}\n${stderr}` });
      else reject(error);
    });
    child.stdin?.end();
  });
}
