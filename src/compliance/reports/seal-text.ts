/** Returns a line that names the signing key. Every report format contains it as plain bytes. */
export function formatSeal(fingerprint: string): string {
  return `magpie-seal-2 key=${fingerprint}`;
}

export function findNamedKey(report: Uint8Array): string | undefined {
  return /magpie-seal-2 key=([0-9a-f]{64})/.exec(Buffer.from(report).toString('latin1'))?.[1];
}
