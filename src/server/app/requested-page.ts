import type { Context } from 'hono';
import { markedPassage } from '../../lib/text/passage-mark.ts';
import type { Services } from '../../wiring/services.ts';
import { disconnectSignal, type HttpEnv } from '../http/edge.ts';

const MAX_PASSAGE_CHARS = 4000;

export interface RequestedFilePage {
  readonly page: number;
  readonly text: string;
  /** Id of the passage (see `passageMark`), if the page's address contains it instead of the passage. */
  readonly mark: string | undefined;
  readonly passage: string;
}

export async function readRequestedPage(
  c: Context<HttpEnv>,
  services: Services,
  owner: string,
  name: string,
): Promise<RequestedFilePage> {
  const page = Number(c.req.query('page') ?? 1);
  const mark = c.req.query('mark');
  const text = await (await services.documents()).readPage(owner, name, page);
  const words = (c.req.query('passage') ?? '').slice(0, MAX_PASSAGE_CHARS);
  return { page, text, mark, passage: mark === undefined ? words : (markedPassage(text, mark) ?? '') };
}

export async function sendPageImage(
  c: Context<HttpEnv>,
  services: Services,
  owner: string,
  name: string,
): Promise<Response | undefined> {
  const { page, passage } = await readRequestedPage(c, services, owner, name);
  const drawn = await (await services.documents()).drawPage(owner, name, page, passage, disconnectSignal(c));
  if (!drawn) return undefined;
  c.env.outgoing.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  const { type, bytes, length } = drawn;
  const isHead = c.req.method === 'HEAD';
  if (isHead && bytes instanceof ReadableStream) await bytes.cancel();
  const body = bytes instanceof ReadableStream ? bytes : new Uint8Array(bytes);
  const headers = { 'Content-Type': type, 'Content-Length': String(length) };
  return new Response(isHead ? null : body, { headers });
}
