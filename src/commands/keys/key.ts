import { z } from 'zod';
import type { KeyRecord, KeyWithState } from '../../access/types.ts';
import { ACCESS_SCOPES, type AccessScope } from '../../caller.ts';
import type { CommandContext } from '../../command.ts';
import { badRequestError } from '../../errors.ts';
import { formatDuration, parseDuration } from '../../lib/time/duration.ts';
import { documentedCommand } from '../documented-command.ts';
import { wordFlag } from '../flags.ts';
import { keyToJson } from './key-facts.ts';

/** Only `magpie key create` and `rotate` show a key's text, and only once. */

const expires = wordFlag.describe(
  'How long it lives, such as 90d, 12h or 2w; it never expires when left out.',
);

export const createKey = documentedCommand('key create', {
  flags: {
    scope: z
      .string()
      .default('')
      .describe(`What its bearer may do: ${ACCESS_SCOPES.join(', ')}; several with commas.`),
    user: z.string().optional(),
    name: z.string().optional(),
    expires,
  },
  effect: () => 'access',
  async run({ scope, user, name, expires: term }, ctx) {
    const lifetimeMs = lifetimeOf('expires', term);
    const { keys, isOpen } = await ctx.services.identity.access();
    const wasOpen = await isOpen();
    const made = await keys.createKey({
      user: user ?? ctx.caller.id,
      scopes: scopesOf(scope),
      name,
      lifetimeMs,
    });
    await keys.whenApplied();
    await show(made.key, made.record, ctx);
    if (wasOpen && !ctx.json) {
      await ctx.print(
        'It is the first key: a server of this data folder was open to this machine, and asks every caller for a key from now on.',
      );
    }
  },
});

export const rotateKey = documentedCommand('key rotate', {
  words: ['id'],
  flags: {
    id: z.string().min(1),
    overlap: z.string().min(1).default('24h'),
    expires: expires,
  },
  effect: () => 'access',
  async run({ id, overlap, expires: term }, ctx) {
    const lifetimeMs = lifetimeOf('expires', term);
    const { keys } = await ctx.services.identity.access();
    const made = await keys.rotateKey(id, { overlapMs: durationOf('overlap', overlap), lifetimeMs });
    await keys.whenApplied();
    return show(made.key, made.record, ctx, (await keys.getKey(id)).record);
  },
});

async function show(key: string, record: KeyRecord, ctx: CommandContext, old?: KeyRecord): Promise<void> {
  if (ctx.json) {
    const replaced = old && { id: old.id, expiresAt: keyToJson(old).expiresAt };
    return ctx.print(JSON.stringify({ key, ...keyToJson(record), replaces: replaced }));
  }
  const { id, user, scopes, expiresAt } = keyToJson(record);
  const ends = expiresAt === null ? 'it does not expire' : `it expires at ${expiresAt}`;
  await ctx.print(key);
  await ctx.print(`\nKey ${id} of ${user}, with the scopes ${scopes.join(', ')}; ${ends}.`);
  if (old) await ctx.print(`The old key ${old.id} ends at ${keyToJson(old).expiresAt}.`);
  return ctx.print('This is the only time it is shown. Callers send it as Authorization: Bearer <key>.');
}

/** Parses scopes. Throws AppError `bad_request` for an empty text or an unknown scope. */
function scopesOf(text: string): AccessScope[] {
  const named = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = named.find((name) => !ACCESS_SCOPES.some((scope) => scope === name));
  if (named.length > 0 && unknown === undefined)
    return ACCESS_SCOPES.filter((scope) => named.includes(scope));
  const what = unknown === undefined ? 'is required' : `has ${JSON.stringify(unknown.slice(0, 80))}`;
  throw badRequestError(`--scope ${what}: it takes ${ACCESS_SCOPES.join(', ')}, separated by commas`);
}

function lifetimeOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = durationOf(flag, text);
  if (ms > 0) return ms;
  throw badRequestError(`--${flag} is ${JSON.stringify(text)}: it must be longer than 0`);
}

function durationOf(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw badRequestError(
    `--${flag} is ${JSON.stringify(text.slice(0, 80))}: it takes a span such as 90d, 12h, 30m or 2w, up to ten years`,
  );
}

/** The API contract recommends rotating keys after 90 days. */
const OLD_KEY_MS = 90 * 86_400_000;

export const listKeys = documentedCommand('key list', {
  flags: { user: z.string().optional() },
  effect: () => 'read',
  async run({ user }, ctx) {
    const { keys } = await ctx.services.identity.access();
    const found = await keys.listKeys(user);
    if (ctx.json) {
      const listed = found.map(({ record, state }) => ({ ...keyToJson(record), state }));
      return ctx.print(JSON.stringify({ keys: listed }));
    }
    if (found.length === 0) {
      return ctx.print('There are no keys. magpie key create --scope read makes one.');
    }
    const head = ['ID', 'KEY', 'USER', 'NAME', 'SCOPES', 'STATE', 'MADE', 'LAST USED'];
    for (const line of table([head, ...found.map((key) => cells(key, Date.now()))])) await ctx.print(line);
  },
});

function cells({ record, state }: KeyWithState, now: number): string[] {
  const { id, prefix, user, name, scopes, createdAt, usedAt } = record;
  const made = `${formatDuration(now - createdAt)} ago`;
  const used = usedAt === undefined ? 'never' : `${formatDuration(now - usedAt)} ago`;
  return [id, `${prefix}...`, user, name, scopes.join(','), stateOf({ record, state }, now), made, used];
}

function stateOf({ record, state }: KeyWithState, now: number): string {
  if (state !== 'active') return state;
  const { expiresAt, createdAt, replacedBy } = record;
  const left = expiresAt === undefined ? '' : `, ${formatDuration(expiresAt - now)} left`;
  if (replacedBy !== undefined) return `replaced by ${replacedBy}${left}`;
  return `active${left}${now - createdAt > OLD_KEY_MS ? ', old: rotate it' : ''}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
