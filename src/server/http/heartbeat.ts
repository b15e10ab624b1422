import { Hono } from 'hono';
import type { Access } from '../../access/types.ts';
import { AppError } from '../../errors.ts';
import type { Pipe } from '../invoke.ts';
import type { Edge } from './edge.ts';

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
  app.on(['GET', 'POST'], '/:token', async (c) => {
    await identifyPageUser?.(undefined, c.get('client'));
    if (readOnly) throw new AppError('forbidden', 'this server is read-only: it takes no heartbeats');
    // Hono answers HEAD by GET: what only inspects an address sends no heartbeat.
    const isTaken =
      c.req.method !== 'HEAD' && (await (await services.monitor()).takeHeartbeat(c.req.param('token')));
    if (!isTaken)
      throw new AppError('not_found', 'no monitor has this heartbeat: its address is wrong or was replaced');
    return c.json({ ok: true }, 200, { 'Cache-Control': 'no-store' });
  });
  return app;
}
