import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AuthorizationServer } from '../../access/types.ts';
import { asAppError, badRequestError, tooLargeError } from '../../errors.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import type { ConsoleOptions } from '../console/frame/visitor.ts';
import { type HttpEnv, methodNotAllowedResponse } from './edge.ts';
import { APP_ENDPOINTS } from './protected-resource.ts';

const MAX_BYTES = 32_768;

type AppAnswer = (server: AuthorizationServer, c: Context<HttpEnv>) => Promise<Response>;

/** Adds what apps ask without a user: registration, tokens, revocation. They have no secret (public clients). */
export function addAppEndpoints(
  app: Hono<HttpEnv>,
  { apps: open, identifyPageUser }: Pick<ConsoleOptions, 'apps' | 'identifyPageUser'>,
): void {
  if (!open) return;
  const answers: readonly (readonly [path: string, answer: AppAnswer])[] = [
    [APP_ENDPOINTS.registration, register],
    [APP_ENDPOINTS.token, async (server, c) => c.json(await server.exchange(await readForm(c)))],
    [APP_ENDPOINTS.revocation, async (server, c) => c.json(await server.revokeToken(await readForm(c)))],
  ];
  const onError = (c: Context) => refused(c, tooLargeError(`the body has over ${MAX_BYTES} bytes`));
  for (const [path, answer] of answers) {
    app.use(path, cors({ origin: '*', allowMethods: ['POST'], maxAge: 3600 }));
    app.use(path, bodyLimit({ maxSize: MAX_BYTES, onError }));
    app.post(path, async (c) => {
      c.header('Cache-Control', 'no-store');
      try {
        await identifyPageUser?.(undefined, c.get('client'));
        return await answer(await open(), c);
      } catch (error) {
        return refused(c, error);
      }
    });
    app.all(path, (c) => methodNotAllowedResponse(c, 'POST'));
  }
}

async function register(server: AuthorizationServer, c: Context<HttpEnv>): Promise<Response> {
  const body = parseJsonOrNothing(await c.req.text());
  return c.json(server.registerClient(body, c.get('client').address), 201);
}

async function readForm(c: Context<HttpEnv>): Promise<URLSearchParams> {
  const type = c.req.header('content-type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams(await c.req.text());
  throw badRequestError('the body is application/x-www-form-urlencoded', { oauth: 'invalid_request' });
}

/** Answers with the error of OAuth (RFC 6749, 5.2), or one that says to come again. */
function refused(c: Context, thrown: unknown): Response {
  const { status, message, retryAfter, oauth } = asAppError(thrown);
  if (status === 500) throw thrown;
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  const error = oauth ?? (status < 429 ? 'invalid_request' : 'temporarily_unavailable');
  return c.json({ error, error_description: message }, status as ContentfulStatusCode);
}
