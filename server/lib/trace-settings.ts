import * as z from 'zod'

const text = z.preprocess((value) => (value === '' ? undefined : value), z.string().trim().optional())
const url = z.preprocess(
  (value) => (value === '' ? undefined : value),
  z.url({ protocol: /^https?$/, error: 'нужен адрес, например http://localhost:4318' }).optional(),
)
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** The standard variables of OpenTelemetry that are read here. */
export const traceEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: text,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.literal('http/json', 'поддерживается только http/json').default('http/json'),
  ),
  OTEL_SERVICE_NAME: z.preprocess((value) => (value === '' ? undefined : value), z.string().trim().default('symbol')),
  OTEL_RESOURCE_ATTRIBUTES: text,
  OTEL_TRACES_SAMPLER: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.enum(samplers, `нужно одно из: ${samplers.join(', ')}`).default('parentbased_always_on'),
  ),
  OTEL_TRACES_SAMPLER_ARG: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number('нужна доля от 0 до 1, например 0.1').min(0).max(1).default(1),
  ),
  OTEL_SDK_DISABLED: z.enum(['', 'true', 'false']).default('false'),
}
const TraceEnv = z.object(traceEnv)

export interface TraceSettings {
  url: string
  headers: Record<string, string>
  serviceName: string
  resource: Record<string, string>
  /** The share of traces that begin here and are sent. */
  ratio: number
  /** Whether the caller's decision counts for traces that begin elsewhere. */
  followsParent: boolean
}

/** Null while traces are off. */
export function readTraces(env: z.infer<typeof TraceEnv>): TraceSettings | null {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const address = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  if (!address || env.OTEL_SDK_DISABLED === 'true') return null
  const sampler = env.OTEL_TRACES_SAMPLER
  return {
    url: address,
    headers: pairsOf(env.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: env.OTEL_SERVICE_NAME,
    resource: pairsOf(env.OTEL_RESOURCE_ATTRIBUTES),
    ratio: sampler.endsWith('always_off') ? 0 : sampler.endsWith('ratio') ? env.OTEL_TRACES_SAMPLER_ARG : 1,
    followsParent: sampler.startsWith('parentbased_'),
  }
}

/** `key=value,key2=value2`, values percent-encoded. */
function pairsOf(list = ''): Record<string, string> {
  const pairs = list.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    return at > 0 ? [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())]] : []
  })
  return Object.fromEntries(pairs)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
