// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform is written so

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { printScanTable } from '../../src/commands/scanning/scan-table.ts';
import { type ScanRoom, type ScanRoomOptions, scanRoom } from '../helpers/scan-room.ts';

/** What is found in several files of a tree together. */

const folders: string[] = [];
const rooms: ScanRoom[] = [];
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(files: Readonly<Record<string, string>> = {}): string {
  // No name that says that all of it is a test.
  const root = mkdtempSync(join(tmpdir(), 'magpie-flow-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function open(options: Partial<ScanRoomOptions>): Promise<ScanRoom> {
  const made = await scanRoom({ folder: folder(), ...options });
  rooms.push(made);
  return made;
}

const quiet = { signal: new AbortController().signal, progress() {} };
/** Made here, so that no file of the project resembles a live secret. */
const TOKEN = ['glpat', '-k3Jx9QmZ7vB2nL5tR8wY'].join('');

async function scan({ room }: ScanRoom, repository: string, deep = true) {
  const { id, report } = await room.scan('ann', { repository, deep, dependencies: false }, {}, quiet);
  return { id, report, findings: await room.listFindings('ann', id) };
}

/** A room with Magpie's own scanners. */
let made: ScanRoom;
const data = mkdtempSync(join(tmpdir(), 'magpie-together-'));
beforeAll(async () => {
  made = await scanRoom({ folder: data, real: true });
});
afterAll(async () => {
  await made.close();
  rmSync(data, { recursive: true, force: true });
});

test('a deep scan finds a data flow from one file into another once', async () => {
  const tree = folder({
    'routes.js':
      "const app = require('express')();\nconst find = require('./store');\napp.get('/', (req, res) => find(req.query.p));\n",
    'store.js': `const mysql = require('mysql');\nconst db = mysql.createConnection({});\nmodule.exports = (p) => {\n  db.query("select * from t where a = '" + p + "'", '${TOKEN}');\n};\n`,
  });
  const injections = ({ findings }: Awaited<ReturnType<typeof scan>>) =>
    findings.filter(({ id }) => id === 'source/sql-injection');
  const first = await scan(made, tree);
  const [found, ...more] = injections(first);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ severity: 'high', path: 'store.js', line: 4, scanners: ['source'] });
  expect(found?.trace?.map(({ path }) => path)).toContain('routes.js');
  expect(JSON.stringify(first.findings)).not.toContain(TOKEN);
  const lines: string[] = [];
  const shown = await made.room.listVulnerabilities('ann', first.id);
  const kept = await made.room.readScan('ann', first.id);
  await printScanTable(kept, shown, async (line) => void lines.push(line.trim()));
  expect(lines.join('\n')).toMatch(/^routes\.js:\d+: /m);
  expect(lines).toContain('line 4: SQL injection');
  expect(lines).toContain('Packages were not compared with known advisories: --dependencies does that.');
  // The same from what is kept, and another answer once the other file has changed.
  expect((await scan(made, tree)).findings.map(({ fingerprint }) => fingerprint)).toEqual(
    first.findings.map(({ fingerprint }) => fingerprint),
  );
  writeFileSync(join(tree, 'routes.js'), "const find = require('./store');\nfind('a');\n");
  expect(injections(await scan(made, tree)).map(({ severity }) => severity)).not.toContain('high');
});

test('a finding is withdrawn when another file makes the data harmless, also in stored results', async () => {
  const tree = folder({
    'routes.js':
      "const app = require('express')();\nconst { exec } = require('child_process');\nconst pick = require('./pick');\napp.get('/', (req, res) => exec(pick(req.query.p)));\n",
    'pick.js': "module.exports = (name) => (name === 'a' ? 'ls' : 'pwd');\n",
  });
  for (let time = 0; time < 2; time++) expect((await scan(made, tree)).findings).toEqual([]);
  writeFileSync(join(tree, 'pick.js'), 'module.exports = (name) => name;\n');
  expect((await scan(made, tree)).findings.map(({ id }) => id)).toEqual(['source/command-injection']);
});

test('files that are scanned together are scanned again only after one of them changes', async () => {
  const made = await open({ scanners: ['pairs'] });
  const tree = folder({ 'a.pair': 'FAULT high one', 'b.pair': 'FAULT low two', 'c.other': 'x' });
  const first = await scan(made, tree);
  expect(first.findings.map(({ path, severity }) => `${path} ${severity}`)).toEqual([
    'a.pair high',
    'b.pair low',
  ]);
  const reads = made.reads.length;
  expect((await scan(made, tree)).findings).toHaveLength(2);
  // Comments in the lines of findings are read each time, and nothing else.
  expect(made.reads.length - reads).toBe(2);
  writeFileSync(join(tree, 'b.pair'), 'FAULT low three');
  expect((await scan(made, tree)).findings).toHaveLength(2);
  expect((await scan(made, tree, false)).findings).toEqual([]);
});

test('a file on which the scanner hangs is left out and reported as a gap', async () => {
  const made = await open({ scanners: ['pairs'], fileMs: 100 });
  const tree = folder({ 'a.pair': 'FAULT high one', 'b.pair': 'LOOP FAULT low two', 'c.pair': 'PAST' });
  const { report, findings } = await scan(made, tree);
  expect(findings.map(({ path }) => path)).toEqual(['a.pair']);
  expect(report?.gaps).toMatchObject([
    { kind: 'limits', what: 'data flow from 2 files of pair into other files' },
  ]);
});

