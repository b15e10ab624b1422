import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

/** Prevents a crash of Node 24, which cannot parse an issuer's secp256k1 key. Still checks host names. */
export function limitCertificateCheck(socket: unknown): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.getPeerCertificate = () =>
    ({ subjectaltname: socket.getPeerX509Certificate()?.subjectAltName }) as DetailedPeerCertificate;
}
