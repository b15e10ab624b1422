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
  const object = (kind: string, rest: Readonly<Record<string, unknown>>) =>
    `apiVersion: v1\nkind: ${kind}\n${Object.entries(rest)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
      .join('')}`;
  const metadata = { name: 'it', namespace: 'shop' };
  if (type === 'PodSpec') return object('Pod', { metadata, spec: body });
  if (type === 'Container' || type === 'ServerContainer')
    return object('Pod', { metadata, spec: { containers: [body] } });
  return object(type, body);
}
