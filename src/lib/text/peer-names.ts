import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

/** Limits name checks to the server's own certificate: Node 24 crashes on an issuer with a secp256k1 key. */
export function limitCertificateCheck(socket: unknown): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.getPeerCertificate = () =>
    ({ subjectaltname: socket.getPeerX509Certificate()?.subjectAltName }) as DetailedPeerCertificate;
}
