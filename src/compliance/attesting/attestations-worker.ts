export { parseAttestationsText as answer } from './attestations-job.ts';
