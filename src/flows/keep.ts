import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import type { Page } from '../browse/types.ts';
import { AppError } from '../errors.ts';
import type { NewEntry } from '../knowledge/types.ts';
import type { Context } from '../operation.ts';
import { remember, textWork } from './searching/answer.ts';

/** Where the knowledge base meets pages and files: what is to be kept may be a text, a page or a file. */

export interface ToKeep {
  readonly q?: string | undefined;
  readonly url?: string | undefined;
  readonly path?: string | undefined;
  /** Of an encrypted PDF that `path` names; it is used once and not kept. */
  readonly password?: string | undefined;
}

/** What is kept, and what is said of it besides. */
export interface Kept {
  readonly entry: NewEntry;
  /** `the page "Title" of https://...`; undefined for a text. */
  readonly what?: string;
  /** A sentence for the user. */
  readonly remark?: string;
}

/** Characters of an entry's key; a longer address stands in it as its SHA-256. */
const MAX_KEY_CHARS = 500;

/** An address and nothing else. */
const ONLY_ADDRESS = /^https?:\/\/[^\s<>"]{3,2000}$/i;

/**
 * The text that `q`, `url` or `path` stand for; with an address or a path, `q` is a note above it. Where `q` is an address alone, at a
 * terminal and from an assistant the page is meant; REST keeps the text as the contract says. AppError as the reading of pages and files has
 * them, `bad_request` for parameters that do not go together.
 */
export async function textToKeep({ q = '', url, path, password }: ToKeep, ctx: Context): Promise<Kept> {
  const note = q.trim();
  if (url !== undefined && path !== undefined) {
    throw new AppError('bad_request', 'url and path are both given: leave one of them out');
  }
  if (path !== undefined) return fileToKeep(note, path, password, ctx);
  if (url !== undefined) return pageToKeep(note === url ? '' : note, url, ctx);
  if (note === '') {
    throw new AppError('bad_request', 'no query was provided: q is required, and takes the text to keep');
  }
  if (!ONLY_ADDRESS.test(note) || !meansPages(ctx)) return { entry: { text: q } };
  try {
    return await pageToKeep('', note, ctx);
  } catch (error) {
    // What was to be remembered is kept in any case.
    if (!(error instanceof AppError) || error.code === 'cancelled' || ctx.signal.aborted) throw error;
    return { entry: { text: q }, remark: ` Only the address: the page was not read (${error.message}).` };
  }
}

/** REST's callers are programs, whose text stays what it is. */
function meansPages({ caller, wishes }: Context): boolean {
  return caller.via !== 'http' || !wishes.whole;
}

async function pageToKeep(note: string, url: string, ctx: Context): Promise<Kept> {
  const browse = await ctx.services.browse();
  ctx.progress(`reading ${url}`);
  // As it is now, and not as it was when it was last read.
  const page = await browse.readPage(url, { signal: ctx.signal, owner: ctx.caller.id, fresh: true });
  await remember([page], ctx);
  const text = await browse.dropAddresses(page.markdown, 'pictures', textWork(ctx));
  if (text.trim() === '') throw new AppError('unsupported', `${url} has no text to keep`);
  const address = page.url.replace(/#.*/s, '');
  const title = page.title.slice(0, MAX_KEY_CHARS).toWellFormed();
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

/** Who wrote it, where and when, in words that a question finds. */
function factsOf({ author, site, published }: Page): string {
  const facts = [author && `By ${author}`, site, published && `published ${published}`].filter(Boolean);
  return facts.length === 0 ? '' : `${facts.join(', ')}.`;
}

async function fileToKeep(
  note: string,
  path: string,
  password: string | undefined,
  ctx: Context,
): Promise<Kept> {
  if (ctx.caller.via === 'http') {
    throw new AppError(
      'bad_request',
      'path names a file of the machine that Magpie runs on, and is not for callers over HTTP: give the text as q, an ' +
        'address as url, or upload the file',
    );
  }
  const [intake, { readBytes }] = await Promise.all([ctx.services.intake(), ctx.services.browse()]);
  // A person at a terminal reads what the user may read; an assistant does not get at what is hidden.
  const within = ctx.caller.via === 'cli' ? undefined : homedir();
  // Assistants name files so; a shell has done it already.
  const whole = path.replace(/^~(?=\/|$)/, () => homedir());
  const file = await intake.readFile(whole, { within, password, read: readBytes, signal: ctx.signal });
  const { text, title, source, tags, key } = file;
  return {
    entry: { text: [note, text].filter(Boolean).join('\n\n'), title, source, tags, key },
    what: `the file ${file.path}`,
  };
}
