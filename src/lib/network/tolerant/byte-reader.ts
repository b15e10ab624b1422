/** Reads lines or bytes from a stream. Each byte is copied a bounded number of times. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #pending: Buffer = Buffer.alloc(0);
  #failed = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  get hasFailed(): boolean {
    return this.#failed;
  }

  async chunk(): Promise<Buffer | undefined> {
    if (this.#pending.length > 0) {
      const found = this.#pending;
      this.#pending = Buffer.alloc(0);
      return found;
    }
    if (this.#failed) return undefined;
    try {
      const next = await this.#source.next();
      return next.done ? undefined : next.value;
    } catch {
      this.#failed = true;
      return undefined;
    }
  }

  /** Returns a line without CRLF or LF. Undefined if the stream ends or the line exceeds `maxBytes`. */
  async line(maxBytes: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let length = 0; length <= maxBytes; ) {
      const chunk = await this.chunk();
      if (!chunk) return undefined;
      const end = chunk.indexOf('\n');
      parts.push(end < 0 ? chunk : chunk.subarray(0, end));
      length += chunk.length;
      if (end < 0) continue;
      this.#pending = chunk.subarray(end + 1);
      const line = Buffer.concat(parts);
      return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    }
    return undefined;
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      const chunk = await this.chunk();
      if (!chunk) return;
      yield chunk.subarray(0, left);
      if (chunk.length > left) this.#pending = chunk.subarray(left);
      left -= Math.min(left, chunk.length);
    }
  }
}

const CARRIAGE_RETURN = 0x0d;
