import { access, constants } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { unavailableError, upstreamError } from '../../errors.ts';
import { withDeadline } from '../../lib/concurrency/deadline.ts';
import { type GuardProxy, RENDERING_CHROMIUM_ARGS, startGuardProxy } from '../../lib/network/guard-proxy.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';
import places from './browser-paths.json' with { type: 'json' };

export interface GuardedBrowser {
  readonly browser: Browser;
  readonly proxy: GuardProxy;
  /** Aborts when the browser has ended. Pending calls may then never return. */
  readonly gone: AbortSignal;
}

export interface BrowserKeeper {
  /** Throws AppError `unavailable` if the browser or playwright-core is missing or cannot start. */
  getBrowser(): Promise<GuardedBrowser>;
  stopBrowser(): Promise<void>;
}

const START_MS = 30_000;
const STOP_MS = 5000;

const PLACES: Readonly<Record<string, readonly string[]>> = places;

export function createBrowserKeeper(executable: string, guard: UrlGuard): BrowserKeeper {
  let running: Promise<GuardedBrowser> | undefined;

  async function launch(): Promise<GuardedBrowser> {
    const path = await findBrowser(executable);
    const { chromium } = await import('playwright-core').catch((cause: unknown) => {
      throw unavailableError(
        'pages are run by playwright-core, which is not installed: npm install playwright-core',
        { cause },
      );
    });
    const proxy = await startGuardProxy(guard);
    try {
      const browser = await chromium.launch({
        executablePath: path,
        args: [...RENDERING_CHROMIUM_ARGS],
        proxy: { server: proxy.server },
        // Chromium's sandbox does not work for the root user.
        chromiumSandbox: process.getuid?.() !== 0,
        timeout: START_MS,
        // The server stops the browser in its own signal handlers.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
      const gone = new AbortController();
      const end = () => {
        gone.abort(upstreamError('the browser ended while it ran the page; try again'));
        void proxy.close();
      };
      browser.once('disconnected', end);
      if (!browser.isConnected()) end();
      return { browser, proxy, gone: gone.signal };
    } catch (cause) {
      await proxy.close();
      throw unavailableError(`the browser ${path} does not start; the log has the details`, { cause });
    }
  }

  return {
    async getBrowser() {
      if (running === undefined) {
        const starting = launch();
        running = starting;
        const forget = () => {
          if (running === starting) running = undefined;
        };
        starting.then(({ gone }) => {
          if (gone.aborted) forget();
          gone.addEventListener('abort', forget, { once: true });
        }, forget);
      }
      return running;
    },
    async stopBrowser() {
      const stopping = running;
      running = undefined;
      const { browser, proxy } = (await stopping?.catch(() => undefined)) ?? {};
      const close = async () => browser?.close();
      await withDeadline(new AbortController().signal, STOP_MS, close).catch(() => {});
      await proxy?.close();
    },
  };
}

/** Returns `executable`, or for `auto` the first browser at a usual path. Throws AppError `unavailable`. */
export async function findBrowser(executable: string): Promise<string> {
  const places = executable === 'auto' ? (PLACES[process.platform] ?? []) : [executable];
  for (const place of places) {
    if (
      await access(place, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return place;
  }
  throw unavailableError(
    executable === 'auto'
      ? 'no browser was found: install Chromium or Chrome, or set MAGPIE_BROWSER to the path of one'
      : `there is no browser at ${executable}: set MAGPIE_BROWSER to the path of a Chromium or Chrome`,
  );
}
