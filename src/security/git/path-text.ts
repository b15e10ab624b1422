const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A path's bytes as text: UTF-8, and where it is none each byte above ASCII as `\xE9`. */
export function pathText(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    const text = Buffer.from(bytes).toString('latin1');
    return text.replace(/[\u0080-\u00ff]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  }
}
