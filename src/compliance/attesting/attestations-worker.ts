export { readAttestationsText as answer } from './attestations-job.ts';
