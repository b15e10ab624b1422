import { createHash } from 'node:crypto';
import { readPageStyle } from '../../lib/page-styles.ts';
import type { McpAppView } from '../../operation.ts';
import { VERSION } from '../../version.ts';
import { BRIDGE_FUNCTIONS, openView } from './bridge.ts';
import { COMPLIANCE_VIEW_FUNCTIONS, drawCompliance } from './compliance.ts';
import { drawFindings, FINDINGS_VIEW_FUNCTIONS } from './findings.ts';
import { drawMonitors, MONITORS_VIEW_FUNCTIONS } from './monitors.ts';

const STYLE = readPageStyle(new URL('./style.css', import.meta.url));
const TITLES: Readonly<Record<McpAppView, string>> = {
  monitors: 'Monitors',
  findings: 'Findings of a scan',
  compliance: 'Compliance check',
};
const PARTS = {
  monitors: { functions: MONITORS_VIEW_FUNCTIONS, draw: drawMonitors },
  findings: { functions: FINDINGS_VIEW_FUNCTIONS, draw: drawFindings },
  compliance: { functions: COMPLIANCE_VIEW_FUNCTIONS, draw: drawCompliance },
} as const;

const pages = new Map<McpAppView, string>();

/** Returns the HTML of a view. Its Content-Security-Policy allows only its own script and style. */
export function viewPage(view: McpAppView): string {
  let page = pages.get(view);
  if (page === undefined) {
    page = written(view);
    pages.set(view, page);
  }
  return page;
}

function written(view: McpAppView): string {
  const { functions, draw } = PARTS[view];
  const begin = `${openView.name}(${JSON.stringify(view)}, ${JSON.stringify(VERSION)}, ${draw.name});`;
  const script = `\n${[...BRIDGE_FUNCTIONS, ...functions].map(String).join('\n')}\n${begin}\n`;
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLES[view]}</title>
<style>${STYLE}</style>
</head>
<body>
<main></main>
<p role="status">Waiting for the assistant …</p>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
