import { AppError } from '../../errors.ts';
import { parseJson } from '../../lib/text/json-body.ts';

export interface BodySize {
  readonly bytes: number;
  readonly members: number;
}

/**
 * Reads a request's body as JSON within the limits of `lib/text/json-body.ts`. AppError `bad_request`, which does not quote the
 * body, or `too_large`. Errors of the stream are rethrown.
 * @param count called with the size before the value is used; its errors are rethrown
 */
export async function readJsonBody(request: Request, count: (size: BodySize) => void): Promise<unknown> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  try {
    const { value, members } = await parseJson(bytes, 'the body');
    count({ bytes: bytes.length, members });
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // Returns the position of the error without the parser's message, which quotes text that may be a key.
    const [place = ''] = / at position .*/.exec(cause.message) ?? [];
    throw new AppError('bad_request', `the body is not JSON${place}`);
  }
}
