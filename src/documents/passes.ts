import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PassEnds } from './pass-ends.ts';

/**
 * What a pass opens: `link` the upload page, once followed; `session` the page while it is open; `file` the bytes of
 * one file; `form` a form of one session.
 */
export type PassKind = 'link' | 'session' | 'file' | 'form';

/** Seconds that each holds. */
export const LASTS: Readonly<Record<PassKind, number>> = {
  link: 3600,
  session: 4 * 3600,
  file: 24 * 3600,
  form: 4 * 3600,
};

/** Signed, expiring words that stand for a user, so that a browser needs no key. */
export interface Passes {
  /** `about` narrows it: a file's name, the session that a form belongs to. */
  give(kind: PassKind, owner: string, about?: string): string;
  /** Whose it is; undefined when it is forged, over, of another kind or about something else. */
  check(kind: PassKind, pass: string, about?: string): string | undefined;
  /** Ends all that were given for a user, at once and for good. */
  endAll(owner: string): void;
  /** Ends all that were given for anybody. */
  endEveryones(): void;
}

/** `owner.expiry.mac`, the owner in base64url and the expiry in seconds since 1970; HMAC-SHA-256 over all it means. */
export function createPasses(secret: Uint8Array, ends: PassEnds, now: () => number = Date.now): Passes {
  const sign = (kind: PassKind, owner: string, expiry: string, about: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, owner, expiry, about, ends.of(owner)]))
      .digest();

  return {
    give(kind, owner, about = '') {
      const expiry = String(Math.floor(now() / 1000) + LASTS[kind]);
      const mac = sign(kind, owner, expiry, about).toString('base64url');
      return `${Buffer.from(owner).toString('base64url')}.${expiry}.${mac}`;
    },
    check(kind, pass, about = '') {
      const [, name = '', expiry = '', mac = ''] =
        /^([\w-]{1,1200})\.(\d{1,12})\.([\w-]{43})$/.exec(pass) ?? [];
      const owner = Buffer.from(name, 'base64url').toString();
      const good = timingSafeEqual(
        sign(kind, owner, expiry, about),
        Buffer.concat([Buffer.from(mac, 'base64url'), Buffer.alloc(32)], 32),
      );
      return good && mac !== '' && Number(expiry) * 1000 > now() ? owner : undefined;
    },
    endAll: (owner) => ends.add(owner),
    endEveryones: () => ends.addForAll(),
  };
}
