import { html, raw } from 'hono/html';
import type { Html } from '../app/page.ts';
import { MARK } from '../mark.ts';
import { SCRIPT, STYLE } from './assets.ts';
import type { Flash } from './flash.ts';
import type { Visitor } from './visitor.ts';

/** The frame of every page: navigation, what was done, the content, and the choice of theme. */

/** The console's places: a page is a file, and a row here and in console.ts. */
export const PLACES = [
  {
    id: 'ask',
    group: 'Find',
    label: 'Ask',
    href: '/app/ask',
    icon: '<circle cx="8" cy="8" r="5"/><path d="m12 12 4 4"/>',
  },
  {
    id: 'notes',
    group: 'Keep',
    label: 'Notes',
    href: '/app/notes',
    icon: '<path d="M4 3h10v12H4zM7 7h4M7 10h4"/>',
  },
  {
    id: 'files',
    group: 'Keep',
    label: 'Files',
    href: '/app/uploads',
    icon: '<path d="M5 2h6l3 3v11H5z"/><path d="M11 2v4h3"/>',
  },
  {
    id: 'reference',
    group: 'Set up',
    label: 'Reference',
    href: '/docs',
    icon: '<path d="M3 4h12M3 9h12M3 14h8"/>',
  },
] as const;

export type Place = (typeof PLACES)[number]['id'];

export interface FramedPage {
  readonly title: string;
  /** What it is for, in a line. */
  readonly about: string;
  readonly place?: Place | undefined;
  readonly body: Html | string;
  /** What the reader must see first. */
  readonly alert?: string | undefined;
  readonly flash?: Flash | undefined;
}

/** A page for a visitor. */
export function framed({ title, about, place, body, alert, flash }: FramedPage, visitor: Visitor): Html {
  return shell(
    title,
    'framed',
    html`<nav class="side" aria-label="Magpie"><a class="brand" href="/app/ask">${raw(MARK)}Magpie</a>${PLACES.map(
      ({ id, group, label, href, icon }, at) =>
        html`${group === PLACES[at - 1]?.group ? '' : html`<p>${group}</p>`}<a class="item" href="${href}"${id === place ? raw(' aria-current="page"') : ''}><svg viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${raw(icon)}</svg>${label}</a>`,
    )}</nav>
<main id="main"><div class="head"><div><h1>${title}</h1><p>${about}</p></div></div>
${alert ? html`<p class="alert" role="alert">${alert}</p>` : ''}${flash ? said(flash, visitor) : ''}
${body}
<footer><span>Signed in as <b><bdi>${visitor.caller.id}</bdi></b></span><button type="button" id="theme" hidden>Theme</button>${
      visitor.open
        ? ''
        : html`<form method="post" action="/app/sign-out">${proof(visitor)}<button>Sign out</button></form>`
    }</footer></main>`,
  );
}

/** A page for a stranger. */
export function alone(title: string, body: Html, alert?: string): Html {
  return shell(
    title,
    'alone',
    html`<main id="main" class="alone"><div class="brand">${raw(MARK)}Magpie</div><h1>${title}</h1>${alert ? html`<p class="alert" role="alert">${alert}</p>` : ''}${body}</main>`,
  );
}

/** The hidden field that says which session a form is of. */
export function proof({ form }: Visitor): Html {
  return html`<input type="hidden" name="form" value="${form}">`;
}

function said({ text, undo }: Flash, visitor: Visitor): Html {
  return html`<div class="said row" role="status"><span>${text}</span>${
    undo === undefined
      ? ''
      : html`<form method="post" action="/app/notes/undo">${proof(visitor)}<input type="hidden" name="id" value="${undo}"><button>Undo</button></form>`
  }</div>`;
}

function shell(title: string, kind: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title} · Magpie</title><link rel="stylesheet" href="/app/assets/${STYLE.name}"><script src="/app/assets/${SCRIPT.name}"></script></head>
<body class="${kind}"><a class="skip" href="#main">Skip to the content</a>
${body}
</body></html>`;
}

/** An address that a link may lead to: http(s) alone, so that no text from outside becomes a script. */
export function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
    ? address
    : undefined;
}
