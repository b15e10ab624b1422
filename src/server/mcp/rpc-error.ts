export function rpcErrorResponse(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
  data?: unknown,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message, data }, id }, { status });
}
