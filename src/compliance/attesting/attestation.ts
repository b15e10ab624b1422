export const JUDGEMENTS = ['pass', 'fail', 'not_applicable', 'exception'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const ATTESTATIONS_FILE = '.magpie/attestations.yaml';

export const ALL_ATTESTATION_SCOPES = 'all';

/** An evidence file. Only its digest is stored, because the content may be confidential. */
export interface AttachedEvidence {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** A person's judgement of one control. Times are in milliseconds since the epoch. */
export interface Attestation {
  readonly id: string;
  readonly standard: string;
  readonly control: string;
  readonly scope: string;
  readonly verdict: Judgement;
  readonly by: string;
  readonly at: number;
  /** End of validity. An exception always has one. */
  readonly until?: number;
  readonly why: string;
  readonly link?: string;
  readonly evidence: readonly AttachedEvidence[];
  readonly source: string;
}

/** An attestation as a person writes it. Days have the form `2027-01-31`. */
export interface GivenAttestation
  extends Pick<Attestation, 'standard' | 'control' | 'verdict' | 'by' | 'why'> {
  /** A day, or a time with a time zone. Default: now. */
  readonly at?: string | undefined;
  /** Last valid day, or a time with a time zone. */
  readonly until?: string | undefined;
  readonly link?: string | undefined;
  readonly evidence?: readonly AttachedEvidence[] | undefined;
}

export interface UsedAttestation extends Attestation {
  readonly counts: boolean;
  /** Why the judgement does not count, or '' if it counts. */
  readonly note: string;
}

export interface AttestationStore {
  putAttestation(owner: string, attestation: Attestation, most: number): Promise<boolean>;
  listAttestations(owner: string): Promise<Attestation[]>;
  removeAttestation(owner: string, id: string): Promise<boolean>;
}
