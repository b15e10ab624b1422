import { badRequestError, tooLargeError } from '../../errors.ts';
import { createJsonCounter, parseJson } from '../../lib/text/json-body.ts';

export const MAX_BODY_BYTES = 4_194_304;
/** Maximum bytes to read of a refused body. Most clients read the response only after sending the body. */
const MAX_DISCARDED_BYTES = 8 * MAX_BODY_BYTES;

export interface BodySource {
  /** The body's chunks from Node.js. A web stream would copy each of them. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Charges the body to the caller before its value is used. May throw, for example at a limit. */
  countWork(size: { readonly bytes: number; readonly members: number }): void;
  takeTurn(): Promise<() => void>;
  paceRefusal(bytes: number): Promise<void>;
}

/** Parses a JSON body. Throws an AppError, which never quotes the body: `too_large` or `bad_request`. */
export async function readJsonBody(request: Request, source: BodySource): Promise<unknown> {
  const bytes = await readBytes(request, source);
  try {
    const { value, members } = await parseJson(bytes, 'the body');
    source.countWork({ bytes: bytes.length, members });
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // Shows the position only. The parser's message would quote text that may be a key.
    const [place = ''] = / at position .*/.exec(cause.message) ?? [];
    throw badRequestError(`the body is not JSON${place}`);
  }
}

/** Bodies of at least this size are checked while they arrive, so that memory never holds a refused body. */
const LONG_BYTES = 100_000;

async function readBytes(request: Request, source: BodySource): Promise<Uint8Array> {
  const isShort = Number(request.headers.get('content-length') ?? Infinity) < LONG_BYTES;
  if (isShort) return new Uint8Array(await request.arrayBuffer());
  const endTurn = await source.takeTurn();
  const { chunks, bytes, refusal } = await readLongBody(source).finally(endTurn);
  if (refusal === undefined) return Buffer.concat(chunks);
  await source.paceRefusal(bytes);
  throw refusal;
}

export function bodyTooLarge() {
  return tooLargeError(`the body is over ${MAX_BODY_BYTES} bytes; send less`);
}

async function readLongBody({ incoming, countWork }: BodySource) {
  const counter = createJsonCounter('the body');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let refusal: unknown;
  // Ending a loop with `for await` early would close the connection before the client has read the refusal.
  const reader = incoming[Symbol.asyncIterator]();
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    bytes += next.value.length;
    if (bytes > MAX_DISCARDED_BYTES) break;
    if (refusal !== undefined) continue;
    chunks.push(next.value);
    try {
      if (bytes > MAX_BODY_BYTES) throw bodyTooLarge();
      counter.addBytes(next.value);
    } catch (error) {
      refusal = error;
      chunks.length = 0;
    }
  }
  try {
    if (refusal !== undefined) countWork({ bytes, members: counter.members() });
  } catch {
    // An exhausted quota is ignored, because the client must learn why the body was refused.
  }
  return { chunks, bytes, refusal };
}
