export { parseIgnoreYaml as answer } from './ignore-entries.ts';
