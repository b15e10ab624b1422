import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

let validate: ValidateFunction | undefined;

/** What of a log is not as the JSON schema of SARIF 2.1.0 has it; empty when all is. */
export function sarifFaults(log: unknown): string[] {
  validate ??= compiled();
  validate(log);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function compiled(): ValidateFunction {
  const path = new URL('../fixtures/sarif/sarif-schema-2.1.0.json', import.meta.url);
  // Written for draft 4, whose words it uses are those of draft 7 but for the name of the id.
  const {
    $schema: _,
    id,
    ...schema
  } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> & {
    id: string;
  };
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  return ajv.compile({ ...schema, $id: id } as object);
}
