import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

/** Checks the host name against the server's own certificate. Reading issuers with a key on secp256k1 crashes Node 24. */
export function checkOwnCertificateNames(socket: unknown): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.getPeerCertificate = () =>
    ({ subjectaltname: socket.getPeerX509Certificate()?.subjectAltName }) as DetailedPeerCertificate;
}
