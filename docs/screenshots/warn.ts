import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { computeCoveredTime } from '../../src/monitor/history/history-store.ts';
import { createMonitorStores } from '../../src/monitor/stores/stores.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { makeCertificate } from '../../test/helpers/certificates.ts';
import { git, workTree } from '../../test/helpers/git.ts';
import { CHANGED, SHOP, WEBSITE } from './warn-files.ts';

/** Sample data of the pages of Warn: a shop that is watched for ninety days, and its repository, which has holes. */

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** Names of the inventory, as `targets` has them, and what the pages call them. */
const NAMES = { shop: 'Shop', api: 'Orders API', checkout: 'Checkout', mail: 'Mail' } as const;
type Watched = keyof typeof NAMES;

export interface WarnStage {
  /** Settings of the Magpie that shows it. */
  readonly env: Readonly<Record<string, string>>;
  readonly repositories: Readonly<Record<'shop' | 'website', string>>;
  /** Targets of the inventory, by its names. */
  readonly targets: Readonly<Record<Watched, string>>;
  /** Commits what mends one finding of the shop and makes another. */
  changeShop(): Promise<void>;
  close(): void;
}

/** Servers of the shop, an inventory that names them, and the repository, all under `folder`. */
export async function openWarnStage(folder: string): Promise<WarnStage> {
  const authority = makeCertificate({ subject: 'Shop authority', authority: true, from: -400, to: 3000 });
  const { pem, keyPem } = makeCertificate({
    subject: 'shop.example',
    names: ['shop.example', 'api.shop.example'],
    by: authority,
    from: -40,
    to: 23,
  });
  writeFileSync(join(folder, 'authority.pem'), authority.pem);
  const servers: Server[] = [createSecureServer({ cert: pem, key: keyPem }, answer), createServer(answer)];
  // Addresses without a port read better, where the usual one may be had.
  const [secure, mail] = await Promise.all([listen(servers[0], 443), listen(servers[1], 25)]);
  const at = secure === 443 ? '' : `:${secure}`;
  const targets = {
    shop: `https://shop.example${at}/`,
    api: `https://api.shop.example${at}/health`,
    checkout: `https://shop.example${at}/checkout`,
    mail: `tcp://mail.shop.example:${mail}`,
  };
  const inventory = join(folder, 'inventory.yaml');
  writeFileSync(
    inventory,
    `infrastructure:\n  shop: { authority: authority.pem, owner: web team, tags: [production], urls: ['${targets.shop}'] }\n  api: { authority: authority.pem, urls: ['${targets.api}'] }\n  checkout: { authority: authority.pem, urls: ['${targets.checkout}'] }\n  mail: { services: ['${targets.mail}'] }\n`,
  );
  const [shop, website] = ['shop', 'website'].map((name) => join(folder, name)) as [string, string];
  await workTree(shop, () => writeFiles(shop, SHOP));
  await workTree(website, () => writeFiles(website, WEBSITE));
  return {
    env: { MAGPIE_INVENTORY: inventory, MAGPIE_SCAN_ROOTS: folder, MAGPIE_ADVISORIES: 'offline' },
    repositories: { shop, website },
    targets,
    async changeShop() {
      writeFiles(shop, CHANGED);
      await git(shop, ['commit', '-q', '-a', '-m', 'second']);
    },
    close() {
      for (const server of servers) server.close();
    },
  };
}

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const HEADERS = {
  'strict-transport-security': 'max-age=63072000',
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

/** All sites of the shop; each takes its time. */
const answer: RequestListener = ({ url, headers }, response) => {
  const isApi = headers.host?.startsWith('api.') === true;
  const status = url === '/checkout' ? 503 : 200;
  setTimeout(
    () => {
      const { 'content-security-policy': policy, ...others } = HEADERS;
      response.writeHead(status, {
        ...(isApi ? others : { ...others, 'content-security-policy': policy }),
        'content-type': isApi ? 'application/json' : 'text/html; charset=utf-8',
      });
      response.end('{"state":"ok"}');
    },
    PASTS[isApi ? 'api' : 'shop'].ms * 0.8,
  );
};

/** On `port`, or on any where that one is taken or not for this user. */
export function listen(server: Server | undefined, port: number): Promise<number> {
  return new Promise((resolve) => {
    server?.once('error', () => server.listen(0, '127.0.0.1'));
    server?.once('listening', () => resolve((server.address() as AddressInfo).port));
    server?.listen(port, '127.0.0.1');
  });
}

/** How a target was: milliseconds of its answers, days without it, and hours of the days ago in which it was down. */
interface Past {
  readonly ms: number;
  readonly days: number;
  readonly down: readonly (readonly [daysAgo: number, hours: number])[];
}
const PASTS: Readonly<Record<Watched, Past>> = {
  shop: { ms: 180, days: 90, down: [[41, 1]] },
  api: {
    ms: 420,
    days: 83,
    down: [
      [66, 2],
      [31, 1],
      [12, 5],
    ],
  },
  checkout: {
    ms: 260,
    days: 61,
    down: [
      [44, 9],
      [20, 3],
      [0, 1],
    ],
  },
  mail: { ms: 4, days: 90, down: [] },
};

/** Ninety days of looks before `now`, in a data folder that no Magpie has open yet. */
export async function writePast(
  data: string,
  owner: string,
  { targets }: WarnStage,
  now: number,
): Promise<void> {
  const db = await openDatabase({ folder: data });
  const { monitors, history } = createMonitorStores(db, 'a sample');
  for (const [id, { ms, days, down }] of Object.entries(PASTS) as [Watched, Past][]) {
    const options = {
      threshold: 7,
      intervalMs: 5 * MINUTE_MS,
      probing: { name: NAMES[id], group: id === 'mail' ? 'Office' : 'Web' },
    };
    const { key } = await monitors.putMonitor(owner, id, options, now - days * DAY_MS);
    let lastAt: number | undefined;
    for (let at = now - days * DAY_MS; at < now; at += HOUR_MS) {
      const hoursAgo = Math.floor((now - at) / HOUR_MS);
      const isDown = down.some(([ago, hours]) => hoursAgo >= ago * 24 && hoursAgo < ago * 24 + hours);
      const wave = 1 + 0.25 * Math.sin(hoursAgo / 3.1) + 0.12 * Math.sin(hoursAgo * 1.7 + ms);
      const look = {
        at,
        up: !isDown,
        ms: Math.round(ms * wave),
        why: isDown ? `${targets[id]} answers with status 503, and 200-299 is expected` : undefined,
      };
      await history.recordProbe(key, targets[id], { ...look, ...computeCoveredTime(at, lastAt, HOUR_MS) });
      lastAt = at;
    }
  }
  db.close();
}