test('the hanging file is identified even when binary files precede it', async () => {
  const made = await open({ scanners: ['pairs'], fileMs: 100 });
  const tree = folder({ '0.pair': 'a\0b', 'a.pair': 'FAULT high one', 'b.pair': 'LOOP', 'c.pair': 'x' });
  const { report, findings } = await scan(made, tree);
  expect(findings.map(({ path }) => path)).toEqual(['a.pair']);
  expect(report?.gaps).toMatchObject([
    { kind: 'limits', what: 'data flow from 1 file of pair into other files' },
  ]);
});

test('a scanner that throws on a group of files is marked as failed', async () => {
  const made = await open({ scanners: ['pairs'] });
  const { report } = await scan(made, folder({ 'a.pair': 'BREAK it', 'b.pair': '', 'd.pair': 'x' }));
  expect(report?.scanners).toMatchObject([
    { name: 'pairs', ok: false, reason: expect.stringMatching(/^pair files together: TypeError/) },
  ]);
});

const infrastructure = (findings: readonly { id: string; path: string; line?: number; severity: string }[]) =>
  findings
    .filter(({ id }) => /unencrypted-(?:ebs|rds)|public-s3|no-log-s3|cloud-open/.test(id))
    .map(({ id, path, line }) => `${path}:${line} ${id.replace('infrastructure/', '')}`);

test('the files of a Terraform folder are one module: variables, locals, values and related resources of other files count', async () => {
  const files = {
    'net/main.tf':
      'resource "aws_ebs_volume" "a" {\n  encrypted = var.encrypted\n}\nresource "aws_s3_bucket_acl" "b" {\n  acl = local.acl\n}\nresource "aws_s3_bucket" "c" {\n  bucket = "c"\n}\n',
    'net/variables.tf': 'variable "encrypted" {\n  default = false\n}\n',
    'net/locals.tf.json': JSON.stringify({
      locals: { acl: '${var.kind}-read' },
      variable: { kind: { default: 'public' } },
    }),
    'other/variables.tf': 'variable "encrypted" {\n  default = true\n}\n',
  };
  const tree = folder(files);
  const found = ['net/main.tf:2 unencrypted-ebs-volume', 'net/main.tf:5 public-s3-acl'];
  const alone = ['net/main.tf:7 no-log-s3-bucket'];
  const first = infrastructure((await scan(made, tree, false)).findings);
  expect(first).toEqual(expect.arrayContaining([...found, ...alone]));
  expect(infrastructure((await scan(made, tree, false)).findings)).toEqual(first);
  // A file of values wins over defaults, and a resource of another file stands beside the bucket.
  writeFileSync(join(tree, 'net/terraform.tfvars'), 'encrypted = true\n');
  writeFileSync(
    join(tree, 'net/logs.tf'),
    'resource "aws_s3_bucket_logging" "c" {\n  bucket = aws_s3_bucket.c.id\n  target_bucket = "logs"\n}\n',
  );
  const second = infrastructure((await scan(made, tree, false)).findings);
  expect(second).toContain(found[1]);
  for (const gone of [found[0], ...alone]) expect(second).not.toContain(gone);
});

test('too many implementations of an interface are a gap where data from outside reaches one, also in stored results', async () => {
  const store = (name: string) =>
    `public class ${name} implements Store { public void find(String q) { System.out.println(q); } }\n`;
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`src/Store${at}.java`, store(`Store${at}`)]),
  );
  const entry = (given: string) =>
    `import javax.servlet.http.*;\npublic class Entry extends HttpServlet {\n  private Store store;\n  public void doGet(HttpServletRequest req, HttpServletResponse res) {\n    String q = req.getParameter("q");\n    store.find(${given});\n  }\n}\n`;
  const face = 'public interface Store { void find(String q); }\n';
  const gapsOf = async (tree: string) =>
    (await scan(made, tree)).report?.gaps?.flatMap(({ kind, what }) => (kind === 'limits' ? [what] : [])) ??
    [];
  const tree = folder({ 'src/Entry.java': entry('q'), 'src/Store.java': face, ...files });
  const expected = ['data flow into 1 class that more files or classes have than are followed: Store'];
  expect(await gapsOf(tree)).toEqual(expected);
  expect(await gapsOf(tree)).toEqual(expected);
  const harmless = folder({ 'src/Entry.java': entry('"all"'), 'src/Store.java': face, ...files });
  expect(await gapsOf(harmless)).toEqual([]);
});

test('an algorithm of a settings file withdraws the finding about the default in the code', async () => {
  const tree = folder({
    'src/main/java/app/Seal.java': `package app;
class Seal {
  Object seal(java.util.Properties settings) throws Exception {
    settings.load(Seal.class.getResourceAsStream("/seal.properties"));
    return javax.crypto.Cipher.getInstance(settings.getProperty("seal.cipher", "DES/CBC/PKCS5Padding"));
  }
}
`,
    'src/main/resources/seal.properties': 'seal.cipher=AES/GCM/NoPadding\n',
  });
  const weak = async () => (await scan(made, tree)).findings.filter(({ id }) => id === 'source/weak-cipher');
  expect(await weak()).toEqual([]);
  writeFileSync(join(tree, 'src/main/resources/seal.properties'), 'seal.cipher=RC4\n');
  expect((await weak())[0]?.trace?.map(({ path }) => path)).toContain('src/main/resources/seal.properties');
});
