import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

/**
 * Lets a connection compare names by the server's own certificate alone. Node would take apart every certificate that the
 * server has sent, and version 24 ends the process with a segmentation fault at an issuer whose key is on a curve without a
 * NIST name (secp256k1): any server with a certificate can send one. A common name is not taken for a host's, as in browsers.
 */
export function compareOwnNames(socket: unknown): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.getPeerCertificate = () =>
    ({ subjectaltname: socket.getPeerX509Certificate()?.subjectAltName }) as DetailedPeerCertificate;
}
