import { createHash } from 'node:crypto';

/**
 * 16 hexadecimal digits that are the same for the same task of the same user for the same team: what an
 * automation is found by. It is made of the words and not of the plan, which a model may word differently.
 */
export function fingerprintOf(owner: string, team: string, task: string): string {
  const words = oneLine(task).toLowerCase();
  return createHash('sha256')
    .update(JSON.stringify([owner, team, words]))
    .digest('hex')
    .slice(0, 16);
}

/** A text without line breaks and other white space beyond single blanks. */
export function oneLine(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
