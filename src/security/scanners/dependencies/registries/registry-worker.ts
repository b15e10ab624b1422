export { readRegistryAnswer as handleJob } from './registry-answer.ts';
