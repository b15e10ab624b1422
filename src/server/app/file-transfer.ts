import type { Context } from 'hono';
import type { AddDocumentOptions, DocumentInfo, Documents } from '../../documents/types.ts';
import { badRequestError, forbiddenError, tooLargeError } from '../../errors.ts';
import { disconnectSignal, type HttpEnv } from '../http/edge.ts';
import type { OperationPipeline } from '../invoke.ts';
import { mediaTypeOf } from './file-kinds.ts';

/** Sends a file as a download. A browser must not display it, because it may contain scripts. */
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

const UPLOAD = { name: 'app upload', effect: 'write', openWorld: false } as const;

interface FileToAdd extends AddDocumentOptions {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export async function addFile(
  c: Context<HttpEnv>,
  { pipe, readOnly }: { readonly pipe: OperationPipeline; readonly readOnly: boolean },
  owner: string,
  { name, bytes, ...adding }: FileToAdd,
): Promise<DocumentInfo> {
  if (readOnly) throw forbiddenError('this server is read-only: no file can be added');
  const user = c.get('pageUser');
  const signal = disconnectSignal(c);
  const leave = user && (await pipe.accounting?.enterCall(user, UPLOAD, signal));
  const work = pipe.services
    .documents()
    .then((room) => room.addDocument(owner, name, bytes, signal, adding))
    .finally(leave);
  pipe.running.add(work);
  const ended = () => pipe.running.delete(work);
  work.then(ended, ended);
  return work;
}

export function readUploadedFile(c: Context<HttpEnv>, name: string, maxBytes: number): FileToAdd {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) {
    throw tooLargeError(`${JSON.stringify(name.slice(0, 80))} is over ${maxBytes} bytes, the maximum`);
  }
  return {
    name,
    bytes: c.req.raw.body ?? new Blob([]).stream(),
    password: passwordOf(c.req.header('x-password') ?? ''),
    collection: c.req.query('collection') || undefined,
  };
}

function passwordOf(header: string): string | undefined {
  try {
    return decodeURIComponent(header) || undefined;
  } catch {
    throw badRequestError('the header X-Password takes a password that is percent-encoded');
  }
}
