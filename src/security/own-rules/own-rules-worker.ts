/** Reads a user's rules, and tries them, off the event loop; see own-rules.ts. */
export { answerRules as answer } from './own-rules-job.ts';
