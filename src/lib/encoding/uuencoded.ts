const BEGIN = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n/gm;
/** Matches a character that encoded lines never contain, for example the `e` of `end` after the last line. */
const OTHER = /[^ -`\r\n]/;

const END = /^\nend\s{0,5}?(?:\n|$)/;

/** Removes uuencoded files (POSIX, from `begin 644 name` to `end`) from a text and passes each to `add`. */
export function takeUuencodedFiles(text: string, add: (name: string, content: Uint8Array) => void): string {
  const kept: string[] = [];
  let done = 0;
  for (const { 0: begin, 1: name = '', index } of text.matchAll(BEGIN)) {
    const data = text.slice(index + begin.length);
    const length = data.search(OTHER);
    if (length < 1 || !END.test(data.slice(length - 1, length + 10))) continue;
    const lines = data.slice(0, length).split(/\r?\n/).filter(Boolean);
    if (!lines.every(isDataLine)) continue;
    add(name, Buffer.concat(lines.map(decodeLine)));
    kept.push(text.slice(done, index));
    done = index + begin.length + length + 'end'.length;
  }
  return kept.join('') + text.slice(done);
}

const countBytes = (line: string): number => (line.charCodeAt(0) - 32) & 63;

/** Checks the line's length, which its first character states. Allows an extra character and cut spaces. */
function isDataLine(line: string): boolean {
  const signs = line.trimEnd().length - 1;
  const bytes = countBytes(line);
  return signs <= Math.ceil(bytes / 3) * 4 + 1 && (signs > bytes / 2 || bytes === 0);
}

/** Decodes a line. Its first character states the number of bytes. Four characters encode three bytes. */
function decodeLine(line: string): Uint8Array {
  const bits = (at: number) => ((line.charCodeAt(at) || 32) - 32) & 63;
  const bytes = new Uint8Array(countBytes(line));
  for (let at = 0; at < bytes.length; at++) {
    const sign = 1 + Math.floor(at / 3) * 4 + (at % 3);
    bytes[at] = (bits(sign) << (2 * (at % 3) + 2)) | (bits(sign + 1) >> (4 - 2 * (at % 3)));
  }
  return bytes;
}
