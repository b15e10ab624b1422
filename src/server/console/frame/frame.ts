import { html, raw } from 'hono/html';
import type { Html } from '../../app/page.ts';
import { LOGO_SVG, SMALL_LOGO_SVG } from '../../logo.ts';
import { SCRIPT_ASSET, STYLE_ASSET } from './assets.ts';
import { alertBox } from './error-message.ts';
import type { FlashMessage } from './flash.ts';
import type { Visitor } from './visitor.ts';

/** In the order of the navigation. On phones, the bottom bar shows the pages with `thumb`, the menu "More" the others. */
export const NAVIGATION_PAGES = [
  {
    id: 'ask',
    group: 'Find',
    label: 'Ask',
    href: '/app/ask',
    icon: '<circle cx="8" cy="8" r="5"/><path d="m12 12 4 4"/>',
    thumb: true,
  },
  {
    id: 'pages',
    group: 'Find',
    label: 'Pages read',
    href: '/app/pages',
    icon: '<circle cx="9" cy="9" r="7"/><path d="M2 9h14M9 2c3 3 3 11 0 14M9 2c-3 3-3 11 0 14"/>',
  },
  {
    id: 'notes',
    group: 'Keep',
    label: 'Notes',
    href: '/app/notes',
    icon: '<path d="M4 3h10v12H4zM7 7h4M7 10h4"/>',
    thumb: true,
  },
  {
    id: 'files',
    group: 'Keep',
    label: 'Files',
    href: '/app/files',
    icon: '<path d="M5 2h6l3 3v11H5z"/><path d="M11 2v4h3"/>',
    thumb: true,
    files: true,
  },
  {
    id: 'scans',
    group: 'Warn',
    label: 'Scans',
    href: '/app/scans',
    icon: '<path d="M9 2 3 4.5V9c0 4 3 6 6 7 3-1 6-3 6-7V4.5z"/>',
  },
  {
    id: 'monitors',
    group: 'Warn',
    label: 'Monitors',
    href: '/app/monitors',
    icon: '<path d="M1 10h4l2-6 4 10 2-4h4"/>',
    thumb: true,
  },
  {
    id: 'compliance',
    group: 'Warn',
    label: 'Compliance',
    href: '/app/compliance',
    icon: '<path d="m3 9 4 4 8-9"/>',
  },
  {
    id: 'automations',
    group: 'Warn',
    label: 'Automations',
    href: '/app/automations',
    icon: '<circle cx="9" cy="9" r="3"/><path d="M9 1v3M9 14v3M1 9h3M14 9h3"/>',
  },
  {
    id: 'connect',
    group: 'Set up',
    label: 'Connect',
    href: '/app/connect',
    icon: '<path d="M7 11 11 7M6 8 3.5 10.5a3 3 0 0 0 4 4L10 12M12 10l2.5-2.5a3 3 0 0 0-4-4L8 6"/>',
    thumb: true,
  },
  {
    id: 'keys',
    group: 'Set up',
    label: 'Keys and usage',
    href: '/app/keys',
    icon: '<circle cx="6" cy="12" r="3"/><path d="m8 10 7-7m-3 3 2 2"/>',
  },
  {
    id: 'engines',
    group: 'Set up',
    label: 'Engines',
    href: '/app/engines',
    icon: '<path d="M2 13a7 7 0 1 1 14 0"/><path d="m9 13 3-5"/>',
  },
  {
    id: 'settings',
    group: 'Set up',
    label: 'Settings',
    href: '/app/settings',
    icon: '<path d="M2 5h8M14 5h2M2 13h2M8 13h8"/><circle cx="12" cy="5" r="2"/><circle cx="6" cy="13" r="2"/>',
    operator: true,
  },
  {
    id: 'log',
    group: 'Set up',
    label: 'Log',
    href: '/app/log',
    icon: '<path d="M4 2h10v14H4zM7 6h4M7 9h4M7 12h2"/>',
    operator: true,
  },
  {
    id: 'reference',
    group: 'Set up',
    label: 'Reference',
    href: '/docs',
    icon: '<path d="M3 4h12M3 9h12M3 14h8"/>',
  },
] as const satisfies readonly PlaceRow[];

interface PlaceRow {
  readonly id: string;
  readonly group: 'Find' | 'Keep' | 'Warn' | 'Set up';
  readonly label: string;
  readonly href: string;
  readonly icon: string;
  readonly thumb?: true;
  readonly files?: true;
  readonly operator?: true;
}

export type NavigationPageId = (typeof NAVIGATION_PAGES)[number]['id'];

