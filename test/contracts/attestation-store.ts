import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attestation, AttestationStore } from '../../src/compliance/attesting/attestation.ts';

const PLENTY = 100;

function attestation(id: string, change: Partial<Attestation> = {}): Attestation {
  return {
    id,
    standard: 'pci-dss',
    control: '12.6.1',
    scope: 'all',
    verdict: 'pass',
    by: "Zoë O'Hara 🐦",
    at: 1_800_000_000_000,
    until: 1_900_000_000_000,
    why: 'All "staff" took part;\n-- see the records',
    link: 'https://wiki.example/training?year=2026&x=1',
    evidence: [{ name: 'records.pdf', sha256: 'a'.repeat(64), bytes: 7 }],
    source: 'magpie compliance attest',
    ...change,
  };
}

/** An empty store; `open` opens it once more, as another process does. */
export interface AttestationPlace {
  open(): Promise<AttestationStore>;
  remove(): Promise<void>;
}

/** What every driver of AttestationStore does. */
export function describeAttestationStore(name: string, makeEmpty: () => Promise<AttestationPlace>): void {
  describe(`${name} as AttestationStore`, () => {
    let place: AttestationPlace;
    let store: AttestationStore;
    let other: AttestationStore;
    beforeEach(async () => {
      place = await makeEmpty();
      [store, other] = [await place.open(), await place.open()];
    });
    afterEach(() => place.remove());

    const ids = async (owner: string, from = store) =>
      (await from.listAttestations(owner)).map(({ id }) => id);

    test('returns an attestation as it was stored, to every opener', async () => {
      const { link: _, until: _end, ...plain } = attestation('2', { control: '12.6.2', evidence: [] });
      for (const one of [attestation('1'), plain])
        expect(await store.putAttestation('ann', one, PLENTY)).toBe(true);
      expect(await other.listAttestations('ann')).toEqual([attestation('1'), plain]);
    });

    test('keeps the attestations of each owner apart', async () => {
      await store.putAttestation('ann', attestation('1'), PLENTY);
      await store.putAttestation('bob', attestation('2'), PLENTY);
      expect(await ids('ann')).toEqual(['1']);
      expect(await ids('bob')).toEqual(['2']);
      expect(await store.removeAttestation('bob', '1')).toBe(false);
      expect(await ids('ann')).toEqual(['1']);
    });

    test('lists by standard, control and scope, whatever the order of insertion', async () => {
      for (const [id, standard, control, scope] of [
        ['1', 'soc-2', 'CC1.1', 'all'],
        ['2', 'pci-dss', '9.1.1', 'all'],
        ['3', 'pci-dss', '12.6.1', 'shop'],
        ['4', 'pci-dss', '12.6.1', 'all'],
      ] as const)
        await store.putAttestation('ann', attestation(id, { standard, control, scope }), PLENTY);
      expect(await ids('ann', other)).toEqual(['4', '3', '2', '1']);
    });

    test('a later attestation replaces the earlier one of the same scope, standard and control', async () => {
      await store.putAttestation('ann', attestation('1'), PLENTY);
      await other.putAttestation('ann', attestation('2', { verdict: 'fail' }), PLENTY);
      await store.putAttestation('ann', attestation('3', { scope: 'shop' }), PLENTY);
      expect(await ids('ann')).toEqual(['2', '3']);
      expect(await store.removeAttestation('ann', '1')).toBe(false);
    });

    test('refuses attestations beyond the limit of an owner, but always accepts another judgement of the same control', async () => {
      expect(await store.putAttestation('ann', attestation('1'), 1)).toBe(true);
      expect(await store.putAttestation('ann', attestation('2', { control: '12.6.2' }), 1)).toBe(false);
      expect(await store.putAttestation('ann', attestation('3'), 1)).toBe(true);
      expect(await store.putAttestation('bob', attestation('4'), 1)).toBe(true);
      expect(await ids('ann')).toEqual(['3']);
    });

    test('two openers that store at once lose nothing and stay within the limit', async () => {
      const put = (owner: string, at: number, most: number) =>
        (at % 2 ? store : other).putAttestation(
          owner,
          attestation(`${owner}${at}`, { control: `${at}` }),
          most,
        );
      const all = Array.from({ length: 20 }, (_, at) => at);
      expect(await Promise.all(all.map((at) => put('ann', at, PLENTY)))).not.toContain(false);
      expect(await ids('ann')).toHaveLength(20);
      const kept = await Promise.all(all.map((at) => put('bob', at, 5)));
      expect(kept.filter((one) => one)).toHaveLength(5);
      expect(await ids('bob')).toHaveLength(5);
    });

    test('removes an attestation once', async () => {
      await store.putAttestation('ann', attestation('1'), PLENTY);
      const outcomes = await Promise.all([
        store.removeAttestation('ann', '1'),
        other.removeAttestation('ann', '1'),
      ]);
      expect(outcomes.sort()).toEqual([false, true]);
      expect(await ids('ann')).toEqual([]);
    });

    test('an attestation that was stored before a crash is available to the next opener', async () => {
      await store.putAttestation('ann', attestation('1'), PLENTY);
      expect(await ids('ann', await place.open())).toEqual(['1']);
    });
  });
}
