import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { CONNECTIONS } from '../helpers/clients.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb } from '../helpers/web.ts';

/** Traces and metrics as a collector of OTLP receives them, from a real server. */

/** In every word that a user says, and in no attribute. */
const MARK = 'zanzibar-marker';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const META = `00-${TRACE}-00f067aa0ba902b7-01`;

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface SpanData {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly status?: { readonly code?: number; readonly message?: string };
}
interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function embedder(): Promise<EmbeddingsApi> {
  const api = await startEmbeddingsApi();
  ends.push(() => api.close());
  return api;
}

async function collector(silent = false): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    });
    if (!silent) response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function dataFolder(): string {
  const folder = temporaryFolder();
  ends.push(() => folder.remove());
  return folder.path;
}

const exporting = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=the-key-of-it',
  OTEL_SERVICE_NAME: 'magpie-of-test',
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

const spansOf = (received: readonly Received[]): SpanData[] =>
  received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);
const factsOf = ({ attributes }: SpanData) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('a request is one trace of spans: HTTP, tool, call, fetch, statements, embedding; no user text is in it', async () => {
  const { url, received } = await collector();
  const web = await startWeb();
  ends.push(() => web.close());
  const api = await embedder();
  const server = await startMagpie({
    ...environment(dataFolder(), web),
    ...exporting(url),
    ...api.settings,
    OPENAI_API_KEY: `${MARK}-key`,
  });
  const headers = { traceparent: PARENT };
  const insert = await fetch(`${server.url}/insert?q=${MARK}%20builds%20nests`, { headers });
  expect(insert.status).toBe(200);
  expect((await fetch(`${server.url}/query?q=${MARK}&rankby=relevance`, { headers })).status).toBeLessThan(
    500,
  );
  const page = encodeURIComponent(`${web.url}/page/magpie-nest?who=${MARK}`);
  expect((await fetch(`${server.url}/browse?q=${page}&percentile=1&numofpages=1`, { headers })).status).toBe(
    200,
  );
  await fetch(`${server.url}/app/files/${MARK}.pdf`, { headers });
  const connect = CONNECTIONS['HTTP, 2026 era, v2 client'];
  const client = await connect?.({ url: server.url, env: {} });
  const call = await client?.callTool({
    name: 'query',
    arguments: { q: `${MARK} nests` },
    _meta: { traceparent: META },
  });
  expect(JSON.stringify(call)).toContain(MARK);
  await client?.close();
  expect(await server.stop()).toBe(0);

  const spans = spansOf(received);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const named = (name: string) => spans.filter((span) => span.name === name);
  const above = (span: SpanData | undefined) => byId.get(span?.parentSpanId ?? '');
  const chain = (span: SpanData | undefined): string[] => (span ? [span.name, ...chain(above(span))] : []);

  const [http] = named('GET /insert');
  expect(http).toMatchObject({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331', kind: 2 });
  expect(factsOf(http as SpanData)).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/insert',
    'http.response.status_code': 200,
  });
  expect(chain(named('invoke insert')[0])).toEqual(['invoke insert', 'GET /insert']);
  const written = spans.filter((span) => /^INSERT kb_\w+$/.test(span.name));
  expect(written.map((span) => chain(span).at(-1))).toContain('GET /insert');
  const [tool] = named('tools/call query');
  expect(tool).toMatchObject({ traceId: TRACE, parentSpanId: '00f067aa0ba902b7', kind: 2 });
  expect(factsOf(tool as SpanData)).toMatchObject({
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': 'query',
  });
  expect(
    named('invoke query')
      .map((span) => above(span)?.name)
      .sort(),
  ).toEqual(['GET /query', 'tools/call query']);
  const embeddings = named('embeddings openai:words@64');
  expect(embeddings.length).toBeGreaterThan(0);
  const fetched = spans.find((span) => factsOf(span)['server.port'] === Number(new URL(web.url).port));
  expect(factsOf(fetched as SpanData)).toEqual({
    'http.request.method': 'GET',
    'server.address': new URL(web.url).hostname,
    'server.port': Number(new URL(web.url).port),
    'http.response.status_code': 200,
  });
  expect(chain(fetched)).toEqual(expect.arrayContaining(['invoke browse', 'GET /browse']));
  expect(named('POST /mcp').length).toBeGreaterThan(0);
  // The service of embeddings is the operator's: the trace goes on there.
  const passed = api.asked.map((asked) => String(asked.headers.traceparent));
  expect(
    passed.some((parent) => byId.get(parent.split('-')[2] ?? '')?.name === 'embeddings openai:words@64'),
  ).toBe(true);

  expect(received.map(({ body }) => body).join('')).not.toContain(MARK);
  expect(received.every((one) => one.headers['x-collector-key'] === 'the-key-of-it')).toBe(true);
  expect(received[0]?.body).toContain('magpie-of-test');
});

test('what /metrics counts is exported, by the same names', async () => {
  const { url, received } = await collector();
  const settings = { ...exporting(url), ...(await embedder()).settings };
  const server = await startMagpie({ ...environment(dataFolder()), ...settings });
  for (const text of ['one', 'two', 'three']) await fetch(`${server.url}/insert?q=${text}`);
  const text = await (await fetch(`${server.url}/metrics`)).text();
  await server.stop();
  const families = received
    .filter(({ path }) => path === '/v1/metrics')
    .flatMap(({ body }) => JSON.parse(body).resourceMetrics)
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics);
  const of = (name: string) => families.findLast((one) => one.name === name);
  const names = [...text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)/gm)].map(
    ([, name = '']) => name,
  );
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) expect([name, of(name)?.name]).toEqual([name, name]);
  const calls = of('magpie_calls_total').sum.dataPoints.find((point: { attributes: Attribute[] }) =>
    point.attributes.some(({ value }) => value.stringValue === 'insert'),
  );
  expect(calls.asDouble).toBe(3);
  const duration = of('magpie_call_duration_seconds').histogram.dataPoints[0];
  expect(Number(duration.count)).toBe(3);
  expect(duration.bucketCounts.map(Number).reduce((sum: number, one: number) => sum + one, 0)).toBe(3);
  expect(duration.bucketCounts.length).toBe(duration.explicitBounds.length + 1);
});

test('an unreachable collector delays neither calls nor the exit', async () => {
  const { url, received } = await collector(true);
  const settings = { ...exporting(url), ...(await embedder()).settings };
  const server = await startMagpie({ ...environment(dataFolder()), ...settings });
  expect((await fetch(`${server.url}/insert?q=one`)).status).toBe(200);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  expect((await fetch(`${server.url}/insert?q=two`)).status).toBe(200);
  // Within the limit of this test, and not of the exporter's ten seconds: the end waits one.
  expect(await server.stop()).toBe(0);
});

test('a line of the log has the trace of its call', async () => {
  const { url } = await collector();
  const server = await startMagpie({
    ...environment(dataFolder()),
    ...exporting(url),
    MAGPIE_LOG_LEVEL: 'debug',
  });
  await fetch(`${server.url}/query`, { headers: { traceparent: PARENT } });
  await server.stop();
  const lines = server
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({ trace_id: TRACE, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) }),
  );
});

test('an invalid variable stops the start and is named, and other commands do not read it', async () => {
  const env = {
    ...environment(dataFolder()),
    ...exporting('http://127.0.0.1:9'),
    OTEL_TRACES_SAMPLER: 'sometimes',
  };
  const { code, stderr } = await runMagpie(['serve'], env);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('OTEL_TRACES_SAMPLER is "sometimes": it takes always_on'),
  ]);
  expect((await runMagpie(['key', 'list'], env)).code).toBe(0);
});
