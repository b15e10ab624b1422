import { AppError } from '../../errors.ts';
import { createJsonCounter, parseJson } from '../../lib/text/json-body.ts';

export interface BodySize {
  readonly bytes: number;
  readonly members: number;
}

export interface BodyAccounting {
  /** Called with the size of the body before the parsed value is used. Errors that it throws are passed on. */
  countWork(size: BodySize): void;
  /** Waits for the turn of the sender of a long body. Returns the function that ends the turn. */
  takeTurn(): Promise<() => void>;
  /** Delays the answer to a refused long body. */
  paceRefusal(): Promise<void>;
}

/**
 * Reads a request's body as JSON within the limits of `lib/text/json-body.ts`. Throws AppError `too_large`, or `bad_request`,
 * which does not quote the body. Errors of the stream are rethrown.
 */
export async function readJsonBody(request: Request, accounting: BodyAccounting): Promise<unknown> {
  const bytes = await readBytes(request, accounting);
  try {
    const { value, members } = await parseJson(bytes, 'the body');
    accounting.countWork({ bytes: bytes.length, members });
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // Reports the position of the error without the parser's message, which quotes text that may be a key.
    const [place = ''] = / at position .*/.exec(cause.message) ?? [];
    throw new AppError('bad_request', `the body is not JSON${place}`);
  }
}

/** A body of at least this many bytes is checked while it arrives, so that a refused body is not kept in memory. */
const LONG_BYTES = 100_000;

async function readBytes(request: Request, accounting: BodyAccounting): Promise<Uint8Array> {
  const isShort = Number(request.headers.get('content-length') ?? Infinity) < LONG_BYTES;
  if (isShort || !request.body) return new Uint8Array(await request.arrayBuffer());
  const endTurn = await accounting.takeTurn();
  try {
    return await readLongBody(request.body, accounting).finally(endTurn);
  } catch (error) {
    if (error instanceof AppError) await accounting.paceRefusal();
    throw error;
  }
}

async function readLongBody(
  body: ReadableStream<Uint8Array>,
  { countWork }: BodyAccounting,
): Promise<Uint8Array> {
  const counter = createJsonCounter('the body');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let refusal: unknown;
  // Reads a refused body to its end, because a client that is still sending does not read the response.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (refusal !== undefined) continue;
    chunks.push(chunk);
    try {
      counter.addBytes(chunk);
    } catch (error) {
      refusal = error;
      chunks.length = 0;
    }
  }
  if (refusal === undefined) return Buffer.concat(chunks);
  try {
    // A refused body counts towards the limits too, so that its sender has fewer requests left.
    countWork({ bytes, members: counter.members() });
  } catch {
    // Ignores a used-up quota, because the reason of the refusal helps the client more. The quota refuses the next request.
  }
  throw refusal;
}
