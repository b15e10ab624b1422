/** Sets a variable before onnxruntime loads, whose builds by Microsoft otherwise send events (its pull request 27379). */
export function disableModelTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
