import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { badRequestError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import { describeFileError } from '../../lib/file-error.ts';
import { yamlOffset } from '../../lib/text/yaml-offset.ts';
import acceptedValues from './accepted-values.json' with { type: 'json' };
import { type Infrastructure, type MonitorTarget, parseServiceAddress } from './target.ts';

export type Inventory = ReadonlyMap<string, Infrastructure>;

const name = z.string().min(1).max(200);
const port = z.int().min(1).max(65_535);
const portList = z.array(port).max(1000).default([]);
const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .refine((text) => {
    // A URL must not contain credentials, because users who may monitor the entry can see it.
    const { username, password } = new URL(text);
    return username === '' && password === '';
  });
const machine = z
  .string()
  .max(253)
  .regex(/^(?:[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?|[0-9a-f:]+)$/iu);

const entry = z.strictObject({
  owner: name.optional(),
  tags: z.array(name).max(50).default([]),
  users: z.array(name).max(1000).optional(),
  authority: z.string().min(1).optional(),
  urls: z
    .array(z.union([webAddress, z.strictObject({ url: webAddress, plain: webAddress.optional() })]))
    .default([]),
  hosts: z
    .array(z.strictObject({ host: machine, ports: portList, tls: portList, closed: portList }))
    .default([]),
  services: z
    .array(
      z
        .string()
        .max(300)
        .refine((text) => attempt(() => parseServiceAddress(text)) !== undefined),
    )
    .default([]),
  repositories: z
    .array(z.union([name, z.strictObject({ repository: name, branch: name.optional() })]))
    .default([]),
});

const file = z.strictObject({ infrastructure: z.record(name, entry) });

const TAKES: Readonly<Record<string, string>> = acceptedValues;
const MAX_TARGETS = 5000;
const MAX_BYTES = 10_000_000;

/** Reads the inventory and its files' versions. The AppError `bad_request` names file, line, valid values. */
export function readInventory(path: string) {
  const files = new Map<string, string>();
  const read = (file: string) => {
    const descriptor = openSync(file, 'r');
    try {
      const stats = fstatSync(descriptor);
      if (stats.size > MAX_BYTES) throw new Error('it is over 10 MB');
      files.set(file, formatFileVersion(stats));
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  };
  let text: string;
  try {
    text = read(path);
  } catch (cause) {
    throw badRequestError(`the inventory ${path} cannot be read: ${describeFileError(cause)}`);
  }
  return { inventory: parseInventory(text, path, read), files };
}

export function formatFileVersion({ mtimeMs, size, ino }: Pick<Stats, 'mtimeMs' | 'size' | 'ino'>): string {
  return `${mtimeMs} ${size} ${ino}`;
}

export function parseInventory(
  text: string,
  path: string,
  read = (file: string) => readFileSync(file, 'utf8'),
): Inventory {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: false });
  const fail = (offset: number, what: string) =>
    badRequestError(`${path}:${lines.linePos(offset).line}: ${what}`);
  const [broken] = document.errors;
  if (broken) throw fail(broken.pos[0], broken.message.split('\n', 1)[0]?.replace(/ at line .*/s, '') ?? '');
  const found = file.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!found.success) {
    const [issue] = found.error.issues;
    const at = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? '' : key));
    const place = yamlOffset(document.contents, at);
    throw fail(place, wordsOf(issue, at));
  }
  const all = new Map<string, Infrastructure>();
  for (const [id, listed] of Object.entries(found.data.infrastructure)) {
    const at = (...path: (string | number)[]) =>
      yamlOffset(document.contents, ['infrastructure', id, ...path]);
    const authorityOf = (file: string) => {
      let certificates: string;
      try {
        certificates = read(file);
      } catch (cause) {
        throw fail(at('authority'), `authority of ${id} cannot be read: ${describeFileError(cause)}`);
      }
      if (certificates.includes('-----BEGIN CERTIFICATE-----')) return certificates;
      throw fail(at('authority'), `authority of ${id} is ${file}, which has no certificate in PEM form`);
    };
    const placed = targetsOf(listed, dirname(path));
    if (placed.length === 0)
      throw fail(at(), `${id} has nothing to watch: it takes urls, hosts, services or repositories`);
    if (placed.length > MAX_TARGETS)
      throw fail(at(), `${id} has over ${MAX_TARGETS} targets: split it into several entries`);
    const names = new Set<string>();
    for (const [place, { name }] of placed) {
      if (names.has(name)) throw fail(at(...place), `${id} lists ${name} twice`);
      names.add(name);
    }
    const targets = placed.map(([, target]) => target);
    const { authority: pem, owner, users, tags } = listed;
    all.set(id, {
      id,
      source: 'inventory',
      tags,
      targets,
      allow: targets.flatMap(reached),
      owner,
      users,
      authority: pem !== undefined ? authorityOf(resolve(dirname(path), pem)) : undefined,
    });
  }
  return all;
}

type PlacedTarget = readonly [place: readonly (string | number)[], target: MonitorTarget];

function targetsOf({ urls, hosts, services, repositories }: z.output<typeof entry>, folder: string) {
  return [
    ...urls.map((one, at): PlacedTarget => {
      const { url, plain } = typeof one === 'string' ? { url: one, plain: undefined } : one;
      const target = { kind: 'url', name: new URL(url).href } as const;
      return [['urls', at], { ...target, plain: plain !== undefined ? new URL(plain).href : undefined }];
    }),
    ...hosts.map(({ host, ports, tls, closed }, at): PlacedTarget => {
      const wanted = [...new Set([...ports, ...tls])];
      return [['hosts', at], { kind: 'host', name: host, ports: wanted, tls: [...new Set(tls)], closed }];
    }),
    ...services.flatMap((one, at): PlacedTarget[] => {
      const target = parseServiceAddress(one);
      return target ? [[['services', at], target]] : [];
    }),
    ...repositories.map((one, at): PlacedTarget => {
      const { repository, branch } = typeof one === 'string' ? { repository: one, branch: undefined } : one;
      const name = /^\.{1,2}(?:\/|$)/.test(repository) ? resolve(folder, repository) : repository;
      return [['repositories', at], { kind: 'repository', name, branch }];
    }),
  ];
}

function reached(target: MonitorTarget): string[] {
  if (target.kind === 'repository') return [];
  if (target.kind === 'host') return [target.name];
  if (target.kind === 'tcp') return [target.name.slice('tcp://'.length)];
  if (target.kind === 'dns' || target.kind === 'ping') return [target.host];
  if (target.kind === 'heartbeat' || target.kind === 'page') return [];
  return [target.name, ...(target.plain === undefined ? [] : [target.plain])].map((address) => {
    const { hostname, port: said, protocol } = new URL(address);
    return `${hostname}:${said || (protocol === 'https:' ? 443 : 80)}`;
  });
}

function wordsOf(issue: z.core.$ZodIssue | undefined, at: readonly (string | number)[]): string {
  const shown = at.reduce((text: string, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
  if (issue?.code === 'unrecognized_keys') {
    return `${shown || 'the file'} has an unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
  }
  const key = at.findLast((one) => typeof one === 'string' && one in TAKES) ?? 'infrastructure';
  return `${shown || 'the file'} is not usable: ${String(key)} takes ${TAKES[String(key)]}`;
}
