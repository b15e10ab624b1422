import { isIP } from 'node:net';
import { AppError, badRequestError, forbiddenError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import { isPublicAddress } from '../../lib/network/address.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';
import { extractWrittenUrl } from '../../lib/network/written-address.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import type { Inventory } from './inventory.ts';
import {
  type Infrastructure,
  type MonitorTarget,
  type PageTarget,
  parseHeartbeatAddress,
  parseServiceAddress,
} from './target.ts';

const HOST = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+\.?$/u;

/** Returns the inventory entry if the user may use it, otherwise a public target. Throws `bad_request`. */
export function findInfrastructure(id: string, owner: string, inventory: Inventory): Infrastructure {
  const listed = inventory.get(id);
  if (listed && (listed.users?.includes(owner) ?? true)) return listed;
  const service = parseServiceAddress(id) ?? parseHeartbeatAddress(id) ?? parsePageId(id);
  if (service) return { id: service.name, source: 'public', tags: [], targets: [service], allow: [] };
  const url = addressOf(id);
  if (url) {
    return {
      id: url.href,
      source: 'public',
      tags: [],
      targets: [{ kind: 'url', name: url.href }],
      allow: [],
    };
  }
  const known = [...inventory.values()].filter(({ users }) => users?.includes(owner) ?? true);
  const near = didYouMean(
    id,
    known.map((one) => one.id),
  );
  throw badRequestError(
    `infrastructure_id is ${JSON.stringify(id.slice(0, 200))}: it takes a public URL, a host name, tcp://host:port, dns:name, ping:host, heartbeat:name, page:URL, or an entry of the inventory (MAGPIE_INVENTORY), which alone opens private addresses${near}`,
  );
}

const [PAGE, MAX_LABEL] = [/^page:/i, 60];

function parsePageId(id: string): PageTarget | undefined {
  if (!PAGE.test(id)) return undefined;
  const [written = '', ...fragment] = id.replace(PAGE, '').trim().split('#');
  const url = addressOf(written);
  const shown = JSON.stringify(id.slice(0, 200));
  if (!url)
    throw badRequestError(`${shown} cannot be watched: page takes a URL: page:https://shop.example/lamp`);
  const given = fragment.join('#').toWellFormed();
  // An id that was stored is encoded.
  const label = attempt(() => decodeURIComponent(given)) ?? given;
  if (label.length > MAX_LABEL)
    throw badRequestError(`${shown} cannot be watched: at most ${MAX_LABEL} characters follow #`);
  const name = fragment.length > 0 ? `#${encodeURIComponent(label)}` : '';
  return { kind: 'page', name: `page:${url.href}${name}`, url: url.href };
}

export function tryFindInfrastructure(
  id: string,
  owner: string,
  inventory: Inventory,
): Infrastructure | undefined {
  return attempt(() => findInfrastructure(id, owner, inventory));
}

/** Matches hosts that need a scheme to count as an address: `localhost`, and numbers such as `10.0.0.1`. */
const BARE_PRIVATE = /^(?:localhost|[\d.]+)$/;

/** Extracts the URL from an id with a scheme, or with characters that no host has: `shop.example/cart`. */
function writtenAddress(id: string): string | undefined {
  const address = /^https?:\/\//i.test(id) || /[/<>()[\]"'`,;]/.test(id) ? extractWrittenUrl(id) : undefined;
  const isGuess =
    address !== undefined && !/https?:/i.test(id) && BARE_PRIVATE.test(new URL(address).hostname);
  return isGuess ? undefined : address;
}

function addressOf(id: string): URL | undefined {
  const written = writtenAddress(id);
  const address =
    written !== undefined || /^https?:\/\//i.test(id)
      ? (written ?? id)
      : HOST.test(id) && isIP(id) === 0
        ? `https://${id}/`
        : undefined;
  const bare = isIP(id) > 0 && isPublicAddress(id) ? `https://${isIP(id) === 6 ? `[${id}]` : id}/` : address;
  if (bare === undefined || !URL.canParse(bare)) return undefined;
  const url = new URL(bare);
  if (url.username || url.password) return undefined;
  url.hash = '';
  return url;
}

function reachedAt(target: MonitorTarget): string | undefined {
  if (target.kind === 'url') return target.name;
  if (target.kind === 'tcp') return `https://${target.name.slice('tcp://'.length)}/`;
  if (target.kind === 'page') return target.url;
  if (target.kind !== 'ping' && target.kind !== 'dns') return undefined;
  return `https://${isIP(target.host) === 6 ? `[${target.host}]` : target.host}/`;
}

/** Checks targets. Throws AppError `forbidden` for a private address that is not in the inventory. */
export async function requirePublicTargets(
  { source, targets }: Infrastructure,
  guard: UrlGuard,
  signal: AbortSignal,
) {
  if (source === 'inventory') return;
  for (const target of targets) {
    const address = reachedAt(target);
    if (address === undefined) continue;
    try {
      await guard.check(address, signal);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'forbidden') {
        // Removes the advice `; the operator ...` from the message, because it does not help with monitoring.
        const [why] = error.message.split('; the operator', 1);
        const what = 'private targets, and ports of other protocols, are watched only from the inventory';
        throw forbiddenError(`${why}: ${what} (MAGPIE_INVENTORY)`, { cause: error });
      }
      // Ignores other errors, because a site that is down may be monitored too.
      if (error.code === 'bad_request' || error.code === 'cancelled') throw error;
    }
  }
}

/** Caches each entry's targets by name, because each result needs one of perhaps thousands of targets. */
const named = new WeakMap<Infrastructure, ReadonlyMap<string, MonitorTarget>>();

export function findTarget(
  infrastructure: Infrastructure | undefined,
  name: string,
): MonitorTarget | undefined {
  if (!infrastructure) return undefined;
  const known =
    named.get(infrastructure) ??
    new Map(infrastructure.targets.toReversed().map((one) => [one.name, one] as const));
  named.set(infrastructure, known);
  return known.get(name);
}
