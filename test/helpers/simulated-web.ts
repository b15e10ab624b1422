import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWERS, type Named } from '../fixtures/engine-answers.ts';

/**
 * A small web on loopback that is the same for the same seed, as ten engines and more show it: each in the shape of its
 * own answers, and with the ways in which it refuses.
 */
export interface SimulatedWeb {
  /** `name=URL,...` for MAGPIE_ENGINE_URLS; each `part` of the web has refusals of its own. */
  addressesOf(part?: string): string;
  /** What an engine does from now on with what it is asked. */
  set(engine: string, refusal: Refusal | undefined, part?: string): void;
  /** Names of the engines in the order in which they were asked. */
  readonly asked: string[];
  close(): Promise<void>;
}

export const REFUSALS = [
  'forbidden',
  'too many',
  'captcha',
  'empty',
  'consent',
  'slow',
  'cut',
  'changed markup',
  'wrong language',
  'stale session',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const THINGS = [
  'magpie',
  'sourdough',
  'bicycle',
  'tomato',
  'violin',
  'kayak',
  'router',
  'candle',
  'orchid',
  'kettle',
];
const SIDES = ['nesting', 'storage', 'repair', 'history', 'winter'];
const PAGES_OF_TOPIC = 16;
const HITS = 10;

/** Every topic of the web: a thing and a side of it. */
export const TOPICS = THINGS.flatMap((thing) => SIDES.map((side) => ({ thing, side })));
export type Topic = (typeof TOPICS)[number];

/** A question on a topic; engines of discussions are asked only those for them. */
export function questionOn({ thing, side }: Topic, forDiscussions = false): string {
  return forDiscussions ? `${thing} ${side} forum opinions` : `what to know of ${thing} ${side} at home`;
}

const hostOf = ({ thing, side }: Topic) => `${thing}-${side}.example`;

/** Whether a page is one of the topic's. */
export function isOn(topic: Topic, url: string): boolean {
  return new URL(url).hostname.endsWith(hostOf(topic));
}

function pageOf(topic: Topic, at: number): Named {
  return {
    url: `https://p${at}.${hostOf(topic)}/guide`,
    title: `A guide to ${topic.thing} ${topic.side}, volume ${at}`,
    words: `What volume ${at} tells of ${topic.thing} and ${topic.side}, with opinions of a forum.`,
  };
}

const WRONG_LANGUAGE: readonly Named[] = Array.from({ length: HITS }, (_, at) => ({
  url: `https://wohnung${at}.example/angebot`,
  title: `Wohnungen und Häuser, Angebot ${at}`,
  words: 'Die schönsten Angebote der Woche für Sie und für Ihre Familie, und das ist nicht teuer.',
}));

const searxng = (pages: readonly Named[]) =>
  JSON.stringify({
    query: 'q',
    results: pages.map(({ url, title, words }) => ({ url, title, content: words })),
  });

/** An engine's answer in its own shape; undefined for one that this web does not know. */
function answerOf(engine: string, pages: readonly Named[]): string | undefined {
  return engine === 'searxng' ? searxng(pages) : ANSWERS[engine]?.(pages);
}

/** The pages that an engine has for a question: most of the topic's, in an order that is mostly right. */
function resultsFor(engine: string, asked: string): Named[] {
  const topic = TOPICS.find(({ thing, side }) => asked.includes(thing) && asked.includes(side));
  if (!topic) return [];
  const random = randomOf(
    [...`${engine} ${topic.thing} ${topic.side}`].reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7),
  );
  return Array.from({ length: PAGES_OF_TOPIC }, (_, at) => ({ at, place: at + random() * 8 }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, HITS)
    .map(({ at }) => pageOf(topic, at));
}

const PAGE = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;
const CAPTCHA = PAGE(
  'Captcha',
  '<form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use this too. Verify that you are a human: solve the captcha.</div></form>',
);

/** Each engine of `names` has a host of its own: what one of them asks for is not asked of the others. */
export async function startSimulatedWeb(names: readonly string[]): Promise<SimulatedWeb> {
  const refusals = new Map<string, Refusal>();
  const asked: string[] = [];

  async function answer(engine: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://web.example');
    const [, part = ''] = url.pathname.split('/');
    if (part === 'consent')
      return void response.end(PAGE('Before you continue', '<form>Accept all cookies</form>'));
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(engine);
    const words = decodeURIComponent(`${url.search} ${body}`.replaceAll('+', ' '));
    const right = answerOf(engine, resultsFor(engine, words));
    if (right === undefined) return void response.writeHead(404).end();
    const refusal = refusals.get(`${part}/${engine}`);
    if (refusal) refuse(response, refusal, { engine, right });
    else response.end(right);
  }

  const servers = new Map<string, Server>();
  for (const name of names) {
    const server = createServer((request, response) => {
      answer(name, request, response).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.set(name, server);
  }
  return {
    addressesOf: (part = 'web') =>
      [...servers]
        .map(([name, server]) => `${name}=http://127.0.0.1:${(server.address() as AddressInfo).port}/${part}`)
        .join(','),
    set(engine, refusal, part = 'web') {
      if (refusal) refusals.set(`${part}/${engine}`, refusal);
      else refusals.delete(`${part}/${engine}`);
    },
    asked,
    async close() {
      for (const server of servers.values()) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

function refuse(
  response: ServerResponse,
  refusal: Refusal,
  { engine, right }: { readonly engine: string; readonly right: string },
): void {
  switch (refusal) {
    case 'forbidden':
      return void response.writeHead(403).end(PAGE('403', 'Your address has been blocked'));
    case 'too many':
      return void response.writeHead(429, { 'retry-after': '20' }).end('Too Many Requests');
    case 'captcha':
      return void response.end(CAPTCHA);
    case 'empty':
      return void response.end(answerOf(engine, []));
    case 'consent':
      return void response.writeHead(302, { location: '/consent' }).end();
    case 'slow':
      return;
    case 'cut': {
      response.writeHead(200, { 'content-length': Buffer.byteLength(right) });
      return void response.write(right.slice(0, right.length / 2), () => response.destroy());
    }
    case 'changed markup':
      return void response.end(
        PAGE('Results', '<main class="x1"><section data-v="2">Twelve rows</section></main>'),
      );
    case 'wrong language':
      return void response.end(answerOf(engine, WRONG_LANGUAGE));
    case 'stale session':
      return void response.end(PAGE('Session', 'Your session has expired: reload the page'));
  }
}
