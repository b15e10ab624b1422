import { html, raw } from 'hono/html';
import type { Operation, OperationCatalog } from '../../operation.ts';
import { VERSION } from '../../version.ts';
import { type Html, renderBackticksAsCode } from '../html.ts';
import { describeAcceptedValues, inputSchema } from '../input.ts';
import { LOGO_SVG } from '../logo.ts';
import { splitRoute } from './rest.ts';

export function docsPage({ operations, prompts }: OperationCatalog): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Magpie: operations</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#operations">Skip to the operations</a>
<header>
<div class="brand">${raw(LOGO_SVG)}Magpie</div><h1>Reference <small>${VERSION}</small></h1>
<p>The same operations are MCP tools at <code>/mcp</code>, REST paths below, and commands of <code>magpie</code>.
<a href="/openapi.json">OpenAPI 3.1</a></p>
</header>
<nav class="panel" aria-label="Operations"><ul>
${operations.map(({ name, title }) => html`<li><a href="#${name}">${name}</a> ${title}</li>`)}
</ul></nav>
<main id="operations">
${operations.map(section)}
<section class="panel"><h2 id="commands">Slash commands</h2><ul>
${prompts.map(({ name, description }) => html`<li><code>/${name}</code> ${description}</li>`)}
</ul></section>
</main>
</body>
</html>`;
}

function section(operation: Operation): Html {
  return html`<section class="panel" aria-labelledby="${operation.name}">
<h2 id="${operation.name}">${operation.name}</h2>
<p>${operation.description}</p>
${operation.routes.map((route) => html`<p><code>${route}</code></p>${tryIt(operation, route)}`)}
</section>`;
}

function tryIt(operation: Operation, route: Operation['routes'][number]): Html {
  const { method, path } = splitRoute(route);
  const example = JSON.stringify(operation.example);
  if (method === 'POST') {
    return html`<pre>curl -X POST ${path} -H 'Content-Type: application/json' -d '${raw(escapeText(example))}'</pre>`;
  }
  // Shows a command and not a form for an operation that changes data, so that a click cannot change data.
  if (operation.effect !== 'read') {
    const fields = Object.entries(operation.example).map(
      ([name, value]) => `--data-urlencode '${name}=${value}'`,
    );
    return html`<pre>curl -G ${path} ${raw(escapeText(fields.join(' ')))}</pre>`;
  }
  const { properties = {}, required = [] } = inputSchema(operation);
  const values = { ...operation.example, ...operation.start } as Record<string, unknown>;
  return html`<form action="${path}" method="get">
${Object.entries(properties).map(
  ([
    name,
    schema,
  ]) => html`<p><label for="${operation.name}-${name}">${name}${required.includes(name) ? '' : ' (optional)'}</label>
<input id="${operation.name}-${name}" name="${name}" value="${values[name] ?? ''}" aria-describedby="${operation.name}-${name}-takes" ${required.includes(name) ? 'required' : ''}>
<small id="${operation.name}-${name}-takes">${renderBackticksAsCode(`${schema.description ?? ''} (${describeAcceptedValues(schema)})`)}</small></p>`,
)}
<p><button>Try ${operation.name}</button></p>
</form>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');
}
