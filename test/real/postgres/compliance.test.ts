import { afterAll } from 'vitest';
import { createAssessmentStore } from '../../../src/compliance/stores/assessments.ts';
import { createAttestationStore } from '../../../src/compliance/stores/attestations.ts';
import { createJobStore } from '../../../src/compliance/stores/jobs.ts';
import { describeAssessmentStore } from '../../contracts/assessment-store.ts';
import { describeAttestationStore } from '../../contracts/attestation-store.ts';
import { describeJobStore } from '../../contracts/job-store.ts';
import { dropPostgres, emptyPostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

describeAssessmentStore('PostgreSQL', () => emptyPostgres(createAssessmentStore));
describeAttestationStore('PostgreSQL', () => emptyPostgres(createAttestationStore));
describeJobStore('PostgreSQL', () => emptyPostgres(createJobStore));
