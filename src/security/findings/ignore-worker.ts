export { parseIgnoreYaml as handleJob } from './ignore-entries.ts';
