export function parseCharset(contentType: string): string | undefined {
  return /;\s{0,20}charset\s{0,20}=\s{0,20}["']?\s{0,20}([^\s;"']+)/i.exec(contentType)?.[1];
}
