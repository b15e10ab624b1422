export { parseAttestationsText as handleJob } from './attestations-job.ts';
