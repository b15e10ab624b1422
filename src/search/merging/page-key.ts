import { decodePercent } from '../../lib/text/decode-percent.ts';

const SITES: readonly (readonly [host: RegExp, spell: (url: URL) => string | undefined])[] = [
  [/^youtu\.be$/, ({ pathname }) => `youtube.com/watch?v=${pathname.slice(1)}`],
  [
    /^(?:(?:www|m|music)\.)?youtube\.com$/,
    ({ pathname, searchParams }) => {
      const id = searchParams.get('v') ?? /^\/(?:shorts|embed|live|v)\/([\w-]+)/.exec(pathname)?.[1];
      return id && `youtube.com/watch?v=${id}`;
    },
  ],
  [
    /^(?:www\.|export\.)?arxiv\.org$/,
    ({ pathname }) => {
      // The key is the paper's id, without the version and the format (abstract, PDF or HTML).
      const [, id] =
        /^\/(?:abs|pdf|html|ps)\/([a-z.-]*\/?[\d.]{7,10})(?:v\d+)?(?:\.pdf)?$/i.exec(pathname) ?? [];
      return id && `arxiv.org/abs/${id}`;
    },
  ],
  [
    /^(?:dx\.|www\.)?doi\.org$/,
    ({ pathname }) => `doi.org${decodePercent(pathname, decodeURI).toLowerCase()}`,
  ],
  [
    /^(?:stackoverflow|serverfault|superuser|askubuntu|mathoverflow|[a-z]+\.stackexchange)\.(?:com|net)$/,
    ({ hostname, pathname }) => {
      const [, id] = /^\/(?:questions|q)\/(\d+)/.exec(pathname) ?? [];
      return id && `${hostname}/questions/${id}`;
    },
  ],
  [
    /^(?:old|new|np|www|m|i|amp)?\.?reddit\.com$/,
    ({ pathname }) => {
      const [, id] = /^\/r\/\w+\/comments\/(\w+)(?:\/[^/]*)?\/?$/.exec(pathname) ?? [];
      return id && `reddit.com/comments/${id}`;
    },
  ],
  [
    /^(?:www\.)?amazon(?:\.[a-z]{2,3}){1,2}$/,
    ({ hostname, pathname }) => {
      const [, id] = /\/(?:dp|gp\/product)\/([A-Z0-9]{10})(?:\/|$)/.exec(pathname) ?? [];
      return id && `${hostname}/dp/${id}`;
    },
  ],
  [/^(?:mobile\.|www\.)?(?:twitter|x)\.com$/, ({ pathname }) => `x.com${pathname}`],
  [
    /^([a-z-]+)(?:\.m)?\.(wik[a-z]+\.org)$/,
    ({ hostname, pathname, search }) =>
      `${hostname.replace('.m.', '.')}${decodePercent(pathname, decodeURI)}${search}`,
  ],
];

/** Returns a key that known variants of an address share. The key is not an address to fetch. */
export function pageKey(canonical: string): string {
  const url = new URL(canonical);
  for (const [host, spell] of SITES) {
    const own = host.test(url.hostname) ? spell(url) : undefined;
    if (own) return own;
  }
  const host = url.hostname.replace(/^www\d?\.(?=[^.]+\.)/, '');
  const path = decodePercent(url.pathname, decodeURI)
    .replace(/\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i, '/')
    .replace(/\/amp\/?$|\.amp(?=\.html?$|$)/i, '')
    .replace(/\/$/, '');
  const parameters = url.search
    .slice(1)
    .split('&')
    .filter((one) => one && !/^(?:amp|outputtype=amp)(?:=1|=true)?$/i.test(one));
  return `${host}:${url.port}${path}?${parameters.sort().join('&')}${url.hash}`;
}
