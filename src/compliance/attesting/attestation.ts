export const JUDGEMENTS = ['pass', 'fail', 'not_applicable', 'exception'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const ATTESTATIONS_FILE = '.magpie/attestations.yaml';

/** Scope of an attestation that applies to every check of its owner. */
export const ALL_SCOPES = 'all';

/** A file that supports an attestation. Only its digest is stored, because its content may be confidential. */
export interface AttachedFile {
  readonly name: string;
  /** SHA-256 of the file, 64 hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A person's judgement of one control. Times are in milliseconds since the epoch. */
export interface Attestation {
  /** Id of the attestation, 24 hex digits. */
  readonly id: string;
  readonly standard: string;
  readonly control: string;
  /** Repository or monitored system that the judgement concerns, or `all`. */
  readonly scope: string;
  readonly verdict: Judgement;
  readonly by: string;
  readonly at: number;
  /** Time at which the judgement expires. Always set for an exception. */
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
  /** Day of the judgement, or a time with its zone; the default is now. */
  readonly at?: string | undefined;
  /** Last day on which the judgement is valid, or a time with its zone. */
  readonly until?: string | undefined;
  readonly why: string;
  readonly link?: string | undefined;
  readonly evidence?: readonly AttachedFile[] | undefined;
}

export interface UsedAttestation extends Attestation {
  readonly counts: boolean;
  /** Reason why the judgement was not applied. '' if it was applied. */
  readonly note: string;
}

/** Stores the attestations that users give by command, separately per owner. A write is durable when its promise resolves. */
export interface AttestationStore {
  /** Replaces the attestation of this control and scope, or adds a new one. False if the owner already has `most` others. */
  putAttestation(owner: string, attestation: Attestation, most: number): Promise<boolean>;
  /** Lists an owner's attestations, sorted by standard, control and scope. */
  listAttestations(owner: string): Promise<Attestation[]>;
  removeAttestation(owner: string, id: string): Promise<boolean>;
}
