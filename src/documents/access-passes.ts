import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PassRevocations } from './pass-revocations.ts';
import type { AccessPasses, PassKind } from './types.ts';

export const PASS_LIFETIME_S: Readonly<Record<PassKind, number>> = {
  link: 3600,
  session: 4 * 3600,
  file: 24 * 3600,
  form: 4 * 3600,
  console: 4 * 3600,
};

const PASS = /^([\w-]{1,1200})\.(\d{1,12})\.([\w-]{43})$/;

/** Creates the issuer of passes. A pass is `<owner>.<expiry>.<HMAC>`. The expiry is in seconds since 1970. */
export function createAccessPasses(
  secret: Uint8Array,
  revocations: PassRevocations,
  now: () => number = Date.now,
): AccessPasses {
  const sign = async (kind: PassKind | 'address', owner: string, expiry: string, about: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, owner, expiry, about, await revocations.countEnds(owner)]))
      .digest();

  return {
    async issuePass(kind, owner, about = '') {
      const expiry = String(Math.floor(now() / 1000) + PASS_LIFETIME_S[kind]);
      const mac = (await sign(kind, owner, expiry, about)).toString('base64url');
      return `${Buffer.from(owner).toString('base64url')}.${expiry}.${mac}`;
    },
    async checkPass(kind, pass, about = '') {
      const [, name, expiry, mac] = PASS.exec(pass) ?? [];
      if (name === undefined || expiry === undefined || mac === undefined) return undefined;
      const owner = Buffer.from(name, 'base64url').toString();
      const valid = isSame(await sign(kind, owner, expiry, about), mac);
      return valid && Number(expiry) * 1000 > now() ? owner : undefined;
    },
    markAddress: async (owner, address) => (await sign('address', owner, '', address)).toString('base64url'),
    isAddressMark: async (owner, address, mark) => isSame(await sign('address', owner, '', address), mark),
    endPasses: (owner) => revocations.addEnd(owner),
    endAllPasses: () => revocations.addEndForAll(),
  };
}

/** Compares a code in base64url with the expected bytes in constant time, against timing attacks. */
function isSame(mac: Uint8Array, given: string): boolean {
  return timingSafeEqual(mac, Buffer.concat([Buffer.from(given, 'base64url'), Buffer.alloc(32)], 32));
}
