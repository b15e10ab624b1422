import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { AppError, forbiddenError } from '../../errors.ts';
import type { Services } from '../../wiring/services.ts';
import type { HttpEnv } from '../http/edge.ts';

export interface UploadSession {
  readonly owner: string;
  readonly form: string;
}

const SESSION_LIFETIME_S = 4 * 3600;

/** Returns a cookie's name for this port, because browsers send cookies to all ports of a host. */
export function cookieName(c: Context<HttpEnv>, of: 'app' | 'console' | 'said' = 'app'): string {
  return `magpie_${of}_${new URL(c.req.url).port || '0'}`;
}

/** Opens a session and returns its user. Returns undefined if the link's secret (`pass`) is invalid. */
export async function openUploadSession(
  c: Context<HttpEnv>,
  services: Services,
  pass: string,
  secure: boolean,
): Promise<string | undefined> {
  const passes = await services.passes();
  const owner = await passes.checkPass('link', pass);
  if (owner === undefined) return undefined;
  setCookie(c, cookieName(c), await passes.issuePass('session', owner), {
    path: '/app',
    httpOnly: true,
    sameSite: 'Strict',
    secure,
    maxAge: SESSION_LIFETIME_S,
  });
  return owner;
}

export function closeUploadSession(c: Context<HttpEnv>): void {
  setCookie(c, cookieName(c), '', { path: '/app', httpOnly: true, sameSite: 'Strict', maxAge: 0 });
}

export async function findUploadSession(
  c: Context<HttpEnv>,
  services: Services,
): Promise<UploadSession | undefined> {
  const cookie = getCookie(c, cookieName(c));
  if (!cookie) return undefined;
  const passes = await services.passes();
  const owner = await passes.checkPass('session', cookie);
  return owner === undefined ? undefined : { owner, form: await passes.issuePass('form', owner, cookie) };
}

export async function checkFormSession(
  c: Context<HttpEnv>,
  services: Services,
  form: string,
): Promise<UploadSession> {
  const session = await findUploadSession(c, services);
  if (!session) throw noSessionError();
  const cookie = getCookie(c, cookieName(c)) ?? '';
  if ((await (await services.passes()).checkPass('form', form, cookie)) === session.owner) return session;
  throw forbiddenError('this form has expired or is not of this page: load the page again');
}

/** Identifies the user by a link's secret, or by session and form token. Other sites know none of these. */
export async function identifyUploader(
  c: Context<HttpEnv>,
  services: Services,
): Promise<{ readonly owner: string }> {
  const pass = c.req.query('pass');
  if (pass === undefined) return checkFormSession(c, services, c.req.header('x-form') ?? '');
  const owner = await (await services.passes()).checkPass('link', pass);
  if (owner === undefined) throw linkExpiredError();
  return { owner };
}

export async function identifyFileOwner(
  c: Context<HttpEnv>,
  services: Services,
  name: string,
): Promise<string> {
  const pass = c.req.query('pass');
  const owner =
    pass === undefined
      ? (await findUploadSession(c, services))?.owner
      : await (await services.passes()).checkPass('file', pass, name);
  if (owner !== undefined) return owner;
  if (pass === undefined) throw noSessionError();
  throw new AppError('unauthenticated', 'this link has expired or is incomplete: listpdfs gives a new one');
}

export function linkExpiredError(): AppError {
  return new AppError(
    'unauthenticated',
    'this link has expired or is incomplete: ask your assistant for a new one with /pdfload',
  );
}

export function noSessionError(): AppError {
  return new AppError(
    'unauthenticated',
    'this page is closed: ask your assistant for a new link with /pdfload, or run `magpie call pdfload`',
  );
}
