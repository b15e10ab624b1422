import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

/**
 * Checks host names by the server's own certificate alone. Node 24 crashes with a segmentation fault on an issuer whose key is on
 * secp256k1, which any server can send.
 */
export function checkOwnCertificateNames(socket: unknown): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.getPeerCertificate = () =>
    ({ subjectaltname: socket.getPeerX509Certificate()?.subjectAltName }) as DetailedPeerCertificate;
}
