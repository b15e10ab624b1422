import type { UnmaskedFinding } from '../../../findings/hide.ts';
import type { FileGroupFindings, ScannedFile } from '../../../scans/scanner.ts';
import { TERRAFORM_VALUES_PATH } from '../file-names.ts';
import { collectFindings, searchConfigFile, toFileFindings } from '../search-file.ts';
import { type HclAttribute, readAssignments } from './hcl.ts';
import { readTerraform, terraformBlocks } from './terraform.ts';

/** Searches the files of a module together. `refuted` has findings in one file that other files disprove. */
export async function searchTerraformModule(
  files: readonly ScannedFile[],
  begin: (path: string) => void,
): Promise<FileGroupFindings> {
  const given = new Map<string, HclAttribute>();
  const parts = files.flatMap((file) => {
    begin(file.path);
    if (!TERRAFORM_VALUES_PATH.test(file.path))
      return [{ file, blocks: terraformBlocks(file.path, file.text) }];
    // Terraform reads variable files in the order of their names. Later files override earlier ones.
    for (const [name, value] of readAssignments(file.text)) given.set(name, value);
    return [];
  });
  const module = { blocks: parts.flatMap(({ blocks }) => blocks), given };
  const read = parts.map(({ file, blocks }) => {
    begin(file.path);
    return { file, read: readTerraform(blocks, module) };
  });
  const others = read.flatMap((one) => one.read.resources);
  const findings: UnmaskedFinding[] = [];
  const refuted: UnmaskedFinding[] = [];
  for (const { file, read: one } of read) {
    begin(file.path);
    const whole = toFileFindings(file.path, file.text, await collectFindings(one, others));
    const alone = await searchConfigFile(file);
    const keys = (of: typeof whole) => new Set(of.map(({ id, line }) => `${id} ${line}`));
    const [inWhole, inAlone] = [keys(whole), keys(alone)];
    findings.push(...whole.filter(({ id, line }) => !inAlone.has(`${id} ${line}`)));
    refuted.push(...alone.filter(({ id, line }) => !inWhole.has(`${id} ${line}`)));
  }
  return { findings, refuted, left: 0 };
}
