/** How a report file names the key that it is signed with: in every form, readable in the file's bytes. */
export function sealText(fingerprint: string): string {
  return `magpie-seal-2 key=${fingerprint}`;
}

/** The fingerprint of the key that a report names, from any of its forms; undefined where it names none. */
export function keyNamedIn(report: Uint8Array): string | undefined {
  return /magpie-seal-2 key=([0-9a-f]{64})/.exec(Buffer.from(report).toString('latin1'))?.[1];
}
