const BEGIN = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n/gm;
/** Matches what no line of data has, such as the `end` after the last one. */
const OTHER = /[^ -`\r\n]/;

/** Takes files out of a text that are uuencoded in it, from `begin 644 name` to `end` (POSIX). */
export function takeUuencodedFiles(text: string, add: (name: string, content: Uint8Array) => void): string {
  const kept: string[] = [];
  let done = 0;
  for (const { 0: begin, 1: name = '', index } of text.matchAll(BEGIN)) {
    const data = text.slice(index + begin.length);
    const length = data.search(OTHER);
    if (length < 1 || !data.startsWith('\nend', length - 1)) continue;
    add(name, Buffer.concat(data.slice(0, length).split(/\r?\n/).map(decodeLine)));
    kept.push(text.slice(done, index));
    done = index + begin.length + length + 'end'.length;
  }
  return kept.join('') + text.slice(done);
}

/** Decodes a line, whose first sign is the number of its bytes. Four signs are three bytes. */
function decodeLine(line: string): Uint8Array {
  const bits = (at: number) => ((line.charCodeAt(at) || 32) - 32) & 63;
  const bytes = new Uint8Array(bits(0));
  for (let at = 0; at < bytes.length; at++) {
    const sign = 1 + Math.floor(at / 3) * 4 + (at % 3);
    bytes[at] = (bits(sign) << (2 * (at % 3) + 2)) | (bits(sign + 1) >> (4 - 2 * (at % 3)));
  }
  return bytes;
}
