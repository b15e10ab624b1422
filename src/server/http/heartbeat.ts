import { Hono } from 'hono';
import type { AccessControl } from '../../access/types.ts';
import { forbiddenError, notFoundError } from '../../errors.ts';
import type { HeartbeatSignal } from '../../monitor/types.ts';
import type { OperationPipeline } from '../invoke.ts';
import type { HttpEnv } from './edge.ts';
import { refusePrefetch } from './guard.ts';

const SIGNALS: Readonly<Record<string, HeartbeatSignal>> = {
  start: 'start',
  fail: 'fail',
  success: 'success',
};
const EXIT_STATUS = /^\d{1,3}$/;

/** Routes by which watched jobs report (GET or POST). The token in the URL is the only credential. */
export function createHeartbeatRoutes(
  { services }: Pick<OperationPipeline, 'services'>,
  {
    identifyPageUser,
    readOnly = false,
  }: { readonly identifyPageUser?: AccessControl['identifyPageUser']; readonly readOnly?: boolean },
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.on(['GET', 'POST'], ['/:token', '/:token/:said'], async (c) => {
    await identifyPageUser?.(undefined, c.get('client'));
    if (readOnly) throw forbiddenError('this server is read-only: it takes no heartbeats');
    refusePrefetch(c.env.incoming.headers);
    const signal = signalOf(c.req.param('said') ?? 'success');
    if (!signal) throw notFoundError('a heartbeat ends with its token, /start, /fail or a status such as /0');
    // Ignores HEAD, for which Hono also calls the GET route.
    const isTaken =
      c.req.method !== 'HEAD' &&
      (await (await services.monitor()).takeHeartbeat(c.req.param('token') ?? '', signal));
    if (!isTaken) throw notFoundError('no monitor has this heartbeat: its address is wrong or was replaced');
    return c.json({ ok: true }, 200, { 'Cache-Control': 'no-store' });
  });
  return app;
}

function signalOf(said: string): HeartbeatSignal | undefined {
  if (EXIT_STATUS.test(said)) return Number(said) === 0 ? 'success' : 'fail';
  return Object.hasOwn(SIGNALS, said) ? SIGNALS[said] : undefined;
}
