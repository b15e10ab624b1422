import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { HttpEnv } from '../../http/edge.ts';

const flash = z.object({ text: z.string().max(600), undo: z.string().max(500).optional() });
export type FlashMessage = z.output<typeof flash>;

const LIFETIME_S = 60;

function cookieName(c: Context<HttpEnv>): string {
  return `magpie_said_${new URL(c.req.url).port || '0'}`;
}

export function putFlash(c: Context<HttpEnv>, text: string, undo?: string): void {
  const value = Buffer.from(JSON.stringify({ text: text.slice(0, 600), undo })).toString('base64url');
  setCookie(c, cookieName(c), value, {
    path: '/app',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: LIFETIME_S,
  });
}

/** Reads and deletes the cookie with the message. Returns undefined if it is missing or invalid. */
export function takeFlash(c: Context<HttpEnv>): FlashMessage | undefined {
  const cookie = getCookie(c, cookieName(c));
  if (cookie === undefined) return undefined;
  deleteCookie(c, cookieName(c), { path: '/app' });
  try {
    return flash.safeParse(JSON.parse(Buffer.from(cookie, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
