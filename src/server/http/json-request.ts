import { AppError } from '../../errors.ts';
import { createJsonCounter, parseJson } from '../../lib/text/json-body.ts';

export interface BodyAccounting {
  /** Called before the parsed value is used. Errors that it throws are passed on. */
  countWork(size: { readonly bytes: number; readonly members: number }): void;
  takeTurn(): Promise<() => void>;
  paceRefusal(): Promise<void>;
}

/** Reads JSON. Throws AppError `too_large` or `bad_request`, which does not quote the body. */
export async function readJsonBody(request: Request, accounting: BodyAccounting): Promise<unknown> {
  const bytes = await readBytes(request, accounting);
  try {
    const { value, members } = await parseJson(bytes, 'the body');
    accounting.countWork({ bytes: bytes.length, members });
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // The parser's message quotes text that may be a key. Only the position is reported.
    const [place = ''] = / at position .*/.exec(cause.message) ?? [];
    throw new AppError('bad_request', `the body is not JSON${place}`);
  }
}

/** Bodies from this size on are checked while they arrive, so that a refused body is not kept in memory. */
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

async function readLongBody(body: ReadableStream<Uint8Array>, { countWork }: BodyAccounting) {
  const counter = createJsonCounter('the body');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let refusal: unknown;
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
    // A refused body counts towards the limits too.
    countWork({ bytes, members: counter.members() });
  } catch {
    // A used-up quota is ignored here: the reason of the refusal helps more, and the next request is refused.
  }
  throw refusal;
}
