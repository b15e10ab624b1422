import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  AppError,
  asAppError,
  badRequestError,
  forbiddenError,
  ignoreNotFound,
  notFoundError,
} from '../../errors.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import type { MonitorFacts } from '../../monitor/types.ts';
import type { OperationContext } from '../../operation.ts';
import type { Scan } from '../../security/types.ts';

export type ComplianceCheckContext = Pick<
  OperationContext,
  'caller' | 'services' | 'folders' | 'offers' | 'signal' | 'progress'
>;

export type ResolvedScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'scan'; readonly scan: Scan }
  | { readonly kind: 'monitor'; readonly watched: MonitorFacts }
  | { readonly kind: 'repository'; readonly repository: string };

const SCAN_ID = /^[0-9a-f]{24}$/;
const URL_START = /^https?:\/\//i;
/** Matches a host with an optional port, query and fragment, but no path. A repository's URL has a path. */
const MACHINE = /^(?:[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?\/?(?:[?#].*)?$/iu;
const ADDRESS = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?::\d{1,5})?\//u;

/** Finds the repository, scan or monitor of a scope. Throws `bad_request`, `not_found` or `forbidden`. */
export async function resolveScope(scope: string, ctx: ComplianceCheckContext): Promise<ResolvedScope> {
  const { caller, services } = ctx;
  if (/^all$/i.test(scope)) return { kind: 'all' };
  if (SCAN_ID.test(scope)) {
    const scan = await (await services.security()).readScan(caller.id, scope);
    if (scan.state === 'completed') return { kind: 'scan', scan };
    throw badRequestError(`the scan ${scope} is ${scan.state}: scope takes one that has completed`);
  }
  const watched = await watchedAs(scope, ctx);
  if (watched) {
    if (caller.scopes.has('monitor')) return { kind: 'monitor', watched };
    throw forbiddenError(
      'checking a monitored system also needs the scope monitor, which this credential lacks',
    );
  }
  // The path becomes absolute, so that checks of the same folder can be compared.
  if (caller.via === 'cli' && statSync(scope, { throwIfNoEntry: false })?.isDirectory())
    return { kind: 'repository', repository: resolve(scope) };
  const { id, source } = (await services.monitor()).findInfrastructure(caller.id, scope) ?? {};
  if (source === 'inventory') {
    throw notFoundError(
      `${JSON.stringify(id)} is in the inventory, and you do not monitor it yet: ${startOf(scope, ctx)}; check again after its first probe`,
    );
  }
  if (isSite(scope))
    throw notFoundError(`${await unwatched(scope, ctx)}; a repository cannot have such an address`);
  return { kind: 'repository', repository: scope };
}

export async function explainScopeError(
  scope: string,
  thrown: unknown,
  ctx: ComplianceCheckContext,
): Promise<AppError> {
  const error = asAppError(thrown);
  const isPage = (URL_START.test(scope) && !/\.git\/?$/i.test(scope)) || ADDRESS.test(scope);
  const named = (await monitorsOf(ctx)).map(({ id }) => id);
  const meant = isPage
    ? await unwatched(scope, ctx)
    : didYouMean(scope, named) && `there is no monitor of that name either${didYouMean(scope, named)}`;
  if (!meant || !['bad_request', 'not_found', 'forbidden', 'upstream'].includes(error.code)) return error;
  return new AppError(error.code, `${error.message}. If it is not a repository: ${meant}`, { cause: error });
}

export async function monitorsOf({
  caller,
  services,
}: ComplianceCheckContext): Promise<readonly MonitorFacts[]> {
  return caller.scopes.has('monitor') ? (await services.monitor()).listMonitors(caller.id) : [];
}

async function watchedAs(scope: string, { caller, services }: ComplianceCheckContext) {
  const room = await services.monitor();
  const spellings = [scope, ...(MACHINE.test(scope) || ADDRESS.test(scope) ? [`https://${scope}`] : [])];
  for (const spelling of spellings) {
    const found = await room.getMonitor(caller.id, spelling).catch(ignoreNotFound);
    if (found) return found;
  }
  return undefined;
}

/** Returns true if the URL has no path, or has a query or fragment. A repository's URL always has a path. */
function isSite(scope: string): boolean {
  if (!URL_START.test(scope)) return MACHINE.test(scope);
  if (!URL.canParse(scope)) return false;
  const { pathname, search, hash } = new URL(scope);
  return pathname === '/' || search !== '' || hash !== '';
}

async function unwatched(scope: string, ctx: ComplianceCheckContext): Promise<string> {
  const address = URL_START.test(scope) ? scope : `https://${scope}`;
  if (!URL.canParse(address)) return `you do not monitor ${JSON.stringify(scope)} either`;
  const url = new URL(address);
  // User name and password are removed, because error messages may be logged.
  [url.username, url.password, url.hash] = ['', '', ''];
  const beside = (await monitorsOf(ctx)).filter(
    ({ id }) => URL.canParse(id) && new URL(id).host === url.host,
  );
  const known = beside[0] ? `you monitor ${beside[0].id}, which scope takes; else ` : '';
  return `you do not monitor ${url.href} yet: ${known}${startOf(url.href, ctx)}; check again after its first probe`;
}

function startOf(id: string, { caller, offers }: ComplianceCheckContext): string {
  if (caller.via === 'cli') return `start with magpie monitor start ${id}`;
  return offers('startMonitoring')
    ? `call startMonitoring with infrastructure_id ${JSON.stringify(id)}`
    : 'a caller with the scope monitor can start it';
}
