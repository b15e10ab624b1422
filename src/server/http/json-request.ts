import { AppError } from '../../errors.ts';
import { createJsonCounter, parseJson } from '../../lib/text/json-body.ts';

export interface BodySource {
  /** The body's chunks as Node.js reads them. A web stream would copy each. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Called before the parsed value is used. Its errors are passed on. */
  countWork(size: { readonly bytes: number; readonly members: number }): void;
  takeTurn(): Promise<() => void>;
  paceRefusal(bytes: number): Promise<void>;
}

/** Reads JSON. Throws AppError `too_large` or `bad_request`, which does not quote the body. */
export async function readJsonBody(request: Request, source: BodySource): Promise<unknown> {
  const bytes = await readBytes(request, source);
  try {
    const { value, members } = await parseJson(bytes, 'the body');
    source.countWork({ bytes: bytes.length, members });
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // Reports only the position, because the parser's message quotes text that may be a key.
    const [place = ''] = / at position .*/.exec(cause.message) ?? [];
    throw new AppError('bad_request', `the body is not JSON${place}`);
  }
}

/** Bodies of at least this size are checked while they arrive, so that a refused one is not kept in memory. */
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

async function readLongBody({ incoming, countWork }: BodySource) {
  const counter = createJsonCounter('the body');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let refusal: unknown;
  for await (const chunk of incoming) {
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
  try {
    if (refusal !== undefined) countWork({ bytes, members: counter.members() });
  } catch {
    // A used-up quota is ignored here, because the reason of the refusal helps the client more.
  }
  return { chunks, bytes, refusal };
}
