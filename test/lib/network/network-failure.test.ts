import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { getSystemErrorMap } from 'node:util';
import { APIConnectionError } from 'openai';
import { errors } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import type { AppError } from '../../../src/errors.ts';
import { asEmbeddingError } from '../../../src/knowledge/embedders/openai.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import {
  failureSentence,
  fetchError,
  isNetworkDownMessage,
  networkFailure,
} from '../../../src/lib/network/network-failure.ts';
import { toConnectionFailure } from '../../../src/monitor/probing/connection-failure.ts';
import { createMailSender } from '../../../src/monitor/senders/mail.ts';
import type { AlertNotification } from '../../../src/monitor/types.ts';
import { fetchFailure } from '../../../src/security/git/remote/fetch-failure.ts';
import type { RemoteLocation } from '../../../src/security/git/remote/location.ts';
import { startTlsSite, type TlsSiteOptions } from '../../helpers/tls-site.ts';

/** What users read where a connection fails, the same on every surface: what is wrong, and what to do. */

const coded = (code: string) => Object.assign(new Error(`connect ${code} 10.1.2.3:443`), { code });
const asked = new AbortController().signal;
const failed = (error: unknown) =>
  fetchError(error, {
    ...{ url: new URL('https://example.org/a'), caller: asked, deadline: asked, timeoutMs: 500 },
  });

test('a reason of the monitor has no advice', () => {
  const error = coded('WEIRD');
  for (const one of [error, failed(error)])
    expect(toConnectionFailure(one, 'https://example.org/', 1000).reason).toBe('gave no usable answer');
});

const TABLE: readonly (readonly [codes: string, what: string, advice: string])[] = [
  ['ECONNREFUSED', 'refuses the connection', 'check the address and its port, and that the service runs'],
  ['ENOTFOUND ENODATA', 'is not known to the name service', 'check the name and the network'],
  [
    'EAI_AGAIN EAI_FAIL EAI_MEMORY EAI_SYSTEM ESERVFAIL EREFUSED ETIMEOUT',
    'cannot be resolved, since the name service does not answer',
    'check the network of this machine',
  ],
  [
    'ECONNRESET ECONNABORTED EPIPE UND_ERR_SOCKET ERR_STREAM_PREMATURE_CLOSE ENETRESET',
    'broke the connection off',
    'try again later',
  ],
  ['EHOSTUNREACH EHOSTDOWN', 'cannot be reached', 'check the address, and the network of this machine'],
  [
    'ENETUNREACH ENETDOWN EADDRNOTAVAIL EAFNOSUPPORT',
    'cannot be reached, since there is no network',
    'check the network of this machine',
  ],
  [
    'EMFILE ENFILE ENOBUFS',
    'cannot be reached, since this machine has no connection left',
    'try again in a minute; if it stays so, raise the number of open files (ulimit -n)',
  ],
  ['EACCES EPERM', 'may not be connected to from this machine', 'check its firewall'],
  ['ETIMEDOUT UND_ERR_CONNECT_TIMEOUT', 'did not accept the connection in time', 'try again later'],
  ['UND_ERR_HEADERS_TIMEOUT', 'did not answer in time', 'try again later'],
  ['UND_ERR_BODY_TIMEOUT', 'stopped in the middle of its answer', 'try again later'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'has a certificate from an unknown issuer',
    'if you trust it, start Magpie with the file of its issuer in NODE_EXTRA_CA_CERTS',
  ],
  [
    'CERT_HAS_EXPIRED',
    'has a certificate that has expired',
    'its operator has to renew it; check also the clock of this machine',
  ],
  ['CERT_NOT_YET_VALID', 'has a certificate that is not valid yet', 'check the clock of this machine'],
  ['CERT_REVOKED', 'has a certificate that was revoked', 'its operator has to replace it'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH',
    'has a certificate for another name',
    'use the name that the certificate is for',
  ],
  [
    'EPROTO ERR_SSL_WRONG_VERSION_NUMBER ERR_TLS_HANDSHAKE_TIMEOUT',
    'does not speak TLS as it should',
    'check the port, and whether its address begins with http:// or https://',
  ],
  [
    'CERT_CHAIN_TOO_LONG CERT_SIGNATURE_FAILURE INVALID_CA INVALID_PURPOSE UNSPECIFIED ERR_SSL_EE_KEY_TOO_SMALL',
    'has a certificate that is not valid',
    'its operator has to replace it',
  ],
  [
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE ERR_SSL_DH_KEY_TOO_SMALL',
    'takes no version and cipher of TLS that is in use',
    'its operator has to update it',
  ],
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'asks for a client certificate',
    'Magpie has none: use an address that takes none',
  ],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'does not serve this name', 'check the name in the address'],
  [
    'HPE_INVALID_CONSTANT HTTPParserError ERR_HTTP2_SESSION_ERROR',
    'does not speak HTTP as it should',
    'check the address and its port, or try again later',
  ],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'sent a body of another length than it said', 'try again later'],
  ['Z_DATA_ERROR ERR_BROTLI_FORMAT_CL_SPACE', 'sent a body that does not unpack', 'try again later'],
];
const ROWS = TABLE.flatMap(([codes, what, advice]) =>
  codes.split(' ').map((code) => [code, what, advice] as const),
);

