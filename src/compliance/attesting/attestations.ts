import { badRequestError, notFoundError } from '../../errors.ts';
import type { ControlCatalogue } from '../assessing/catalogue.ts';
import { ATTESTATIONS_FILE, type AttestationStore, type GivenAttestation } from './attestation.ts';
import { readAttestationsFile } from './attestations-file.ts';
import { createAttestation } from './create-attestation.ts';

export interface AttestationOptions {
  readonly attestations: AttestationStore;
  readonly catalogues: readonly ControlCatalogue[];
  readonly keptAttestations: number;
}

export function createAttestations(options: AttestationOptions) {
  const { attestations: store, catalogues, keptAttestations } = options;
  return {
    async readAttestations(
      subject: string,
      content: (path: string) => Promise<Uint8Array | undefined>,
      signal: AbortSignal,
    ) {
      const file = await content(ATTESTATIONS_FILE);
      if (!file) return undefined;
      const place = {
        text: new TextDecoder().decode(file),
        subject,
        catalogues,
        now: Date.now(),
        read: content,
      };
      return readAttestationsFile(place, signal);
    },
    /** Validates judgements for a single check, without storing them. Throws AppError `bad_request`. */
    async checkAttestations(given: readonly GivenAttestation[], scope: string, source: string) {
      const origin = { scope, source, now: Date.now(), catalogues };
      return Promise.all(given.map((one) => createAttestation(one, origin)));
    },
    /** Stores a judgement in place of an earlier one. Throws AppError `bad_request` for an invalid value. */
    async attest(owner: string, given: GivenAttestation, scope: string, source: string) {
      const one = await createAttestation(given, { scope, source, now: Date.now(), catalogues });
      if (await store.putAttestation(owner, one, keptAttestations)) return one;
      throw badRequestError(
        `there are ${keptAttestations} judgements already: magpie compliance retract removes one`,
      );
    },
    listAttestations: (owner: string) => store.listAttestations(owner),
    /** Throws AppError `not_found` for an unknown id. */
    async retractAttestation(owner: string, id: string) {
      if (await store.removeAttestation(owner, id)) return;
      throw notFoundError(
        `there is no judgement ${JSON.stringify(id.slice(0, 80))}: magpie compliance attestations lists them`,
      );
    },
  };
}
