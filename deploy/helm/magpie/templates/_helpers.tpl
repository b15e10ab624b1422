{{- define "magpie.selector" -}}
app.kubernetes.io/name: magpie
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "magpie.labels" -}}
{{ include "magpie.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "magpie.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}-magpie
{{- end }}