describe.each(ROWS)('%s', (code, what, advice) => {
  test('gives for a page the problem and the next step, wherever the error code is placed', () => {
    const message = `example.org ${what}: ${advice}`;
    for (const error of [
      coded(code),
      new TypeError('fetch failed', { cause: coded(code) }),
      new AggregateError([coded(code)]),
    ]) {
      expect(failed(error)).toMatchObject({ code: 'upstream', message });
    }
    expect(failed(coded(code)).message).not.toContain('10.1.2.3');
  });

  test('gives for a monitor the same problem, without the advice', () => {
    expect(toConnectionFailure(coded(code), 'https://example.org/', 500)).toEqual({ reason: what, code });
  });

  test('gives the same text for the embedding model', () => {
    const cause = new TypeError('fetch failed', { cause: coded(code) });
    const error = asEmbeddingError(new APIConnectionError({ cause }), { model: 'm', key: 'k-secret' });
    expect(error.code).toBe('unavailable');
    expect(error.message).toBe(
      `the embedding model cannot be reached: it ${what}; check OPENAI_BASE_URL, or ${advice}`,
    );
  });

  test('is classified as a failure of the local network or not', () => {
    const offline = /name service|no network/.test(what);
    expect(isNetworkDownMessage(failed(coded(code)).message)).toBe(offline);
  });
});

test('a timeout names its duration and the advice to try again', () => {
  const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  const url = new URL('https://example.org/a');
  const given = { url, caller: asked, deadline: late, timeoutMs: 500 };
  expect(fetchError(new Error('aborted'), given)).toMatchObject({
    code: 'timeout',
    message: 'example.org did not answer within 0.5 s: try again later',
  });
});

test('any other error is not a network failure', () => {
  expect(networkFailure(new Error('of another kind'))).toBeUndefined();
  expect(networkFailure(coded('constructor'))).toBeUndefined();
  expect(networkFailure('no error')).toBeUndefined();
  expect(failed(new Error('of another kind')).message).toBe(
    'example.org gave no usable answer: try again later',
  );
});

/** Codes that the system gives a connection, but those of the parameters of a call. */
const SYSTEM_CODES = [...getSystemErrorMap().values()].map(([code]) => code);
const UNDICI_CODES = Object.values(errors).flatMap((Kind) => {
  try {
    return (new (Kind as new (message: string) => NodeJS.ErrnoException)('x').code ?? []) as string[];
  } catch {
    return [];
  }
});
/** https://docs.openssl.org/3.5/man3/X509_STORE_CTX_get_error/, as Node.js names them. */
const CERTIFICATE_CODES =
  'UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY CERT_SIGNATURE_FAILURE CERT_NOT_YET_VALID CERT_HAS_EXPIRED ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CERT_NOT_AFTER_FIELD DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED INVALID_CA PATH_LENGTH_EXCEEDED INVALID_PURPOSE CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH UNSPECIFIED'.split(
    ' ',
  );

test('whatever code Node.js, undici or OpenSSL gives, a person reads words and what to do next', () => {
  const all = [...SYSTEM_CODES, ...UNDICI_CODES, ...CERTIFICATE_CODES];
  expect(UNDICI_CODES.length).toBeGreaterThan(10);
  for (const code of all) {
    const { message, code: kind } = failed(new TypeError('fetch failed', { cause: coded(code) }));
    expect([code, kind, message]).toEqual([
      code,
      expect.stringMatching(/^(?:upstream|unavailable)$/),
      expect.stringMatching(/^(?:example\.org [a-z][^:]+: [A-Za-z]|Magpie is shutting down).+/),
    ]);
    expect(message).not.toMatch(/fetch failed|\b[A-Z]+_[A-Z_]+\b(?<!NODE_EXTRA_CA_CERTS)|\bE[A-Z]{3,}\b/);
  }
  for (const code of CERTIFICATE_CODES) expect(failed(coded(code)).message).toContain('certificate');
});

