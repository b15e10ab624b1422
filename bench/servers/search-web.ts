import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Search engines and the pages that they name, each with a set delay: SearXNG, YaCy and Wikipedia agree on ten
 * pages, Kagi answers too late to matter. Pages lie on ten hosts, as on the web.
 */

const [engineDelays = '', pageDelay = '0'] = process.argv.slice(2);
const [searxng = 0, yacy = 0, wikipedia = 0, late = 0] = engineDelays.split(',').map(Number);
const HOSTS = 10;

const paragraph = (subject: string, i: number) =>
  `<p>Paragraph ${i} is about ${subject}: observers in ${1900 + i} wrote down what the bird did, how long it stayed, ` +
  `and which of its neighbours answered, so that later readers could compare the notes across years and places.</p>`;
const article = (name: string) =>
  `<!doctype html><html lang="en"><head><title>Notes on ${name}</title></head><body><nav>${'<a href="/x">A link of the site</a> '.repeat(60)}</nav>
<main><article><h1>Notes on ${name}</h1>${Array.from({ length: 80 }, (_, i) => paragraph(name, i)).join('\n')}</article></main>
<footer>${'<a href="/y">Another link</a> '.repeat(40)}</footer></body></html>`;

function after(ms: number, response: ServerResponse, type: string, body: () => string): void {
  setTimeout(() => response.writeHead(200, { 'content-type': type }).end(body()), ms);
}

const servers = Array.from({ length: HOSTS }, () =>
  createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const q =
      url.searchParams.get('q') ?? url.searchParams.get('query') ?? url.searchParams.get('gsrsearch') ?? '';
    // Each engine begins elsewhere, so that the order is the fusion's.
    const pages = (from: number) =>
      Array.from({ length: 10 }, (_, i) => {
        const at = (i + from) % 10;
        return {
          url: `${origins[at]}/page/${encodeURIComponent(q)}/${at}`,
          title: `Notes on magpies, part ${at}`,
          at: i,
        };
      });
    if (url.pathname.startsWith('/page/')) {
      return after(Number(pageDelay), response, 'text/html; charset=utf-8', () => article(url.pathname));
    }
    if (url.pathname === '/search') {
      const results = pages(0).map((page) => ({ ...page, content: `What magpies do: ${page.title}.` }));
      return after(searxng, response, 'application/json', () => JSON.stringify({ query: q, results }));
    }
    if (url.pathname === '/yacysearch.json') {
      const items = pages(1).map((page) => ({
        link: page.url,
        title: page.title,
        description: 'Birds and nests.',
      }));
      return after(yacy, response, 'application/json', () => JSON.stringify({ channels: [{ items }] }));
    }
    if (url.pathname === '/w/api.php') {
      const found = pages(2).map((page) => ({
        title: page.title,
        index: page.at + 1,
        fullurl: page.url,
        extract: 'Magpies.',
      }));
      const body = { batchcomplete: true, query: { pages: found } };
      return after(wikipedia, response, 'application/json', () => JSON.stringify(body));
    }
    after(late, response, 'application/json', () => '{}');
  }),
);
await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
const origins = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.stderr.write(`listening on ${origins.join(' ')}\n`);
