import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

/**
 * Makes a TLS connection check host names by the server's own certificate alone. Node would parse every certificate that the
 * server sent, and version 24 crashes with a segmentation fault on an issuer whose key is on a curve without a NIST name
 * (secp256k1); any server with a certificate can send one. As in browsers, the common name is not taken as a host name.
 */
export function compareOwnNames(socket: unknown): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.getPeerCertificate = () =>
    ({ subjectaltname: socket.getPeerX509Certificate()?.subjectAltName }) as DetailedPeerCertificate;
}
