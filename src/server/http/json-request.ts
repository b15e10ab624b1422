import { AppError } from '../../errors.ts';
import { parseJson } from '../../lib/text/json-body.ts';

/** What a body has cost to read. */
export interface BodySize {
  readonly bytes: number;
  readonly members: number;
}

/**
 * The body of a request as JSON, within the bounds of `lib/text/json-body.ts`. AppError `bad_request`, which does not quote
 * the body, or `too_large`; what ends the reading is thrown as it is.
 * @param count is called with the size before the value is used; what it throws is thrown
 */
export async function readJsonBody(request: Request, count: (size: BodySize) => void): Promise<unknown> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  try {
    const { value, members } = await parseJson(bytes, 'the body');
    count({ bytes: bytes.length, members });
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // The parser's message quotes what stands around the place, which may be a credential.
    const [place = ''] = / at position .*/.exec(cause.message) ?? [];
    throw new AppError('bad_request', `the body is not JSON${place}`);
  }
}
