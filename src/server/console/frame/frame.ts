import { html, raw } from 'hono/html';
import { type Html, toSentence } from '../../html.ts';
import { LOGO_SVG, SMALL_LOGO_SVG } from '../../logo.ts';
import { SCRIPT_ASSET, STYLE_ASSET } from './assets.ts';
import pages from './navigation.json' with { type: 'json' };
import type { ConsoleVisitor, FlashMessage } from './visitor.ts';

interface PlaceRow {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly href: string;
  readonly icon: string;
  readonly thumb?: boolean;
  readonly files?: boolean;
  readonly operator?: boolean;
}

export type NavigationPageId = keyof typeof pages;

const NAVIGATION_PAGES = Object.entries(pages).map(([id, page]): PlaceRow => ({ id, ...page }));

export interface ConsolePage {
  readonly title: string;
  readonly about: Html | string;
  readonly place?: NavigationPageId | undefined;
  readonly body: Html | string;
  /** If true, the browser reloads the page regularly, because running work changes its content. */
  readonly live?: boolean | undefined;
  readonly alert?: string | undefined;
  readonly flash?: FlashMessage | undefined;
  readonly action?: Html | undefined;
  readonly script?: string;
}

export function renderConsolePage(page: ConsolePage, visitor: ConsoleVisitor): Html {
  const { title, about, place, body, alert, flash, action, script, live = false } = page;
  return shell(
    { title, kind: visitor.pass === undefined ? 'framed' : 'single', live, script },
    html`${visitor.pass === undefined ? navigation(place, visitor) : ''}
<main id="main"><div class="head"><div><h1>${title}</h1><p>${about}</p></div>${action ?? ''}</div>
${alert ? alertBox(alert) : ''}${flash ? said(flash, visitor) : ''}${visitor.filesOnly && visitor.pass === undefined ? whoseFiles(visitor) : ''}
${body}</main>`,
  );
}

function navigation(place: NavigationPageId | undefined, visitor: ConsoleVisitor): Html {
  const places = NAVIGATION_PAGES.filter(
    ({ files, operator }) => (files || !visitor.filesOnly) && (!operator || visitor.operator),
  );
  const deep = places.filter(({ thumb }) => !thumb);
  const here = deep.some(({ id }) => id === place) ? ' here' : '';
  return html`<nav class="side" aria-label="Magpie"><a class="brand" href="${visitor.filesOnly ? '/app/files' : '/app/ask'}">${raw(LOGO_SVG)}Magpie</a>${grouped(places, place)}
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

/** Says whose files a link opens, since anyone can give a link to own files. */
function whoseFiles(visitor: ConsoleVisitor): Html {
  const { caller, signedInAs } = visitor;
  const back = html` You are signed in as <b><bdi>${signedInAs}</bdi></b>.</p><form method="post" action="/app/close">${formTokenField(visitor)}<button>Back to your own files</button></form>`;
  return html`<div class="caution"><p>A link opened the files of <b><bdi>${caller.id}</bdi></b>, who can read all that is added here.${signedInAs === undefined ? html`</p>` : back}</div>`;
}

function foot(visitor: ConsoleVisitor): Html {
  const [action, words] = visitor.filesOnly ? ['close', 'Close'] : ['sign-out', 'Sign out'];
  const leave = html`<form method="post" action="/app/${action}">${formTokenField(visitor)}<button>${words}</button></form>`;
  const { caller, person } = visitor;
  return html`<div class="foot"><span class="who"><span class="dot"></span><span>Signed in as <b title="${caller.id}"><bdi>${person?.name ?? caller.id}</bdi></b></span></span><button type="button" data-theme-button hidden>Theme</button>${visitor.open ? '' : leave}</div>`;
}

export function renderSignedOutPage(title: string, body: Html, alert?: string): Html {
  return shell(
    { title, kind: 'alone', live: false },
    html`<main id="main" class="alone"><div class="brand">${raw(LOGO_SVG)}Magpie</div><h1>${title}</h1>${alert ? alertBox(alert) : ''}${body}</main>`,
  );
}

export function formTokenField({ form }: ConsoleVisitor): Html {
  return html`<input type="hidden" name="form" value="${form}">`;
}

function said({ text, undo }: FlashMessage, visitor: ConsoleVisitor): Html {
  return html`<div class="said row" role="status"><span>${text}</span>${
    undo === undefined
      ? ''
      : html`<form method="post" action="/app/notes/undo">${formTokenField(visitor)}<input type="hidden" name="id" value="${undo}"><button>Undo</button></form>`
  }</div>`;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(SMALL_LOGO_SVG)}`;

interface Shell {
  readonly title: string;
  readonly kind: 'framed' | 'single' | 'alone';
  readonly live: boolean;
  readonly script?: string | undefined;
}

const REFRESH_S = 5;

function shell({ title, kind, live, script }: Shell, body: Html): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title} · Magpie</title><link rel="icon" href="${ICON}"><link rel="stylesheet" href="/app/assets/${STYLE_ASSET.name}"><script src="/app/assets/${SCRIPT_ASSET.name}"></script>${script ? html`<script type="module" src="${script}"></script>` : ''}${live ? html`<noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>` : ''}</head>
<body class="${kind}"${live ? raw(' data-live') : ''}><a class="skip" href="#main">Skip to the content</a>
${body}
</body></html>`;
}

/** Returns only http and https addresses: an address such as `javascript:` could run a script. */
export function safeWebAddress(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
    ? address
    : undefined;
}

/** Splits `what: reason; reason` and the lines of advice after it. Leaves a message without advice whole. */
export function parseErrorMessage(message: string) {
  const [first = '', ...advice] = message.split('\n').filter((line) => line.trim());
  const at = first.indexOf(': ');
  if (advice.length === 0 || at < 0) return { what: toSentence(first), advice, reasons: [] };
  const reasons = first
    .slice(at + 2)
    .replace(/\.$/, '')
    .split('; ');
  return { what: toSentence(first.slice(0, at)), advice, reasons };
}

export function errorMessageHtml({ what, advice, reasons }: ReturnType<typeof parseErrorMessage>): Html {
  return html`<p><b>${what}</b></p>${listHtml(advice)}${reasons.length > 0 ? html`<details><summary>Reasons</summary>${listHtml(reasons)}</details>` : ''}`;
}

export function listHtml(lines: readonly string[]): Html | string {
  return lines.length > 0 ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : '';
}

function alertBox(message: string): Html {
  const problem = parseErrorMessage(message);
  if (problem.advice.length === 0) return html`<p class="alert" role="alert">${problem.what}</p>`;
  return html`<div class="alert" role="alert">${errorMessageHtml(problem)}</div>`;
}
