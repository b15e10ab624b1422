import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

/** Checks names only in the server's own certificate: Node 24 crashes on an issuer's secp256k1 key. */
export function limitCertificateCheck(socket: unknown): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.getPeerCertificate = () =>
    ({ subjectaltname: socket.getPeerX509Certificate()?.subjectAltName }) as DetailedPeerCertificate;
}
