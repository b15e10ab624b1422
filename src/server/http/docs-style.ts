import { CSS_BASE, CSS_STANDALONE_PAGE, CSS_TOKENS } from '../../lib/page-styles.ts';

export const DOCS_STYLE = `${CSS_TOKENS}${CSS_BASE}${CSS_STANDALONE_PAGE}
body { max-width: 60rem; }
header p { color: var(--ink-2); }
h1 small { font-size: 15px; font-weight: 400; }
nav ul { list-style: none; margin: 0; padding: 0; columns: 20rem; column-gap: 32px; } nav li { padding: 3px 0; break-inside: avoid; color: var(--ink-2); } nav a { font-weight: 600; margin-right: 4px; }
section h2 { margin: 0 0 8px; font-size: 18px; letter-spacing: -.01em; } section form { margin: 12px 0; display: grid; gap: 14px 16px; grid-template-columns: repeat(auto-fit, minmax(min(250px, 100%), 1fr)); align-items: start; } section form p { margin: 0; } section form p:last-child { grid-column: 1 / -1; } h2 { scroll-margin-top: 28px; }
small { display: block; } h1 small { display: inline; }
`;
