import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type EngineDescription,
  EngineError,
  type EngineFacts,
  type SearchEngine,
  type SearchHit,
} from '../../src/search/engine.ts';

/** A search engine of the test's own on loopback: a list of hits as JSON, after a delay. */
export interface EngineSite {
  readonly engine: SearchEngine;
  readonly host: string;
  /** The questions that arrived, with when, by performance.now(). */
  readonly asked: { readonly q: string; readonly at: number }[];
  /** Requests whose client went away before the answer. */
  readonly given: { up: number };
  /** What it answers from now on; `hang` never answers. */
  answer:
    | { status?: number; headers?: Record<string, string>; hits?: readonly SearchHit[]; body?: string }
    | 'hang';
  /** Milliseconds before the answer. */
  delay: number;
  close(): Promise<void>;
}

/** Of an engine that no document tells of. */
export const NO_FACTS: EngineFacts = {
  limits: 'None.',
  keeps: 'unsaid',
  privacy: 'Nothing is said.',
  sources: [],
  checked: '2026-11-27',
};

const ABOUT: EngineDescription = {
  title: 'Test',
  website: 'https://e.example/',
  categories: ['general'],
  takes: [],
  pace: 0,
  facts: NO_FACTS,
};

/** Hits at `https://<name>.example/` for each name. */
export function hitsAt(...names: string[]): SearchHit[] {
  return names.map((name) => ({
    title: `Title of ${name}`,
    url: `https://${name}.example/`,
    snippet: `about ${name}: how magpies build nests, and another of many questions`,
  }));
}

export async function startEngine(name: string, about: Partial<EngineDescription> = {}): Promise<EngineSite> {
  const waiting = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    const q = new URL(request.url ?? '/', 'http://e.example').searchParams.get('q') ?? '';
    site.asked.push({ q, at: performance.now() });
    response.on('close', () => {
      if (!response.writableEnded) site.given.up++;
    });
    if (site.answer === 'hang') return;
    const timer = setTimeout(() => {
      waiting.delete(timer);
      send(response, site.answer);
    }, site.delay);
    waiting.add(timer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const engine: SearchEngine = {
    name,
    about: { ...ABOUT, ...about },
    request: (query) => ({
      url: `http://${host}/search?${new URLSearchParams({ q: query.text, lang: query.language ?? '' })}`,
    }),
    parse(body) {
      if (body === 'captcha') throw new EngineError('captcha', 'it asks for a captcha');
      if (!body.startsWith('[')) throw new EngineError('changed', 'the markup has changed');
      return JSON.parse(body) as SearchHit[];
    },
  };
  const site: EngineSite = {
    engine,
    host,
    asked: [],
    given: { up: 0 },
    answer: { hits: [] },
    delay: 0,
    async close() {
      for (const timer of waiting) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return site;
}

function send(response: ServerResponse, answer: EngineSite['answer']): void {
  if (answer === 'hang') return;
  const { status = 200, headers = {}, hits = [], body = JSON.stringify(hits) } = answer;
  response.writeHead(status, headers).end(body);
}
