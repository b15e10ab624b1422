import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { AppError, forbiddenError } from '../../errors.ts';
import type { Services } from '../../wiring/services.ts';
import type { HttpEnv } from '../http/edge.ts';

export interface UploadSession {
  readonly owner: string;
  readonly form: string;
}

export const SESSION_LIFETIME_S = 4 * 3600;

/** Sets a cookie of the pages, which other sites cannot send and scripts cannot read. */
export function setPageCookie(
  c: Context<HttpEnv>,
  name: Parameters<typeof cookieName>[1],
  value: string,
  { maxAge = SESSION_LIFETIME_S, secure = false } = {},
): void {
  const options = { path: '/app', httpOnly: true, sameSite: 'Strict', secure, maxAge } as const;
  setCookie(c, cookieName(c, name), value, options);
}

/** Returns a cookie's name for this port, because browsers send cookies to all ports of a host. */
export function cookieName(c: Context<HttpEnv>, of: 'app' | 'console' | 'said' = 'app'): string {
  return `magpie_${of}_${new URL(c.req.url).port || '0'}`;
}

/** Opens a session with a link's secret (`pass`). Throws `unauthenticated` if the secret is invalid. */
export async function openUploadSession(
  c: Context<HttpEnv>,
  services: Services,
  pass: string,
  secure: boolean,
): Promise<void> {
  const owner = await identifyByPass(services, 'link', pass);
  setPageCookie(c, 'app', await (await services.passes()).issuePass('session', owner), { secure });
}

export const closeUploadSession = (c: Context<HttpEnv>): void => setPageCookie(c, 'app', '', { maxAge: 0 });

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

/** Returns the user of a link's secret: of `link`, which opens all files, or of `file` for the file `name`. */
export async function identifyByPass(
  services: Services,
  kind: 'link' | 'file',
  pass: string,
  name?: string,
): Promise<string> {
  const owner = await (await services.passes()).checkPass(kind, pass, name);
  if (owner !== undefined) return owner;
  const remedy =
    kind === 'file' ? 'listpdfs gives a new one' : 'ask your assistant for a new one with /pdfload';
  throw new AppError('unauthenticated', `this link has expired or is incomplete: ${remedy}`);
}

export function noSessionError(): AppError {
  return new AppError(
    'unauthenticated',
    'this page is closed: ask your assistant for a new link with /pdfload, or run `magpie call pdfload`',
  );
}
