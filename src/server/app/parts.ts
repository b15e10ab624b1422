import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Access } from '../../access/types.ts';
import { type Edge, untilGone } from '../http/edge.ts';
import type { Pipe } from '../invoke.ts';
import type { UploadForm } from './form.ts';
import { type Html, listPage, type WayOn } from './page.ts';
import type { Session } from './session.ts';

export interface UploadAppOptions {
  /** The user of an open server, whose page anyone on this machine may open; undefined where a link is needed. */
  readonly openUser?: () => Promise<string | undefined>;
  readonly publicUrl?: string | undefined;
  readonly readOnly?: boolean;
  /** Where a link leads to: the console's files where there is a console, else the list here. */
  readonly home?: string;
  /** The caller whose limits apply to a request, first by address and then by user; throws AppError. */
  readonly identifyPageUser?: Access['identifyPageUser'];
  /** Counts the processor time that a request costs, once its user is known. */
  readonly createMeter?: Access['createMeter'];
}

/** What the routes of the upload page share. */
export interface UploadParts {
  readonly pipe: Pipe;
  readonly readOnly: boolean;
  readonly home: string;
  /** Whether cookies are for https only. */
  readonly secure: boolean;
  /** The same session, after its user was counted towards the limits. */
  identified<S extends { readonly owner: string } | undefined>(c: Context<Edge>, session: S): Promise<S>;
  /** A link that opens the page, for who has none: on an open server alone. */
  wayIn(c: Context<Edge>): Promise<WayOn | undefined>;
  /** Where a page leads that has nothing to show: to the list for who has it open, else to what opens it, if anything does. */
  wayOn(c: Context<Edge>): Promise<WayOn | undefined>;
  /** The form of a user who has the page open; AppError `unauthenticated` for any other request. */
  formOf(c: Context<Edge>, maxBytes: number): Promise<UploadForm>;
}

/** Files in the list before "Show more", and at most. */
const FILES_SHOWN = 100;
const MAX_FILES_SHOWN = 10_000;
const MAX_QUERY_CHARS = 200;

/** The list of the user's files, with what went wrong above it; files are added to `collection`. */
export async function sendList(
  c: Context<Edge>,
  { pipe, readOnly }: UploadParts,
  session: Session,
  alert: readonly string[] = [],
  status = 200,
  collection = c.req.query('collection') ?? '',
): Promise<Response> {
  const room = await pipe.services.documents();
  const q = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_CHARS);
  const found = q
    ? await room.searchDocuments(session.owner, q, untilGone(c))
    : (await room.listDocuments(session.owner)).map((document) => ({ document }));
  const asked = Math.trunc(Number(c.req.query('show'))) || FILES_SHOWN;
  const show = Math.min(Math.max(asked, FILES_SHOWN), MAX_FILES_SHOWN);
  const [usage, reading] = [await room.readUsage(session.owner), room.listReading(session.owner)];
  const { maxBytes } = room;
  const view = { session, found, reading, usage, maxBytes, q, show, readOnly, collection };
  return sendPage(c, listPage(view, alert), status);
}

export async function sendPage(c: Context, html: Html, status = 200): Promise<Response> {
  return c.html(html, status as ContentfulStatusCode);
}

/** An error's message as a sentence of a page. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
