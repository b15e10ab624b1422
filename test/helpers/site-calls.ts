import type { SearchBody } from '../../src/flows/searching/search-body.ts';
import { CONNECTIONS } from './clients.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from './magpie.ts';
import { startSite, type TestSite } from './site.ts';

/** A server that may read one test site, called over REST, MCP and the terminal. */
export interface SiteCalls {
  readonly site: TestSite;
  readonly env: Record<string, string>;
  /** Where the server listens. */
  url(): string;
  /** GET of an operation of the browse family for a path of the site. */
  browse(
    path: string,
    parameters?: Readonly<Record<string, string>>,
    operation?: string,
  ): Promise<{ readonly status: number; readonly body: SearchBody & { error?: string } }>;
  /** The structured content and the text of a tool's answer. */
  callTool(
    given: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly body: SearchBody; readonly text: string; readonly isError: boolean }>;
  run(...args: string[]): ReturnType<typeof runMagpie>;
  /** Takes all pages from the site, and forgets what it was asked. */
  clear(): void;
  /** Stops the server, and starts it again on the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startSiteCalls(more: Readonly<Record<string, string>> = {}): Promise<SiteCalls> {
  const folder = temporaryFolder();
  const site = await startSite();
  const env = { ...environment(folder.path), MAGPIE_ALLOW_HOSTS: site.host, ...more };
  let magpie: Running = await startMagpie(env);
  return {
    site,
    env,
    url: () => magpie.url,
    async browse(path, parameters = {}, operation = 'browse') {
      const url = new URL(`/${operation}`, magpie.url);
      const given = { q: `${site.url}${path}`, percentile: '1', numofpages: '1', ...parameters };
      for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value);
      const response = await fetch(url);
      return { status: response.status, body: (await response.json()) as SearchBody & { error?: string } };
    },
    async callTool(given) {
      const client = await CONNECTIONS['HTTP, 2026 era, v2 client']?.({ url: magpie.url, env });
      const answer = await client?.callTool({ name: 'browse', arguments: given });
      await client?.close();
      const [content] = (answer?.content ?? []) as { text: string }[];
      return {
        body: answer?.structuredContent as unknown as SearchBody,
        text: content?.text ?? '',
        isError: answer?.isError === true,
      };
    },
    run: (...args) => runMagpie(args, env),
    clear() {
      site.pages.clear();
      site.fallback = () => undefined;
      site.asked.length = 0;
    },
    async restart() {
      await magpie.stop();
      magpie = await startMagpie(env);
    },
    async close() {
      await magpie.stop();
      await site.close();
      folder.remove();
    },
  };
}
