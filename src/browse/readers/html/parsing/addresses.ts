import type { HtmlElement } from './node.ts';

/** Turns the addresses of a page into whole ones. */
export interface Addresses {
  /** Absolute address of a link (http, https or mailto), undefined where it leads nowhere that can be read. */
  link(href: string): string | undefined;
  /** Absolute http(s) address of a picture. */
  picture(element: HtmlElement): string | undefined;
}

/** By the page's address, or by the one that its <base> names. */
export function createAddresses(root: HtmlElement, url: string): Addresses {
  const named = root.getElementsByTagName('base').find(({ attributes }) => attributes.href)?.attributes.href;
  const base = named !== undefined && URL.canParse(named, url) ? new URL(named, url).href : url;
  const known = new Map<string, string>();

  function whole(address: string): string {
    let found = known.get(address);
    if (found === undefined) {
      found = URL.parse(address.trim(), base)?.href ?? '';
      known.set(address, found);
    }
    return found;
  }

  return {
    link(href) {
      const address = whole(href);
      return /^(?:https?|mailto):/.test(address) ? address : undefined;
    },
    picture({ attributes }) {
      for (const name of SOURCES) {
        const value = attributes[name];
        if (!value) continue;
        const address = whole(name.endsWith('srcset') ? largest(value) : value);
        if (/^https?:/.test(address)) return address;
      }
      return undefined;
    },
  };
}

/** Where scripts that load pictures late keep the address; `src` is a placeholder then. */
const SOURCES = [
  'data-src',
  'data-lazy-src',
  'data-original',
  'data-full-src',
  'src',
  'data-srcset',
  'srcset',
];

/** Of `a.png 300w, b.png 600w` the last, which is the largest as people write them. */
function largest(srcset: string): string {
  const last = srcset.slice(0, 4000).split(/,\s+/).at(-1) ?? '';
  return last.trim().split(/\s+/)[0] ?? '';
}

/** An address as it can stand between the brackets of a Markdown link. */
export function escapeAddress(address: string): string {
  return address.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20');
}
