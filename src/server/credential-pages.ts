import { randomBytes } from 'node:crypto';
import type { Caller } from '../caller.ts';
import { type AppError, badRequestError } from '../errors.ts';
import { isTimeout, withDeadline } from '../lib/concurrency/deadline.ts';
import { credentialHeader } from '../lib/network/credential-header.ts';
import type { MissingCredentials, Operation } from '../operation.ts';
import type { CredentialWatch } from './credential-watch.ts';

export interface CredentialRequest extends MissingCredentials {
  /** The user whose call needs the credentials. The page expires with this user's key or token. */
  readonly caller: Caller;
  readonly title: string;
}

export type CredentialPages = ReturnType<typeof createCredentialPages>;

const LIFETIME_MS = 600_000;
const MAX_PAGES = 500;

interface CredentialPage {
  request: CredentialRequest;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
  unwatch: () => void;
  readonly settled: PromiseWithResolvers<void>;
  values?: Record<string, string>;
}

export interface CredentialPagesOptions {
  readonly watch?: Pick<CredentialWatch, 'watchCaller' | 'checkNow'>;
  readonly now?: () => number;
}

export function createCredentialPages({ watch, now = Date.now }: CredentialPagesOptions = {}) {
  const pages = new Map<string, CredentialPage>();

  function endPage(ticket: string): void {
    const page = pages.get(ticket);
    if (!page) return;
    pages.delete(ticket);
    clearTimeout(page.timer);
    page.unwatch();
    page.settled.resolve();
  }

  const watched = (ticket: string, caller: Caller) =>
    watch?.watchCaller(caller, 'ended', () => endPage(ticket)) ?? (() => {});

  async function findPage(ticket: string): Promise<CredentialPage | undefined> {
    const known = pages.get(ticket);
    if (!known) return undefined;
    await watch?.checkNow(known.request.caller.id);
    if (known.expiresAt <= now()) endPage(ticket);
    return pages.get(ticket);
  }

  function makeRoom(): void {
    for (const [ticket, { expiresAt }] of pages) {
      if (expiresAt > now() && pages.size < MAX_PAGES) return;
      endPage(ticket);
    }
  }

  return {
    /** Opens a page and returns its long, random ticket. Anyone who knows the ticket can use the page. */
    openPage(request: CredentialRequest): string {
      makeRoom();
      const ticket = randomBytes(32).toString('base64url');
      pages.set(ticket, {
        request,
        expiresAt: now() + LIFETIME_MS,
        timer: setTimeout(() => endPage(ticket), LIFETIME_MS).unref(),
        unwatch: watched(ticket, request.caller),
        settled: Promise.withResolvers<void>(),
      });
      return ticket;
    },
    async findRequest(ticket: string): Promise<CredentialRequest | undefined> {
      const page = await findPage(ticket);
      return page?.values === undefined ? page?.request : undefined;
    },
    async giveCredentials(ticket: string, values: Readonly<Record<string, string>>): Promise<boolean> {
      const page = await findPage(ticket);
      if (!page || page.values !== undefined) return false;
      page.values = { ...values };
      page.settled.resolve();
      return true;
    },
    /** Waits up to `ms` for credentials. Returns them only once. Throws `bad_request` for an invalid ticket. */
    async takeCredentials(
      ticket: string,
      caller: Caller,
      ms: number,
      signal: AbortSignal,
    ): Promise<Record<string, string> | undefined> {
      const page = await findPage(ticket);
      if (!page || page.request.caller.id !== caller.id) throw pageEnded();
      page.unwatch();
      page.request = { ...page.request, caller };
      page.unwatch = watched(ticket, caller);
      try {
        await withDeadline(signal, ms, () => page.settled.promise);
      } catch (error) {
        if (signal.aborted || !isTimeout(error)) {
          endPage(ticket);
          throw error;
        }
      }
      const { values } = page;
      const isOpen = pages.has(ticket);
      if (values !== undefined) endPage(ticket);
      if (isOpen) return values;
      page.unwatch();
      throw pageEnded();
    },
    endPage,
  };
}

function pageEnded(): AppError {
  return badRequestError('the page for these credentials has ended: call again for a new one');
}

export function credentialsInHeaders(
  { secret = [] }: Pick<Operation, 'secret'>,
  header: (name: string) => string | null | undefined,
): Record<string, string> {
  const found = secret.map((name) => [name, header(credentialHeader(name))] as const);
  return Object.fromEntries(found.filter((entry): entry is readonly [string, string] => Boolean(entry[1])));
}
