import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Search engines and the pages that they name, each with a set delay: SearXNG, YaCy and Wikipedia agree on ten
 * pages, Kagi answers too late to matter. Pages lie on ten hosts, as on the web; with a size in kilobytes they have tables and
 * lists of so much.
 */

const [engineDelays = '', pageDelay = '0', kilobytes = '0'] = process.argv.slice(2);
const [searxng = 0, yacy = 0, wikipedia = 0, late = 0] = engineDelays.split(',').map(Number);
const HOSTS = 10;

const paragraph = (subject: string, i: number) =>
  `<p>Paragraph ${i} is about ${subject}: observers in ${1900 + i} wrote down what the bird did, how long it stayed, ` +
  `and which of its neighbours answered, so that later readers could compare the notes across years and places.</p>`;
const table = (subject: string, i: number) =>
  `<h2>Counts ${i} of ${subject}</h2><table><tr><th>Year</th><th>Place</th><th>Pairs</th></tr>${Array.from(
    { length: 40 },
    (_, row) =>
      `<tr class="row row-${row % 2}" data-row="${i}-${row}" style="vertical-align:top"><td class="cell year" data-sort-value="${1900 + row}">${1900 + row}</td><td class="cell place"><a class="link link--inner" href="/place/${i}-${row}?from=table&amp;at=${row}" title="Wood ${i}.${row} and what is known of it">Wood ${i}.${row}</a></td><td class="cell number" style="text-align:right">${(i * 37 + row * 11) % 400}</td></tr>`,
  ).join('')}</table><ul>${Array.from(
    { length: 20 },
    (_, item) => `<li>Note ${i}.${item} on <b>${subject}</b>: the pair came back in ${1900 + item}.</li>`,
  ).join('')}</ul>`;

/** Tables and lists of so many characters. */
function tables(subject: string, characters: number): string {
  let text = '';
  for (let i = 0; text.length < characters; i++) text += table(subject, i);
  return text;
}
const article = (name: string) =>
  `<!doctype html><html lang="en"><head><title>Notes on ${name}</title></head><body><nav>${'<a href="/x">A link of the site</a> '.repeat(60)}</nav>
<main><article><h1>Notes on ${name}</h1>${Array.from({ length: 80 }, (_, i) => paragraph(name, i)).join('\n')}${tables(name, Number(kilobytes) * 1000)}</article></main>
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
