import { createHash } from 'node:crypto';

/** Hashes user, team and task words. Leaves out the plan, which a model may word differently each time. */
export function fingerprintOf(owner: string, team: string, task: string, fields: object = {}): string {
  const words = oneLine(task).toLowerCase();
  return createHash('sha256')
    .update(JSON.stringify([owner, team, words, ...(Object.keys(fields).length > 0 ? [fields] : [])]))
    .digest('hex')
    .slice(0, 16);
}

export const oneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
