/** Reads a file of attestations off the event loop; see attestations-file.ts. */
export { readAttestationsText as answer } from './attestations-job.ts';
