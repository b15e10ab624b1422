import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { type CertificateTerms, type Identity, makeCertificate } from './certificates.ts';

/** The authority that vouches for the certificates of the tests in this process. */

export const root: Identity = makeCertificate({
  subject: 'Magpie test authority',
  authority: true,
  from: -1000,
  to: 3000,
});

/** Path of its certificate, for inventories; it is there for as long as the process is. */
export const AUTHORITY = join(tmpdir(), `magpie-test-authority-${process.pid}-${threadId}.pem`);
writeFileSync(AUTHORITY, root.pem);
process.once('exit', () => rmSync(AUTHORITY, { force: true }));

const LOCAL = ['localhost', '127.0.0.1'];
const KINDS: Readonly<Record<string, Partial<CertificateTerms>>> = {
  good: {},
  expired: { from: -100, to: -10 },
  'other-name': { names: ['other.example'] },
  weak: { key: 'rsa1024', hash: 'sha1' },
};
const made = new Map<string, string>();

/** A key and its certificate (PEM): `good`, `expired`, `other-name`, `weak` (RSA of 1024 bits, SHA-1), `self-signed`. */
export function certificateOf(name: string): string {
  const known = made.get(name);
  if (known !== undefined) return known;
  const terms = name === 'self-signed' ? {} : { by: root, ...KINDS[name] };
  const { keyPem, pem } = makeCertificate({ subject: name, names: LOCAL, ...terms });
  made.set(name, keyPem + pem);
  return keyPem + pem;
}
