import type { Context } from 'hono';
import type { Documents } from '../../documents/types.ts';
import type { HttpEnv } from '../http/edge.ts';
import { mediaTypeOf } from './file-kinds.ts';

/** Sends a file, never inline, because an uploaded file may contain scripts. */
export async function sendAsAttachment(
  c: Context<HttpEnv>,
  documents: Documents,
  owner: string,
  name: string,
): Promise<Response> {
  const { document, bytes } = await documents.openFile(owner, name);
  const plain = document.name.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(document.name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  if (c.req.method === 'HEAD') await bytes.cancel();
  c.env.outgoing.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  const headers = {
    'Content-Type': mediaTypeOf(document.kind),
    'Content-Length': String(document.bytes),
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
  };
  return new Response(c.req.method === 'HEAD' ? null : bytes, { headers });
}
