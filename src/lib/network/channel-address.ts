import querystring from 'node:querystring';

export const CHANNEL_KINDS = ['webhook', 'slack', 'discord', 'teams', 'telegram', 'ntfy', 'mail'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export interface ChannelAddress {
  readonly kind: ChannelKind;
  /** URL for POST requests, undefined for mail. For Telegram, its path contains the bot's token. */
  readonly url?: string;
  /** Recipient: a chat id for Telegram, a topic for ntfy, an address for mail. */
  readonly to?: string;
  readonly thread?: number;
  readonly authorization?: string;
  /** The address without its secrets, for messages and logs. */
  readonly shown: string;
  readonly secrets: readonly string[];
}

export const CHANNEL_ADDRESS_FORMATS =
  'an http or https URL, tg://<bot token>@<chat>, ntfy://<host>/<topic>, mailto:<address>, or slack+, discord+, teams+ or ntfy+ before a URL';

const TELEGRAM_API = 'https://api.telegram.org';
const MAIL = /^[^\s<>@",;:()[\]]{1,64}@[^\s<>@",;:()[\]]{1,255}$/;

export function parseChannelAddress(text: string): ChannelAddress | undefined {
  const [, named, rest] = /^(slack|discord|teams|ntfy|tg)\+(https?:\/\/.*)$/s.exec(text) ?? [];
  const url = URL.parse(rest ?? text);
  if (!url) return undefined;
  if (named === 'tg') return telegram(url, url.origin, url.pathname.slice(1));
  if (named === 'ntfy') return ntfy(url, url.protocol);
  if (named !== undefined) return overHttp(named as ChannelKind, url, `${named}+`);
  if (url.protocol === 'tg:') return telegram(url, TELEGRAM_API, url.host);
  if (url.protocol === 'ntfy:') return ntfy(url, 'https:');
  if (url.protocol === 'mailto:') return mail(url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const kind = kindOf(url);
  return kind === 'ntfy' ? ntfy(url, url.protocol) : overHttp(kind, url, '');
}

export function redactChannelAddress(text: string): string {
  return parseChannelAddress(text)?.shown ?? '…';
}

const SLACK = ['hooks.slack.com', 'hooks.slack-gov.com'];
const DISCORD = ['discord.com', 'discordapp.com'];
const TEAMS = ['.webhook.office.com', '.logic.azure.com', '.api.powerplatform.com'];

function kindOf({ hostname, pathname }: URL): ChannelKind {
  if (SLACK.includes(hostname)) return 'slack';
  if (DISCORD.includes(hostname) && /^\/api\/(?:v\d{1,3}\/)?webhooks\//.test(pathname)) {
    return /\/slack\/?$/.test(pathname) ? 'slack' : 'discord';
  }
  if (TEAMS.some((end) => hostname.endsWith(end))) return 'teams';
  return hostname === 'ntfy.sh' ? 'ntfy' : 'webhook';
}

function overHttp(kind: ChannelKind, url: URL, prefix: string): ChannelAddress {
  return { kind, url: url.href, shown: `${prefix}${url.origin}/…`, secrets: secretsOf(url) };
}

/** Parses `tg://123:token@chat` or `tg+http://123:token@host/chat`, with an optional `?thread=5`. */
function telegram(url: URL, api: string, chat: string): ChannelAddress | undefined {
  const [id, token] = [url.username, url.password];
  if (!/^\d{1,20}$/.test(id) || !/^[\w-]{10,100}$/.test(token)) return undefined;
  if (!/^(?:-?\d{1,20}|@?[a-z]\w{2,40})$/i.test(chat)) return undefined;
  const thread = url.searchParams.get('thread');
  return {
    kind: 'telegram',
    url: `${api}/bot${id}:${token}/sendMessage`,
    to: /^-?\d+$/.test(chat) ? chat : `@${chat.replace('@', '')}`,
    thread: thread !== null && /^\d{1,12}$/.test(thread) ? Number(thread) : undefined,
    shown: 'tg://…',
    secrets: [token, `${id}:${token}`],
  };
}

/** Parses `ntfy://host/topic`, with an optional `user:password@` or `:token@` before the host. */
function ntfy(url: URL, protocol: string): ChannelAddress | undefined {
  const topic = url.pathname.slice(1).replace(/\/$/, '');
  if (!/^[\w-]{1,64}$/.test(topic) || url.host === '') return undefined;
  const [user, password] = [querystring.unescape(url.username), querystring.unescape(url.password)];
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return {
    kind: 'ntfy',
    url: `${protocol}//${url.host}/`,
    to: topic,
    authorization: password === '' ? undefined : user === '' ? `Bearer ${password}` : basic,
    // The topic is masked, because anyone who knows it can read the messages.
    shown: `ntfy://${url.host}/…`,
    secrets: [topic, password],
  };
}

function mail(url: URL): ChannelAddress | undefined {
  const to = querystring.unescape(url.pathname);
  if (!MAIL.test(to)) return undefined;
  return { kind: 'mail', to, shown: `mailto:…@${to.split('@')[1]}`, secrets: [] };
}

const MIN_SECRET_CHARACTERS = 8;

function secretsOf({ username, password, pathname, search }: URL): string[] {
  const parts = [username, password, ...pathname.split('/'), ...new URLSearchParams(search).values()];
  return [...parts, pathname, search].filter(({ length }) => length >= MIN_SECRET_CHARACTERS);
}
