export { answerRules as handleJob } from './own-rules-job.ts';
