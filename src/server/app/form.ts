import { AppError } from '../../errors.ts';
import { createLimiter } from '../../lib/limiter.ts';

/** Bytes of a form around its files, and its fields and files. */
const MAX_FIELD_BYTES = 1_000_000;
const MAX_PARTS = 1000;

/** Forms with files that are in memory at once. */
const MAX_FORMS_READ = 2;
const withFiles = createLimiter({
  concurrency: MAX_FORMS_READ,
  maxWaiting: 0,
  refuse: () =>
    new AppError('unavailable', 'other users are uploading right now; try again shortly', { retryAfter: 10 }),
});

export interface UploadForm {
  /** A hidden field; '' when it is not there. */
  field(name: string): string;
  readonly files: readonly File[];
}

/**
 * The form of a page without scripts, in memory as a whole: its files may have `maxBytes` together. AppError
 * `too_large`; `bad_request` for anything else than a form; `unavailable` when several with files come at once.
 */
export async function readForm(request: Request, maxBytes: number): Promise<UploadForm> {
  const most = maxBytes + MAX_FIELD_BYTES;
  const tooLarge = new AppError(
    'too_large',
    `these files are over ${Math.floor(maxBytes / 1e6)} MB together: upload fewer at a time, or a smaller one`,
  );
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge;
  const read = () => readFields(request, most, tooLarge);
  return maxBytes > 0 ? withFiles.run(read) : read();
}

async function readFields(request: Request, maxBytes: number, tooLarge: AppError): Promise<UploadForm> {
  try {
    let count = 0;
    const type = request.headers.get('content-type') ?? '';
    const parts = createPartCounter(type);
    const counted = request.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          count += chunk.length;
          if (count > maxBytes) controller.error(tooLarge);
          else if (parts.addBytes(chunk) > MAX_PARTS) controller.error(tooMany());
          else controller.enqueue(chunk);
        },
      }),
    );
    const data = await new Response(counted ?? null, { headers: { 'content-type': type } }).formData();
    return {
      field: (name) => {
        const value = data.get(name);
        return typeof value === 'string' ? value : '';
      },
      // A browser sends an empty file without a name when none is chosen.
      files: data.getAll('files').filter((item) => item instanceof File && item.name !== '') as File[],
    };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad_request', 'this is not a form of the upload page: load the page again', {
      cause,
    });
  }
}

function tooMany(): AppError {
  return new AppError(
    'too_large',
    `this form has over ${MAX_PARTS} fields and files: upload fewer at a time`,
  );
}

/**
 * Counts the parts of a form while it arrives, by what stands between them: each costs its reader far more than its bytes
 * say. The boundary of a form with files may be cut by the border of two chunks.
 */
function createPartCounter(type: string): { addBytes(chunk: Uint8Array): number } {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const between = Buffer.from(quoted ?? plain ?? '&');
  let parts = 0;
  let rest: Buffer = Buffer.alloc(0);
  return {
    addBytes(chunk) {
      const bytes = Buffer.concat([rest, chunk]);
      let from = 0;
      for (let at = bytes.indexOf(between); at >= 0; at = bytes.indexOf(between, from)) {
        parts += 1;
        from = at + between.length;
      }
      rest = bytes.subarray(Math.max(from, bytes.length - between.length + 1));
      return parts;
    },
  };
}
