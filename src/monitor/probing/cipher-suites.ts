import suites from './cipher-suites.json' with { type: 'json' };

/** OpenSSL's names of cipher suites by their numbers. */
type Suites = ReadonlyMap<number, string>;

function suitesOf(...lists: readonly Readonly<Record<string, string>>[]): Suites {
  const all = lists.flatMap((list) => Object.entries(list));
  return new Map(all.map(([number, name]) => [Number.parseInt(number, 16), name]));
}

const { rc4, shortBlocks, shortKeys, withoutEncryption, anonymous, rsa, dhe, ecdhe } = suites;

export const CIPHER_SUITES = {
  rc4: suitesOf(rc4),
  'short-blocks': suitesOf(shortBlocks),
  'short-keys': suitesOf(shortKeys),
  'no-encryption': suitesOf(withoutEncryption, anonymous),
  rsa: suitesOf(rsa),
  dhe: suitesOf(dhe),
  any: suitesOf(ecdhe, dhe, rsa, shortBlocks, rc4, shortKeys, withoutEncryption, anonymous),
} satisfies Record<string, Suites>;

export type CipherSuiteClass = keyof typeof CIPHER_SUITES;
