const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a path as UTF-8. If the path is not valid UTF-8, writes each byte above ASCII as an escape such as `\xE9`. */
export function decodePath(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    const text = Buffer.from(bytes).toString('latin1');
    return text.replace(/[\u0080-\u00ff]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  }
}
