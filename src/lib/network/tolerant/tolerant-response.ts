import { type AppError, upstreamError } from '../../../errors.ts';
import { type DamagedBody, isRedirect, tooLarge } from '../body.ts';
import { MAX_HEADER_BYTES } from '../network-failure.ts';

export interface TolerantResponse extends DamagedBody {
  readonly status: number;
}

const MAX_INFORMATIONAL = 20;
const CHUNK_LINE_BYTES = 4096;
const EMPTY_STATUSES = new Set([204, 205, 304]);

/** Reads an HTTP/1 response as tolerantly as browsers do. Needs a connection of its own. Throws AppError. */
export async function readTolerantResponse(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<TolerantResponse> {
  const reader = new ByteReader(source);
  const budget = { bytes: MAX_HEADER_BYTES };
  for (let count = 0; count <= MAX_INFORMATIONAL; count++) {
    const status = await readStatus(reader, budget);
    const headers = await readHeaders(reader, budget);
    if (status < 200 && status !== 101) continue;
    if (EMPTY_STATUSES.has(status) || isRedirect({ status, headers }))
      return { status, headers, body: Buffer.alloc(0), isCut: false };
    return { status, headers, ...(await readBody(reader, headers, maxBytes)) };
  }
  throw noHttp();
}

interface HeaderBudget {
  bytes: number;
}

const noHttp = (): AppError => upstreamError('the answer is not HTTP');

async function lineOf(reader: ByteReader, budget: HeaderBudget): Promise<string> {
  const line = await reader.line(budget.bytes);
  if (!line) throw noHttp();
  budget.bytes -= line.length + 1;
  return line.toString('latin1');
}

async function readStatus(reader: ByteReader, budget: HeaderBudget): Promise<number> {
  let line = await lineOf(reader, budget);
  // Some servers send an empty line first.
  if (line === '') line = await lineOf(reader, budget);
  const status = /^HTTP\/\d(?:\.\d)? {1,9}([1-9]\d\d)(?: |$)/i.exec(line)?.[1];
  if (status === undefined) throw noHttp();
  return Number(status);
}

async function readHeaders(reader: ByteReader, budget: HeaderBudget): Promise<Headers> {
  const headers = new Headers();
  let last: [name: string, value: string] | undefined;
  const add = () => {
    // Browsers use the first of several `location` headers.
    if (last && !(last[0] === 'location' && headers.has('location'))) headers.append(...last);
    last = undefined;
  };
  for (;;) {
    const line = await lineOf(reader, budget);
    if (line === '') break;
    if (last && /^[ \t]/.test(line)) {
      last = isValue(line) ? [last[0], `${last[1]} ${line.trim()}`] : last;
      continue;
    }
    add();
    last = parseHeader(line);
  }
  add();
  return headers;
}

function parseHeader(line: string): [string, string] | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
  const value = line.slice(colon + 1).trim();
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && isValue(value) ? [name, value] : undefined;
}

const isValue = (text: string): boolean => !/(?![\t\u0080-\u009f])\p{Cc}/u.test(text);

type ResponseBody = Pick<TolerantResponse, 'body' | 'isCut'>;

async function readBody(reader: ByteReader, headers: Headers, maxBytes: number): Promise<ResponseBody> {
  const collected = collect(maxBytes);
  if (/(?:^|[,\s])chunked\s*$/i.test(headers.get('transfer-encoding') ?? '')) {
    const isCut = !(await readChunks(reader, collected));
    return { body: collected.joined(), isCut };
  }
  const length = contentLength(headers.get('content-length'));
  if (length !== undefined && length > maxBytes) throw tooLarge(maxBytes);
  for await (const part of reader.bytes(length ?? Number.POSITIVE_INFINITY)) collected.add(part);
  const isCut = length === undefined ? reader.hasFailed : collected.size() < length;
  return { body: collected.joined(), isCut };
}

/** Returns the length in the header, or undefined if invalid. The body then ends when the connection ends. */
function contentLength(value: string | null): number | undefined {
  const [first, ...others] = new Set((value ?? '').split(',').map((one) => one.trim()));
  return first !== undefined && others.length === 0 && /^\d{1,15}$/.test(first) ? Number(first) : undefined;
}

async function readChunks(reader: ByteReader, collected: ReturnType<typeof collect>): Promise<boolean> {
  for (;;) {
    const line = (await reader.line(CHUNK_LINE_BYTES))?.toString('latin1');
    const digits = /^\s{0,20}([0-9a-f]{1,12})\s{0,20}(?:;.*)?$/i.exec(line ?? '')?.[1];
    if (digits === undefined) return false;
    const size = Number.parseInt(digits, 16);
    if (size === 0) return true;
    let left = size;
    for await (const part of reader.bytes(size)) {
      collected.add(part);
      left -= part.length;
    }
    if (left > 0) return false;
    const end = await reader.line(CHUNK_LINE_BYTES);
    if (end === undefined || end.length > 0) return false;
  }
}

function collect(maxBytes: number) {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add(part: Buffer): void {
      size += part.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      parts.push(part);
    },
    size: (): number => size,
    joined: (): Buffer => Buffer.concat(parts),
  };
}

class ByteReader {
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
