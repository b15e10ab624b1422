/** Microsoft's builds of onnxruntime send events unless this variable is set before they load (its pull request 27379). */
export function disableModelTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
