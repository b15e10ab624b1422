import { badRequestError } from '../errors.ts';
import { CHECK_NETWORK, isNetworkDownMessage } from '../lib/network/network-failure.ts';
import { profileEngine } from '../search/asking/engine-profile.ts';
import { type EngineTrial, tryEngines } from '../search/asking/try-engines.ts';
import type { NamedProfile, TriedEngine } from '../search/types.ts';
import {
  askableEngineNames,
  chooseEngines,
  engineNames,
  LOCAL_ENGINE_NAME,
  trustedHosts,
} from './engines.ts';
import type { ServicesFoundation } from './foundation.ts';
import { listEngineRemedies } from './open/open-search.ts';

export interface EngineSelection {
  readonly names: readonly string[];
  readonly all: boolean;
}

export interface EngineWatch {
  readonly signal: AbortSignal;
  tried(one: TriedEngine, count: number, of: number): void;
}

const TIMEOUT_MS = 15_000;

/** Tests engines. Throws AppError `bad_request` for an unknown name or a missing key. */
export async function testEngines(
  { config, fetch }: Pick<ServicesFoundation, 'config' | 'fetch'>,
  { names, all }: EngineSelection,
  { signal, tried }: EngineWatch,
) {
  const reachable = askableEngineNames(config);
  const wrong = names.find((name) => !reachable.includes(name));
  if (wrong !== undefined) {
    throw badRequestError(
      `${JSON.stringify(wrong)} cannot be tried: it takes ${reachable.join(', ')}; others need their key or address, or another MAGPIE_SEARCH_PRIVACY (docs/engines.md)`,
    );
  }
  const which = names.length > 0 ? names : all ? reachable : engineNames(config);
  const engines = await chooseEngines(
    config,
    [...new Set(which)].filter((name) => name !== LOCAL_ENGINE_NAME),
  );
  const profiles = new Map(engines.map((engine) => [engine.name, profileEngine(engine)]));
  const withProfile = (one: EngineTrial): TriedEngine[] => {
    const about = profiles.get(one.name);
    return about ? [{ ...one, about }] : [];
  };
  const results = await tryEngines({
    ...{ fetch, engines, signal, trusted: trustedHosts(config), timeoutMs: TIMEOUT_MS },
    onTried: (one, count) => {
      for (const each of withProfile(one)) tried(each, count, engines.length);
    },
  });
  // A single engine may fail for its own reason. Only several failures show that there is no network.
  const unreached = results.filter(({ ok, reason = '' }) => !ok && isNetworkDownMessage(reason));
  const isOffline =
    results.length > 1 && results.every(({ ok }) => !ok) && unreached.length > results.length / 2;
  /** Advice on how to get results from more engines. One sentence each, the easiest first. */
  const remedies = isOffline ? [CHECK_NETWORK] : listEngineRemedies(config, engines);
  return { tried: results.flatMap(withProfile), isOffline, remedies };
}

export async function listEngines({ config }: Pick<ServicesFoundation, 'config'>): Promise<NamedProfile[]> {
  const engines = await chooseEngines(config);
  return engines.map((engine) => ({ name: engine.name, about: profileEngine(engine) }));
}
