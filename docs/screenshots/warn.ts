import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { spokenFor } from '../../src/monitor/history-store.ts';
import { createMonitorStores } from '../../src/monitor/stores/stores.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { makeCertificate } from '../../test/helpers/certificates.ts';
import { workTree } from '../../test/helpers/git.ts';

/** Sample data of the pages of Warn: a shop that is watched for ninety days, and its repository, which has holes. */

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** Names of the inventory, as `targets` has them, and what the pages call them. */
const NAMES = { shop: 'Shop', api: 'Orders API', checkout: 'Checkout', mail: 'Mail' } as const;
type Watched = keyof typeof NAMES;

export interface WarnStage {
  /** Settings of the Magpie that shows it. */
  readonly env: Readonly<Record<string, string>>;
  readonly repository: string;
  /** Targets of the inventory, by its names. */
  readonly targets: Readonly<Record<Watched, string>>;
  close(): void;
}

/** Servers of the shop, an inventory that names them, and the repository, all under `folder`. */
export async function openWarnStage(folder: string): Promise<WarnStage> {
  const authority = makeCertificate({ subject: 'Shop authority', authority: true, from: -400, to: 3000 });
  const { pem, keyPem } = makeCertificate({
    subject: 'shop.example',
    names: ['shop.example'],
    by: authority,
    from: -40,
    to: 23,
  });
  writeFileSync(join(folder, 'authority.pem'), authority.pem);
  const servers: Server[] = [
    createSecureServer({ cert: pem, key: keyPem }, answer(200, HEADERS)),
    createServer(answer(200, { ...HEADERS, 'content-type': 'application/json' })),
    createServer(answer(503, {})),
    createServer(answer(200, {})),
  ];
  const [shop, api, checkout, mail] = (await Promise.all(servers.map(listen))) as [
    number,
    number,
    number,
    number,
  ];
  const targets = {
    shop: `https://shop.example:${shop}/`,
    api: `http://api.shop.example:${api}/health`,
    checkout: `http://shop.example:${checkout}/checkout`,
    mail: `tcp://mail.shop.example:${mail}`,
  };
  const inventory = join(folder, 'inventory.yaml');
  writeFileSync(
    inventory,
    `infrastructure:\n  shop: { authority: authority.pem, owner: web team, tags: [production], urls: ['${targets.shop}'] }\n  api: { urls: ['${targets.api}'] }\n  checkout: { urls: ['${targets.checkout}'] }\n  mail: { services: ['${targets.mail}'] }\n`,
  );
  const repository = join(folder, 'shop');
  await workTree(repository, () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(join(repository, path, '..'), { recursive: true });
      writeFileSync(join(repository, path), text);
    }
  });
  return {
    env: { MAGPIE_INVENTORY: inventory, MAGPIE_SCAN_ROOTS: folder, MAGPIE_ADVISORIES: 'offline' },
    repository,
    targets,
    close() {
      for (const server of servers) server.close();
    },
  };
}

const HEADERS = {
  'strict-transport-security': 'max-age=63072000',
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

function answer(status: number, headers: Readonly<Record<string, string>>): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end('{"state":"ok"}');
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
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
      probing: { name: NAMES[id], group: 'shop.example' },
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
      await history.countLook(key, targets[id], { ...look, ...spokenFor(at, lastAt, HOUR_MS) });
      lastAt = at;
    }
  }
  db.close();
}

const FILES = {
  'src/orders.py': `import sqlite3
from flask import Flask, request

app = Flask(__name__)

def orders_of(db, customer):
    query = "SELECT * FROM orders WHERE customer = '" + customer + "'"
    return db.execute(query).fetchall()

@app.get("/orders")
def orders():
    return {"orders": orders_of(sqlite3.connect("shop.db"), request.args["customer"])}
`,
  'src/labels.py': `import hashlib
import os
from flask import request

def print_label():
    os.system("lp -t " + request.args["title"] + " label.pdf")

def label_id(text):
    return hashlib.md5(text.encode()).hexdigest()
`,
  'web/login.js': `const express = require('express');
const app = express();

app.get('/continue', (req, res) => {
  res.redirect(req.query.next);
});
`,
  Dockerfile: 'FROM python:3.13\nCOPY . /app\nCMD ["python", "/app/src/orders.py"]\n',
  'README.md': '# Shop\n',
};