export interface ConsolePage {
  readonly title: string;
  readonly about: Html | string;
  readonly place?: NavigationPageId | undefined;
  readonly body: Html | string;
  /** The page shows running work. The browser reloads it until the work has ended. */
  readonly live?: boolean | undefined;
  readonly alert?: string | undefined;
  readonly flash?: FlashMessage | undefined;
  readonly action?: Html | undefined;
  readonly script?: string;
}

export function renderConsolePage(page: ConsolePage, visitor: Visitor): Html {
  const { title, about, place, body, alert, flash, action, script, live = false } = page;
  return shell(
    { title, kind: 'framed', live, script },
    html`${navigation(place, visitor)}
<main id="main"><div class="head"><div><h1>${title}</h1><p>${about}</p></div>${action ?? ''}</div>
${alert ? alertBox(alert) : ''}${flash ? said(flash, visitor) : ''}
${body}</main>`,
  );
}

function navigation(place: NavigationPageId | undefined, visitor: Visitor): Html {
  const places = (NAVIGATION_PAGES as readonly PlaceRow[]).filter(
    ({ files, operator }) => (files || !visitor.filesOnly) && (!operator || visitor.operator),
  );
  const deep = places.filter(({ thumb }) => !thumb);
  const here = deep.some(({ id }) => id === place) ? ' here' : '';
  return html`<nav class="side" aria-label="Magpie"><a class="brand" href="/app/ask">${raw(LOGO_SVG)}Magpie</a>${grouped(places, place)}
<details class="more${here}"><summary>${icon(MORE)}More</summary><div class="sheet">${grouped(deep, place)}${foot(visitor)}</div></details>
${foot(visitor)}</nav>`;
}

const MORE = '<circle cx="4" cy="9" r="1"/><circle cx="9" cy="9" r="1"/><circle cx="14" cy="9" r="1"/>';

function grouped(places: readonly PlaceRow[], place: NavigationPageId | undefined): Html {
  return html`${places.map(
    ({ id, group, label, href, icon: shapes, thumb }, at) =>
      html`${group === places[at - 1]?.group ? '' : html`<p class="group">${group}</p>`}<a class="item${thumb ? '' : ' deep'}" href="${href}"${id === place ? raw(' aria-current="page"') : ''}>${icon(shapes)}${label}</a>`,
  )}`;
}

function icon(shapes: string): Html {
  return html`<svg viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${raw(shapes)}</svg>`;
}

function foot(visitor: Visitor): Html {
  const leave = html`<form method="post" action="/app/sign-out">${formTokenField(visitor)}<button>Sign out</button></form>`;
  const { caller, person } = visitor;
  return html`<div class="foot"><span class="who"><span class="dot"></span><span>Signed in as <b title="${caller.id}"><bdi>${person?.name ?? caller.id}</bdi></b></span></span><button type="button" data-theme-button hidden>Theme</button>${visitor.open ? '' : leave}</div>`;
}

export function renderSignedOutPage(title: string, body: Html, alert?: string): Html {
  return shell(
    { title, kind: 'alone', live: false },
    html`<main id="main" class="alone"><div class="brand">${raw(LOGO_SVG)}Magpie</div><h1>${title}</h1>${alert ? alertBox(alert) : ''}${body}</main>`,
  );
}

export function formTokenField({ form }: Visitor): Html {
  return html`<input type="hidden" name="form" value="${form}">`;
}

function said({ text, undo }: FlashMessage, visitor: Visitor): Html {
  return html`<div class="said row" role="status"><span>${text}</span>${
    undo === undefined
      ? ''
      : html`<form method="post" action="/app/notes/undo">${formTokenField(visitor)}<input type="hidden" name="id" value="${undo}"><button>Undo</button></form>`
  }</div>`;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(SMALL_LOGO_SVG)}`;

interface Shell {
  readonly title: string;
  readonly kind: 'framed' | 'alone';
  readonly live: boolean;
  readonly script?: string | undefined;
}

/** Seconds between two reloads without scripts. */
const REFRESH_S = 5;

function shell({ title, kind, live, script }: Shell, body: Html): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title} · Magpie</title><link rel="icon" href="${ICON}"><link rel="stylesheet" href="/app/assets/${STYLE_ASSET.name}"><script src="/app/assets/${SCRIPT_ASSET.name}"></script>${script ? html`<script type="module" src="${script}"></script>` : ''}${live ? html`<noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>` : ''}</head>
<body class="${kind}"${live ? raw(' data-live') : ''}><a class="skip" href="#main">Skip to the content</a>
${body}
</body></html>`;
}

/** Returns undefined for addresses such as `javascript:`, which would run a script. */
export function safeWebAddress(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
    ? address
    : undefined;
}
