import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

export const NESTS_PAGE_HTML = `<!doctype html><html lang="en"><head><title>Nests of magpies</title></head><body>
<nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
<main><h1>Nests of magpies</h1>
<p>Magpies build their nests in February, of twigs and mud, with a roof of thorns. Both birds build for about six weeks.</p>
<h2>Eggs</h2>
<p>From April on there are five to eight eggs. The hen sits on them for three weeks, and the cock brings her food.</p>
</main><footer>Cookies, terms, imprint</footer></body></html>`;

const APP = [
  "const { exec } = require('node:child_process');",
  "app.get('/ping', (req, res) => {",
  `  exec(${'`'}ping -c 1 \${req.query.host}${'`'}, (error, out) => res.send(out));`,
  '});',
  '',
].join('\n');
const DOCKERFILE = 'FROM node\nCOPY . .\nCMD ["node", "app.js"]\n';

export async function writeSamples(folder: string, shop: string): Promise<void> {
  mkdirSync(join(folder, 'app'));
  writeFileSync(join(folder, 'app', 'app.js'), APP);
  writeFileSync(join(folder, 'app', 'Dockerfile'), DOCKERFILE);
  writeFileSync(join(folder, 'infrastructure.yaml'), `infrastructure:\n  shop:\n    urls: ['${shop}']\n`);
  writeFileSync(join(folder, 'handbook.pdf'), await handbook());
}

async function handbook(): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({ info: { Title: 'Handbook of the mill' } });
  document.text('Handbook of the mill. The mill turns from noon to four, on days with wind.');
  document.addPage().text('The upper stone is dressed every second winter, the lower one every fourth.');
  document.end();
  return buffer(document);
}
