import { Hono } from 'hono';
import type { Access } from '../../access/types.ts';
import { AppError } from '../../errors.ts';
import type { Signal } from '../../monitor/types.ts';
import type { Pipe } from '../invoke.ts';
import type { Edge } from './edge.ts';
import { refusePrefetch } from './guard.ts';

/** The last part of an address by what a job says with it; numbers are statuses with which a program ends, 0 a success. */
const SIGNALS: Readonly<Record<string, Signal>> = { start: 'start', fail: 'fail', success: 'success' };
const EXIT_STATUS = /^\d{1,3}$/;

/**
 * Where jobs call with the token of their monitor, by GET or POST. The token alone lets them in, and they count towards the limits of
 * their address. What else is sent is not read.
 */
export function createHeartbeats(
  { services }: Pick<Pipe, 'services'>,
  {
    identifyPageUser,
    readOnly = false,
  }: { readonly identifyPageUser?: Access['identifyPageUser']; readonly readOnly?: boolean },
): Hono<Edge> {
  const app = new Hono<Edge>();
  app.on(['GET', 'POST'], ['/:token', '/:token/:said'], async (c) => {
    await identifyPageUser?.(undefined, c.get('client'));
    if (readOnly) throw new AppError('forbidden', 'this server is read-only: it takes no heartbeats');
    refusePrefetch(c.env.incoming.headers);
    const signal = signalOf(c.req.param('said') ?? 'success');
    if (!signal) {
      throw new AppError(
        'not_found',
        'a heartbeat ends with its token, /start, /fail or a status such as /0',
      );
    }
    // Hono answers HEAD by GET: what only inspects an address sends no heartbeat.
    const isTaken =
      c.req.method !== 'HEAD' &&
      (await (await services.monitor()).takeHeartbeat(c.req.param('token') ?? '', signal));
    if (!isTaken)
      throw new AppError('not_found', 'no monitor has this heartbeat: its address is wrong or was replaced');
    return c.json({ ok: true }, 200, { 'Cache-Control': 'no-store' });
  });
  return app;
}

function signalOf(said: string): Signal | undefined {
  if (EXIT_STATUS.test(said)) return Number(said) === 0 ? 'success' : 'fail';
  return Object.hasOwn(SIGNALS, said) ? SIGNALS[said] : undefined;
}
