/** What a person may say of a control. */
export const JUDGEMENTS = ['pass', 'fail', 'not_applicable', 'exception'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

/** The file of a repository in which people's judgements stand. */
export const ATTESTATIONS_FILE = '.magpie/attestations.yaml';

/** Stands for every check of the owner, as the scope of an attestation. */
export const EVERYWHERE = 'all';

/** A file that shows what a person attests: only its digest is kept, so that the file stays where it is protected. */
export interface AttachedFile {
  readonly name: string;
  /** Of its bytes: 64 hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A person's judgement of one control. Times are in milliseconds. */
export interface Attestation {
  /** 24 hex digits. */
  readonly id: string;
  readonly standard: string;
  readonly control: string;
  /** The repository or monitored system that it is about, or `all`. */
  readonly scope: string;
  readonly verdict: Judgement;
  /** Who judged. */
  readonly by: string;
  readonly at: number;
  /** From then on it no longer counts; an exception always has it. */
  readonly until?: number;
  readonly why: string;
  readonly link?: string;
  readonly evidence: readonly AttachedFile[];
  /** How it came here, in words. */
  readonly source: string;
}

/** An attestation as a person gives it; days are `2027-01-31`. */
export interface GivenAttestation {
  readonly standard: string;
  readonly control: string;
  readonly verdict: Judgement;
  readonly by: string;
  /** A day, or a time with its zone; left out, it is now. */
  readonly at?: string | undefined;
  /** The last day on which it counts, or a time with its zone. */
  readonly until?: string | undefined;
  readonly why: string;
  readonly link?: string | undefined;
  readonly evidence?: readonly AttachedFile[] | undefined;
}

/** An attestation in a check, and what came of it. */
export interface UsedAttestation extends Attestation {
  /** Whether the control has its status from it. */
  readonly counts: boolean;
  /** Why it does not count, in plain words; '' where it does. */
  readonly note: string;
}

/** What people attest by command, each owner's apart. A write is durable when it resolves. */
export interface AttestationStore {
  /**
   * Keeps it in place of an earlier one for the same scope, standard and control. False, and nothing changed, where the owner has
   * `most` of others.
   */
  putAttestation(owner: string, attestation: Attestation, most: number): Promise<boolean>;
  /** By standard, control and scope. */
  listAttestations(owner: string): Promise<Attestation[]>;
  /** False where the owner has no such attestation. */
  removeAttestation(owner: string, id: string): Promise<boolean>;
}
