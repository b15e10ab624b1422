export { readRegistryAnswer as answer } from './registry-answer.ts';