describe('real servers', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** Starts a server that treats each connection so, and returns its port. */
  async function startRaw(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    return (server.address() as AddressInfo).port;
  }
  async function says(url: string): Promise<string> {
    const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1', 'localhost'], userAgent: 'test' });
    closing.push(() => fetch.close());
    const { host } = new URL(url);
    return fetch(url, { signal: asked }).then(
      () => expect.unreachable('it answered'),
      (error: AppError) => error.message.replace(`${host} `, ''),
    );
  }
  async function secure(options: TlsSiteOptions): Promise<string> {
    const site = await startTlsSite(options);
    closing.push(site.close);
    return site.url;
  }

  test.each<[string, TlsSiteOptions, string]>([
    ['expired', { certificate: 'expired' }, 'has a certificate that has expired: its operator'],
    [
      'self-signed',
      { certificate: 'self-signed' },
      'has a certificate from an unknown issuer: if you trust it',
    ],
  ])('a TLS server that is %s', async (_, options, words) => {
    expect(await says(await secure(options))).toMatch(new RegExp(`^${words}`));
  });

  test('a server with plain HTTP asked for TLS, and one with TLS asked for plain HTTP', async () => {
    const plain = (await secure({})).replace('http:', 'https:');
    expect(await says(plain)).toMatch(/^does not speak TLS as it should: check the port/);
  });

  test('a server that ends, resets or breaks each connection, or speaks another protocol', async () => {
    const at = async (onConnection: (socket: Socket) => void) =>
      says(`http://127.0.0.1:${await startRaw(onConnection)}/`);
    expect(await at((socket) => socket.end())).toBe('broke the connection off: try again later');
    expect(await at((socket) => socket.resetAndDestroy())).toBe('broke the connection off: try again later');
    expect(await at((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))).toMatch(
      /^does not speak HTTP as it should: check the address and its port/,
    );
  });

  test('a name that nobody has', async () => {
    expect(await says('http://nobody.invalid/')).toMatch(/^(?:is not known to|cannot be resolved).*: check/);
  });
});

test('a real refused connection gives the same text', async () => {
  const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1:9'], userAgent: 'test' });
  const failure = networkFailure(coded('ECONNREFUSED')) ?? expect.unreachable();
  await expect(fetch('http://127.0.0.1:9/', { signal: asked })).rejects.toThrow(
    failureSentence('127.0.0.1:9', failure),
  );
  await fetch.close();
});

test.each([
  ['SSL certificate problem: certificate has expired', 'has a certificate that has expired: its operator'],
  [
    "SSL: no alternative certificate subject name matches target host name 'git.example'",
    'has a certificate for another name: use the name',
  ],
  [
    'server certificate verification failed. CAfile: none',
    'has a certificate from an unknown issuer: if you trust it, add its issuer to the certificates of this machine',
  ],
  ['SSL certificate problem: self-signed certificate', 'has a certificate from an unknown issuer'],
])('the message %s of git is explained', (words, said) => {
  const shown = 'https://git.example/a.git';
  const at = { protocol: 'https', host: 'git.example', shown } as RemoteLocation;
  const failure = fetchFailure({
    at,
    said: `fatal: unable to access '${shown}': ${words}`,
    hasCredential: false,
  });
  expect(failure.message).toContain(`git.example ${said}`);
});

test('a mail server failure has the same text, without the name of the server', async () => {
  const [from, to] = ['magpie@example.org', ['ops@example.org']];
  const sender = createMailSender({ server: 'smtp://127.0.0.1:9', from, to });
  const finding = {
    severity: 'high',
    title: 'It is down',
    target: 'x',
    id: 'r',
    score: 8,
    description: 'x',
    fix: 'x',
  };
  const alert = { finding, raised_at: '2026-01-01T00:00:00Z' };
  const notification = {
    event: 'alert.raised',
    infrastructure_id: 'x',
    alert,
  } as unknown as AlertNotification;
  await expect(sender.send('a', notification, asked)).rejects.toThrow(
    'the mail server refuses the connection: check the address and its port, and that the service runs',
  );
});
