import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWERS, type Named } from '../fixtures/engine-answers.ts';
import { type Reply, SERVICE_FORMS } from './service-refusals.ts';

/**
 * A small web on loopback that is the same for the same seed, as engines show it: each in the shape of its own
 * answers, and with the ways in which it refuses.
 */
export interface SimulatedWeb {
  /** `name=URL,...` for MAGPIE_ENGINE_URLS; each `part` of the web has refusals of its own. */
  addressesOf(part?: string): string;
  /** What an engine does from now on with what it is asked. */
  set(engine: string, refusal: Refusal | undefined, part?: string): void;
  /** Has a service answer so many questions, and then refuse for so many seconds by `Date`, again and again. */
  limit(service: string, limit: Limit, part?: string): void;
  /** Names of the engines in the order in which they were asked. */
  readonly asked: string[];
  /** Whether requests to slow engines are all that is under way. */
  hasOnlySlow(): boolean;
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

/** The limit of a service for those without a key. */
export interface Limit {
  readonly questions: number;
  readonly seconds: number;
}

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

const CHANGED = PAGE('Results', '<main class="x1"><section data-v="2">Twelve rows</section></main>');
const STALE = PAGE('Session', 'Your session has expired: reload the page');

/** Each engine of `names` has a host of its own: what one of them asks for is not asked of the others. */
export async function startSimulatedWeb(names: readonly string[]): Promise<SimulatedWeb> {
  const refusals = new Map<string, Refusal>();
  const limits = new Map<string, LimitState>();
  const asked: string[] = [];
  const open = { slow: 0, others: 0 };

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
    const seconds = secondsLeft(limits.get(`${part}/${engine}`));
    if (refusal) refuse(response, refusal, { engine, part, right });
    else if (seconds > 0) send(response, SERVICE_FORMS[engine]?.limits[0]?.(seconds));
    else response.end(right);
  }

  /** Counts a request until its connection or its answer has ended. */
  function count(name: string, { url = '' }: IncomingMessage, response: ServerResponse): void {
    const [, part = ''] = url.split(/[/?]/);
    const kind = refusals.get(`${part}/${name}`) === 'slow' ? 'slow' : 'others';
    open[kind]++;
    response.once('close', () => open[kind]--);
  }

  const servers = new Map<string, Server>();
  for (const name of names) {
    const server = createServer((request, response) => {
      count(name, request, response);
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
    limit(service, limit, part = 'web') {
      limits.set(`${part}/${service}`, { ...limit, answered: 0, until: 0 });
    },
    asked,
    hasOnlySlow: () => open.slow > 0 && open.others === 0,
    async close() {
      for (const server of servers.values()) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

interface LimitState extends Limit {
  answered: number;
  /** Until when it refuses, by Date.now(). */
  until: number;
}

/** Counts a question; for how many seconds more the service refuses it, 0 where it answers. */
function secondsLeft(state: LimitState | undefined): number {
  if (!state) return 0;
  const now = Date.now();
  if (state.until <= now && state.answered < state.questions) {
    state.answered++;
    return 0;
  }
  // The first refusal begins the pause, after which the questions are counted from 0 again.
  if (state.until <= now) {
    state.until = now + state.seconds * 1000;
    state.answered = 0;
  }
  return Math.ceil((state.until - now) / 1000);
}

function send(
  response: ServerResponse,
  { status = 200, headers = {}, body = '' }: Partial<Reply> = {},
): void {
  response.writeHead(status, headers).end(body);
}

interface Refused {
  readonly engine: string;
  readonly part: string;
  readonly right: string;
}

function refuse(response: ServerResponse, refusal: Refusal, refused: Refused): void {
  const { right, engine } = refused;
  // A slow engine never answers: its request ends with the search.
  if (refusal === 'slow') return;
  const half = right.slice(0, right.length / 2);
  if (refusal !== 'cut') send(response, replyOf(refusal, refused));
  // A service's body ends as if it were whole, a page's connection breaks.
  else if (SERVICE_FORMS[engine]) send(response, { body: half });
  else {
    response.writeHead(200, { 'content-length': Buffer.byteLength(right) });
    response.write(half, () => response.destroy());
  }
}

function replyOf(
  refusal: Exclude<Refusal, 'slow' | 'cut'>,
  { engine, part }: Refused,
): Partial<Reply> | undefined {
  const service = SERVICE_FORMS[engine];
  switch (refusal) {
    case 'forbidden':
      return (
        service?.error(403, 'Forbidden') ?? {
          status: 403,
          body: PAGE('403', 'Your address has been blocked'),
        }
      );
    case 'too many': {
      const page = { status: 429, headers: { 'retry-after': '20' }, body: 'Too Many Requests' };
      // Which of a service's forms it is, the name of the part decides.
      return service?.limits[part.length % service.limits.length]?.(20) ?? page;
    }
    case 'captcha':
      return { body: CAPTCHA };
    case 'empty':
      return { body: answerOf(engine, []) };
    case 'consent':
      return { status: 302, headers: { location: '/consent' } };
    case 'changed markup':
      return { body: service?.changed ?? CHANGED };
    case 'wrong language':
      return { body: answerOf(engine, WRONG_LANGUAGE) };
    case 'stale session': {
      const status = engine === 'exa' || engine === 'parallel' ? 404 : 401;
      return service?.error(status, 'Session expired') ?? { body: STALE };
    }
  }
}
