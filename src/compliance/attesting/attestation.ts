export const JUDGEMENTS = ['pass', 'fail', 'not_applicable', 'exception'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const ATTESTATIONS_FILE = '.magpie/attestations.yaml';

/** Scope of an attestation that applies to all checks of its owner. */
export const ALL_SCOPES = 'all';

/** A file that supports an attestation. Only the digest is stored, so that the file stays where it is protected. */
export interface AttachedFile {
  readonly name: string;
  /** 64 hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A person's judgement of one control. Times are milliseconds since the epoch. */
export interface Attestation {
  /** 24 hex digits. */
  readonly id: string;
  readonly standard: string;
  readonly control: string;
  /** Repository or monitored system that the judgement concerns, or `all`. */
  readonly scope: string;
  readonly verdict: Judgement;
  readonly by: string;
  readonly at: number;
  /** Time at which the judgement expires. Exceptions always have one. */
  readonly until?: number;
  readonly why: string;
  readonly link?: string;
  readonly evidence: readonly AttachedFile[];
  readonly source: string;
}

/** An attestation as a person writes it. Days have the form `2027-01-31`. */
export interface GivenAttestation {
  readonly standard: string;
  readonly control: string;
  readonly verdict: Judgement;
  readonly by: string;
  /** A day, or a time with its zone. Default: now. */
  readonly at?: string | undefined;
  /** Last day on which the judgement counts, or a time with its zone. */
  readonly until?: string | undefined;
  readonly why: string;
  readonly link?: string | undefined;
  readonly evidence?: readonly AttachedFile[] | undefined;
}

export interface UsedAttestation extends Attestation {
  readonly counts: boolean;
  /** Reason in plain words why the judgement does not count, or an empty string. */
  readonly note: string;
}

/** Stores attestations given by command, separately per owner. A write is durable when it resolves. */
export interface AttestationStore {
  /** Replaces the attestation of this scope, standard and control. False, without a change, if there are `most` others. */
  putAttestation(owner: string, attestation: Attestation, most: number): Promise<boolean>;
  /** Lists attestations by standard, control and scope. */
  listAttestations(owner: string): Promise<Attestation[]>;
  removeAttestation(owner: string, id: string): Promise<boolean>;
}
