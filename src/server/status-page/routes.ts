import { type Context, Hono } from 'hono';
import type { AccessControl } from '../../access/types.ts';
import { badRequestError, notFoundError } from '../../errors.ts';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import { readStandalonePageStyle } from '../../lib/page-styles.ts';
import { formatPercent } from '../../lib/text/format-percent.ts';
import type { ServiceState, StatusPage, StatusPageService, WindowName } from '../../monitor/types.ts';
import type { HttpEnv } from '../http/edge.ts';
import type { OperationPipeline } from '../invoke.ts';
import { statusHtml } from './html.ts';
import { uptimeLevel } from './uptime-level.ts';

const STYLE = readStandalonePageStyle(new URL('./style.css', import.meta.url));
const [KEPT_MS, MAX_AGE_S] = [30_000, 30];
const KEPT_PAGES = 200;
const WINDOWS: readonly WindowName[] = ['24h', '7d', '30d', '90d'];

export function createStatusPages(
  { services }: Pick<OperationPipeline, 'services'>,
  { identifyPageUser }: { readonly identifyPageUser?: AccessControl['identifyPageUser'] },
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const kept = new BoundedMap<{
    readonly mark: string;
    readonly until: number;
    readonly page: Promise<StatusPage>;
  }>(KEPT_PAGES);

  async function pageOf(slug: string): Promise<StatusPage> {
    const found = await (await services.monitor()).findStatusPage(slug);
    if (!found) throw notFoundError('there is no status page at this address');
    const known = kept.get(slug);
    if (known && known.mark === found.mark && known.until > performance.now()) return known.page;
    const page = found.read();
    kept.set(slug, { mark: found.mark, until: performance.now() + KEPT_MS, page });
    page.catch(() => kept.delete(slug));
    return page;
  }

  app.use(async (c, next) => {
    await identifyPageUser?.(undefined, c.get('client'));
    await next();
  });
  app.get('/style.css', (c) =>
    c.body(STYLE, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
    }),
  );
  app.get('/:name', async (c) => {
    const name = c.req.param('name');
    const slug = name.replace(/\.json$/, '');
    const page = await pageOf(slug);
    c.header('Cache-Control', `public, max-age=${MAX_AGE_S}`);
    if (slug === name) return c.html(statusHtml(page, `/status/${slug}`));
    c.env.outgoing.setHeader('Access-Control-Allow-Origin', '*');
    return c.json(jsonOf(page));
  });
  app.get('/:slug/:badge', async (c) => {
    return badge(c, await pageOf(c.req.param('slug')), c.req.param('badge'), undefined);
  });
  app.get('/:slug/:ref/:badge', async (c) => {
    return badge(c, await pageOf(c.req.param('slug')), c.req.param('badge'), c.req.param('ref'));
  });
  return app;
}

function badge(c: Context<HttpEnv>, page: StatusPage, file: string, ref: string | undefined): Response {
  const name = BADGE_NAMES.find((one) => file === `${one}.svg`);
  const service = page.groups.flatMap((group) => group.services).find((one) => one.ref === ref);
  if (!name || (ref !== undefined && !service)) {
    throw notFoundError('there is no badge at this address: status.svg, uptime.svg and response.svg are');
  }
  const wanted = c.req.query('window') ?? '30d';
  const window = WINDOWS.find((one) => one === wanted);
  if (!window) throw badRequestError(`window takes ${WINDOWS.join(', ')}`);
  c.env.outgoing.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  c.env.outgoing.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  return c.body(badgeSvg(name, page, service, window), 200, {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': `public, max-age=${MAX_AGE_S}`,
  });
}

function jsonOf({ title, state, asOf, groups, incidents }: StatusPage) {
  const iso = (time: number) => new Date(time).toISOString();
  return {
    title,
    state,
    as_of: iso(asOf),
    groups: groups.map(({ name, state: own, services }) => ({
      name,
      state: own,
      services: services.map(({ windows, maintenanceUntil, ...service }) => ({
        ...service,
        maintenance_until: maintenanceUntil === undefined ? undefined : iso(maintenanceUntil),
        windows: windows.map(({ name: window, uptime, known, p50, p95, p99 }) => ({
          window,
          uptime,
          known,
          p50_ms: p50,
          p95_ms: p95,
          p99_ms: p99,
        })),
      })),
    })),
    incidents: incidents.map(({ service, from, to, why }) => ({
      service,
      from: iso(from),
      to: to === undefined ? undefined : iso(to),
      why,
    })),
  };
}

const BADGE_NAMES = ['status', 'uptime', 'response'] as const;
type BadgeName = (typeof BADGE_NAMES)[number];

const COLOURS = {
  good: '#17713f',
  fair: '#8f4a00',
  bad: '#b3261e',
  calm: '#0a6a72',
  none: '#626c73',
} as const;
const WORDS: Readonly<Record<ServiceState, readonly [string, keyof typeof COLOURS]>> = {
  up: ['up', 'good'],
  partly: ['partly down', 'fair'],
  down: ['down', 'bad'],
  maintenance: ['maintenance', 'calm'],
  unknown: ['unknown', 'none'],
};
const [GOOD_MS, FAIR_MS] = [1000, 3000];

export function badgeSvg(
  name: BadgeName,
  page: StatusPage,
  service: StatusPageService | undefined,
  window: WindowName,
) {
  const services = service ? [service] : page.groups.flatMap((group) => group.services);
  const [label, value, colour] = factsOf(name, service?.state ?? page.state, services, window);
  return drawn(label, value, COLOURS[colour]);
}

function factsOf(
  name: BadgeName,
  state: ServiceState,
  services: readonly StatusPageService[],
  window: WindowName,
): readonly [label: string, value: string, colour: keyof typeof COLOURS] {
  if (name === 'status') return ['status', ...WORDS[state]];
  const windows = services.flatMap((one) => one.windows.filter((two) => two.name === window));
  if (name === 'uptime') {
    const known = windows.flatMap(({ uptime }) => (uptime === undefined ? [] : [uptime]));
    const mean = known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : undefined;
    return [`uptime ${window}`, mean === undefined ? 'unknown' : formatPercent(mean), uptimeLevel(mean)];
  }
  const slowest = Math.max(...windows.flatMap(({ p50 }) => p50 ?? []));
  if (!Number.isFinite(slowest)) return [`response ${window}`, 'unknown', 'none'];
  const colour = slowest <= GOOD_MS ? 'good' : slowest <= FAIR_MS ? 'fair' : 'bad';
  return [`response ${window}`, `${slowest} ms`, colour];
}

const [LETTER, MARGIN] = [6.6, 10];

/** Draws a badge. The texts are constants or numbers of this module, so they need no escaping. */
function drawn(label: string, value: string, colour: string): string {
  const [left, right] = [label, value].map((word) => Math.ceil(word.length * LETTER) + MARGIN) as [
    number,
    number,
  ];
  const width = left + right;
  const text = (at: number, word: string) => `<text x="${at}" y="14" text-anchor="middle">${word}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${value}">`,
    `<title>${label}: ${value}</title>`,
    `<path fill="#3b4348" d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>`,
    `<path fill="${colour}" d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z"/>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    `${text(left / 2, label)}${text(left + right / 2, value)}</g></svg>`,
  ].join('');
}
