export type BoundedLine = { readonly text: string } | { readonly problem: string };

export async function* boundedLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<BoundedLine> {
  let parts: Uint8Array[] = [];
  let [bytes, first] = [0, true];
  const add = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes > maxBytes) parts = [];
    else parts.push(part);
  };
  const line = (): BoundedLine => {
    const read: BoundedLine =
      bytes > maxBytes ? { problem: `is over ${maxBytes} bytes` } : decode(Buffer.concat(parts), first);
    parts = [];
    bytes = 0;
    first = false;
    return read;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      yield line();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (bytes > 0) yield line();
}

function decode(bytes: Uint8Array, first: boolean): BoundedLine {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: !first }).decode(bytes);
    return { text: text.replace(/\r$/, '') };
  } catch {
    return { problem: 'is not UTF-8' };
  }
}
