import { badRequestError, notFoundError } from '../../errors.ts';
import type { ControlCatalogue } from '../assessing/catalogue.ts';
import type { Compliance } from '../types.ts';
import { ATTESTATIONS_FILE, type AttestationStore } from './attestation.ts';
import { readAttestationsFile } from './attestations-file.ts';
import { createAttestation } from './create-attestation.ts';

type Attestations = Pick<
  Compliance,
  'readAttestations' | 'checkAttestations' | 'attest' | 'listAttestations' | 'retractAttestation'
>;

export interface AttestationOptions {
  readonly attestations: AttestationStore;
  readonly catalogues: readonly ControlCatalogue[];
  readonly keptAttestations: number;
}

export function createAttestations(options: AttestationOptions): Attestations {
  const { attestations: store, catalogues, keptAttestations } = options;
  return {
    async readAttestations(subject, content, signal) {
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
    async checkAttestations(given, scope, source) {
      const origin = { scope, source, now: Date.now(), catalogues };
      return Promise.all(given.map((one) => createAttestation(one, origin)));
    },
    async attest(owner, given, scope, source) {
      const one = await createAttestation(given, { scope, source, now: Date.now(), catalogues });
      if (await store.putAttestation(owner, one, keptAttestations)) return one;
      throw badRequestError(
        `there are ${keptAttestations} judgements already: magpie compliance retract removes one`,
      );
    },
    listAttestations: (owner) => store.listAttestations(owner),
    async retractAttestation(owner, id) {
      if (await store.removeAttestation(owner, id)) return;
      throw notFoundError(
        `there is no judgement ${JSON.stringify(id.slice(0, 80))}: magpie compliance attestations lists them`,
      );
    },
  };
}
