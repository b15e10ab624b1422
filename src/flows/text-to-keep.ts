import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import type { Page } from '../browse/types.ts';
import { AppError, badRequestError } from '../errors.ts';
import type { NewEntry } from '../knowledge/types.ts';
import { understandLink } from '../lib/network/written-address.ts';
import { isBlankText } from '../lib/text/invisible.ts';
import { takeCharacters } from '../lib/text/text.ts';
import type { OperationContext } from '../operation.ts';
import { addToLocalIndex, createTextWork } from './searching/answer.ts';

export interface KeepRequest {
  readonly q?: string | undefined;
  readonly url?: string | undefined;
  readonly path?: string | undefined;
  /** Password of the encrypted PDF at `path`. It is not stored. */
  readonly password?: string | undefined;
}

export interface TextToKeep {
  readonly entry: NewEntry;
  /** Source of the text, such as `the page "Title" of https://...`. It is undefined for a given text. */
  readonly what?: string;
  readonly remark?: string;
}

/** Maximum characters of an address used as an entry's key. A longer address is replaced by its SHA-256. */
const MAX_KEY_CHARS = 500;
const ONLY_ADDRESS = /^https?:\/\/[^\s<>"]{3,2000}$/i;

/** Returns the text to store: `q`, or the text at `url` or `path` with `q` as a note. Throws AppError. */
export async function loadTextToKeep(
  { q = '', url, path, password }: KeepRequest,
  ctx: OperationContext,
): Promise<TextToKeep> {
  const note = q.trim();
  if (url !== undefined && path !== undefined) {
    throw badRequestError('url and path are both given: leave one of them out');
  }
  if (path !== undefined) return fileToKeep(note, path, password, ctx);
  if (url !== undefined) return pageToKeep(note === url ? '' : note, url, ctx);
  if (note === '') throw badRequestError('no query was provided: q is required, and takes the text to keep');
  const { address = '', words = [] } = (note.includes('://') && understandLink(note)) || {};
  const isWhole = ctx.caller.via === 'http' && ctx.wishes.whole;
  if (!ONLY_ADDRESS.test(address) || isWhole) return { entry: { text: q } };
  try {
    return await pageToKeep(words.join('\n\n'), address, ctx);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled' || ctx.signal.aborted) throw error;
    return { entry: { text: q }, remark: ` Only the address: the page was not read (${error.message}).` };
  }
}

async function pageToKeep(note: string, url: string, ctx: OperationContext): Promise<TextToKeep> {
  const browse = await ctx.services.browse();
  ctx.progress(`reading ${url}`);
  const page = await browse.readPage(url, { signal: ctx.signal, owner: ctx.caller.id, fresh: true });
  await addToLocalIndex([page], ctx);
  const text = await browse.dropAddresses(page.markdown, 'pictures', createTextWork(ctx));
  if (isBlankText(text)) throw new AppError('unsupported', `${url} has no text to keep`);
  const address = page.url.replace(/#.*/s, '');
  const title = takeCharacters(page.title, MAX_KEY_CHARS);
  return {
    entry: {
      text: [note, factsOf(page), text].filter(Boolean).join('\n\n'),
      title: title || undefined,
      source: address.slice(0, 2000),
      key:
        address.length <= MAX_KEY_CHARS
          ? address
          : `sha256:${createHash('sha256').update(address).digest('hex')}`,
    },
    what: `the page ${title === '' ? '' : `${JSON.stringify(title)} of `}${address}`,
    remark: page.reduced === undefined ? undefined : ` Not read as it should be: ${page.reduced}.`,
  };
}

function factsOf({ author, site, published }: Page): string {
  const facts = [author && `By ${author}`, site, published && `published ${published}`].filter(Boolean);
  return facts.length === 0 ? '' : `${facts.join(', ')}.`;
}

async function fileToKeep(note: string, path: string, password: string | undefined, ctx: OperationContext) {
  if (ctx.caller.via === 'http') {
    throw badRequestError(
      'path names a file of the machine that Magpie runs on, and is not for callers over HTTP: give the text as q, an ' +
        'address as url, or upload the file',
    );
  }
  const [intake, { readBytes }] = await Promise.all([ctx.services.intake(), ctx.services.browse()]);
  // A person at a terminal may read any file, but an assistant only visible files in the home folder.
  const within = ctx.caller.via === 'cli' ? undefined : homedir();
  const whole = path.replace(/^~(?=\/|$)/, () => homedir());
  const file = await intake.readFile(whole, { within, password, read: readBytes, signal: ctx.signal });
  const { text, title, source, tags, key, warning } = file;
  return {
    entry: { text: [note, text].filter(Boolean).join('\n\n'), title, source, tags, key },
    what: `the file ${file.path}`,
    ...(warning !== undefined && { remark: ` ${warning}` }),
  };
}
