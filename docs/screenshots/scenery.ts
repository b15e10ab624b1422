import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before Magpie: names under `.example` are this machine, and it is a morning in November, so that pictures differ by the pages alone. */

const BEGIN = Date.parse('2026-11-12T09:14:00Z');
const RealDate = Date;
const began = RealDate.now();
const now = () => BEGIN + RealDate.now() - began;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], made) =>
    Reflect.construct(target, given.length > 0 ? given : [now()], made) as object,
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

const { lookup } = dns;
// Its forms differ by what follows the name, which is handed on as it is.
const here = (name: string, ...rest: unknown[]) =>
  Reflect.apply(lookup, dns, [name.endsWith('.example') ? '127.0.0.1' : name, ...rest]);
dns.lookup = here as typeof lookup;
syncBuiltinESMExports();
