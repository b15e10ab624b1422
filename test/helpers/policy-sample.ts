/** A resource of a policy's sample as a file that declares it: its name and text. */
export function sampleFile(
  type: string,
  body: Readonly<Record<string, unknown>>,
): [path: string, text: string] {
  if (type.includes('::')) {
    return ['stack.json', JSON.stringify({ Resources: { It: { Type: type, Properties: body } } }, null, 2)];
  }
  if (type.includes('_')) {
    const [kind, name] = type.startsWith('data.') ? ['data', type.slice(5)] : ['resource', type];
    return ['main.tf', `${kind} "${name}" "it" {\n${hclBody(body)}}\n`];
  }
  return ['manifest.yaml', manifest(type, body)];
}

function hclBody(body: Readonly<Record<string, unknown>>): string {
  return Object.entries(body)
    .map(([key, value]) => {
      const items = Array.isArray(value) ? (value as unknown[]) : [value];
      const blocks = items.length > 0 && items.every((one) => typeof one === 'object' && one !== null);
      if (!blocks) return `  ${key} = ${JSON.stringify(value)}\n`;
      return items.map((one) => `  ${key} {\n${hclBody(one as Record<string, unknown>)}  }\n`).join('');
    })
    .join('');
}

function manifest(type: string, body: Readonly<Record<string, unknown>>): string {
  const pod = (spec: unknown) =>
    JSON.stringify(
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'it', namespace: 'shop' }, spec },
      null,
      2,
    );
  if (type === 'Container') return pod({ containers: [body] });
  if (type === 'PodSpec') return pod(body);
  return JSON.stringify({ apiVersion: 'v1', kind: type, ...body }, null, 2);
}
