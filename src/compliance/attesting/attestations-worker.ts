/** Parses an attestations file in a worker thread; see attestations-file.ts. */
export { readAttestationsText as answer } from './attestations-job.ts';
