import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Access } from '../../access/types.ts';
import { disconnectSignal, type HttpEnv } from '../http/edge.ts';
import type { Pipe } from '../invoke.ts';
import type { SubmittedForm } from './form.ts';
import { fileListPage, type Html, type NextPageLink } from './page.ts';
import type { UploadSession } from './session.ts';

export interface UploadAppOptions {
  /** The only user of a server without access keys. Undefined if only a link can open the page. */
  readonly openUser?: () => Promise<string | undefined>;
  readonly publicUrl?: string | undefined;
  readonly readOnly?: boolean;
  /** A link leads to this path: the console's page of files or, without a console, the list of the upload page. */
  readonly home?: string;
  /** Checks the limits of the address, then of the user. Throws an AppError above a limit. */
  readonly identifyPageUser?: Access['identifyPageUser'];
  readonly createMeter?: Access['createMeter'];
}

export interface UploadAppContext {
  readonly pipe: Pipe;
  readonly readOnly: boolean;
  readonly home: string;
  readonly secure: boolean;
  /** Counts the request towards the limits of the session's user. Returns the session unchanged. */
  applyUserLimits<S extends { readonly owner: string } | undefined>(
    c: Context<HttpEnv>,
    session: S,
  ): Promise<S>;
  /** Returns a link that opens the upload page. Returns undefined if the server has access keys. */
  findOpeningLink(c: Context<HttpEnv>): Promise<NextPageLink | undefined>;
  /** Returns the link for an error page: to the list of files with a session, otherwise that of `findOpeningLink`. */
  findNextLink(c: Context<HttpEnv>): Promise<NextPageLink | undefined>;
  readSessionForm(c: Context<HttpEnv>, maxBytes: number): Promise<SubmittedForm>;
}

const FILES_SHOWN = 100;
const MAX_FILES_SHOWN = 10_000;
const MAX_QUERY_CHARS = 200;

export async function sendFileList(
  c: Context<HttpEnv>,
  { pipe, readOnly }: UploadAppContext,
  session: UploadSession,
  alert: readonly string[] = [],
  status = 200,
  collection = c.req.query('collection') ?? '',
): Promise<Response> {
  const room = await pipe.services.documents();
  const q = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_CHARS);
  const found = q
    ? await room.searchDocuments(session.owner, q, disconnectSignal(c))
    : (await room.listDocuments(session.owner)).map((document) => ({ document }));
  const asked = Math.trunc(Number(c.req.query('show'))) || FILES_SHOWN;
  const show = Math.min(Math.max(asked, FILES_SHOWN), MAX_FILES_SHOWN);
  const [usage, reading] = [await room.readUsage(session.owner), room.listReading(session.owner)];
  const { maxBytes } = room;
  const view = { session, found, reading, usage, maxBytes, q, show, readOnly, collection };
  return sendPage(c, fileListPage(view, alert), status);
}

export async function sendPage(c: Context, html: Html, status = 200): Promise<Response> {
  return c.html(html, status as ContentfulStatusCode);
}

export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
