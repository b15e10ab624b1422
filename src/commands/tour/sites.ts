import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { NESTS_PAGE_HTML } from './samples.ts';

const HOST = '127.0.0.1';

export type TourSites = Awaited<ReturnType<typeof startTourSites>>;

export async function startTourSites() {
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

const listen = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, () => resolve(`${HOST}:${(server.address() as AddressInfo).port}`));
  });

const DAY_MS = 86_400_000;
const DAYS_BEGUN = 100;
const DAYS_OVER = 3;
const COMMON_NAME = '550403';
const ECDSA_SHA256 = '2a8648ce3d040302';

function createExpiredCertificate(subject: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const kind = der(0x30, der(0x06, Buffer.from(ECDSA_SHA256, 'hex')));
  const name = nameOf(subject);
  const now = Date.now();
  const validity = der(0x30, timeOf(now - DAYS_BEGUN * DAY_MS), timeOf(now - DAYS_OVER * DAY_MS));
  const serial = der(0x02, Buffer.concat([Buffer.from([0x4d]), randomBytes(11)]));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(0x30, serial, kind, name, validity, name, subjectKey);
  const signature = sign('sha256', body, privateKey);
  const bytes = der(0x30, body, kind, der(0x03, Buffer.from([0]), signature));
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function nameOf(text: string): Buffer {
  const attribute = der(0x30, der(0x06, Buffer.from(COMMON_NAME, 'hex')), der(0x0c, Buffer.from(text)));
  return der(0x30, der(0x31, attribute));
}

/** Encodes a time for a certificate as ASN.1 UTCTime, which ends in 2049. */
const timeOf = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
