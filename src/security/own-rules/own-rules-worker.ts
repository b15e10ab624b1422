export { answerRules as answer } from './own-rules-job.ts';
