/** Reads and checks a user's rules in a worker thread; see own-rules.ts. */
export { answerRules as answer } from './own-rules-job.ts';
