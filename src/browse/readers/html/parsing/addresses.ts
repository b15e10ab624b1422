import type { HtmlElement } from './node.ts';

export interface AddressResolver {
  /** Returns the absolute address (http, https or mailto), or undefined for other schemes. */
  link(href: string): string | undefined;
  /** Returns a picture's web address. Without one, returns '' in a document file and undefined on a page. */
  picture(element: HtmlElement): string | undefined;
}

export function createAddresses(root: HtmlElement, url: string): AddressResolver {
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
      return url === 'file:///' ? '' : undefined;
    },
  };
}

const SOURCES = 'data-src data-lazy-src data-original data-full-src src data-srcset srcset'.split(' ');

/** Returns the last and usually largest picture of a `srcset`, for example `a.png 300w, b.png 600w`. */
function largest(srcset: string): string {
  const last = srcset.slice(0, 4000).split(/,\s+/).at(-1) ?? '';
  return last.trim().split(/\s+/)[0] ?? '';
}

export function escapeAddress(address: string): string {
  return address.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20');
}
