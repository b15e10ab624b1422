const FILE = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n([ -`\r\n]{1,50000000})end[ \r]{0,9}$/gm;

/** Takes files out of a text that are uuencoded in it, from `begin 644 name` to `end` (POSIX). */
export function takeUuencodedFiles(text: string, add: (name: string, content: Uint8Array) => void): string {
  return text.replace(FILE, (_all, name: string, lines: string) => {
    add(name, Uint8Array.from(lines.split(/\r?\n/).flatMap(decodeLine)));
    return '';
  });
}

/** Decodes a line, whose first sign is the number of its bytes. Four signs are three bytes. */
function decodeLine(line: string): number[] {
  const bits = (at: number) => ((line.charCodeAt(at) || 32) - 32) & 63;
  return Array.from({ length: bits(0) }, (_, byte) => {
    const at = 1 + Math.floor(byte / 3) * 4 + (byte % 3);
    return ((bits(at) << (2 * (byte % 3) + 2)) | (bits(at + 1) >> (4 - 2 * (byte % 3)))) & 255;
  });
}
