import { formatPercent } from '../../lib/text/format-percent.ts';
import type { PublicService, ServiceState, StatusPage, WindowName } from '../../monitor/types.ts';
import { uptimeLevel } from './uptime-level.ts';

export const BADGE_NAMES = ['status', 'uptime', 'response'] as const;
export type BadgeName = (typeof BADGE_NAMES)[number];

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
  service: PublicService | undefined,
  window: WindowName,
) {
  const services = service ? [service] : page.groups.flatMap((group) => group.services);
  const [label, value, colour] = factsOf(name, service?.state ?? page.state, services, window);
  return drawn(label, value, COLOURS[colour]);
}

function factsOf(
  name: BadgeName,
  state: ServiceState,
  services: readonly PublicService[],
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

/** The texts are constants or numbers of this module, so they need no escaping. */
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
