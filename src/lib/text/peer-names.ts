import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

/** Checks only the server's own certificate. Reading an issuer with a secp256k1 key crashes Node 24. */
export function checkOwnCertificateNames(socket: unknown): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.getPeerCertificate = () =>
    ({ subjectaltname: socket.getPeerX509Certificate()?.subjectAltName }) as DetailedPeerCertificate;
}
