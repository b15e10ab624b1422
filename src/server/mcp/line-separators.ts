import { StringDecoder } from 'node:string_decoder';

/** Escapes U+2028, U+2029 and U+0085. JSON may contain them, but many clients end a line there. */

const SEPARATORS = /[\u2028\u2029\u0085]/g;

export function escapeLineSeparators(json: string): string {
  return json.replace(SEPARATORS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Escapes a response. A JSON body is sent as one text, which is faster than a stream. */
export async function escapeResponse(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (headers.get('content-type')?.startsWith('application/json'))
    return new Response(escapeLineSeparators(await response.text()), { status, headers });
  const { body } = response;
  return body ? new Response(escapeStream(body.getReader()), { status, headers }) : response;
}

function escapeStream(reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  // A chunk may end inside a character. The decoder keeps its bytes for the next chunk.
  const decoder = new StringDecoder('utf8');
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { value, done } = await reader.read();
        const text = done ? decoder.end() : decoder.write(value);
        if (text !== '') controller.enqueue(Buffer.from(escapeLineSeparators(text)));
        if (done) controller.close();
        if (done || text !== '') return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
