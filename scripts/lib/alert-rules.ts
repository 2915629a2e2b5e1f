import { readFileSync } from 'node:fs'

export interface AlertRule {
  alert: string
  expr: string
  for: string
  severity: string
  summary: string
  action: string
  /** The document and its anchor. */
  runbook: string
}

const fields = ['expr', 'for', 'severity', 'summary', 'action', 'runbook'] as const

/** Reads the rules. The file has one plain or single-quoted value a line, so it needs no YAML library. */
export function readAlertRules(file = 'deploy/prometheus/alerts.yml'): AlertRule[] {
  const [, ...blocks] = readFileSync(file, 'utf8').split(/^ {6}- alert: /m)
  return blocks.map((block) => {
    const alert = block.split('\n')[0]?.trim() ?? ''
    const read = (field: string) => {
      const value = new RegExp(`^ +${field}: (.+)$`, 'm').exec(block)?.[1]?.trim()
      if (!value) throw new Error(`${file}: ${alert} has no ${field}`)
      return value.replace(/^'(.*)'$/, '$1')
    }
    const values = Object.fromEntries(fields.map((field) => [field, read(field)]))
    return { alert, ...(values as Omit<AlertRule, 'alert'>) }
  })
}

const keywords = new Set(['by', 'without', 'on', 'ignoring', 'and', 'or', 'unless', 'bool', 'offset'])

export function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  const names = [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)].map(([name]) => name)
  return [...new Set(names.filter((name) => !keywords.has(name)))]
}

/** What `/metrics` declares: histograms with the series that they have. */
export function declaredIn(exposition: string): Set<string> {
  const declared = [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    declared.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

const THRESHOLD =
  /^(?:(?:max|sum)(?: by \([\w, ]+\))?\s*\()*(increase\()?([a-z_]+)(?:\{[^}]*\})?(?:\[\w+\])?\)* (==|>) ([\d.]+)$/

/**
 * Whether the condition of a rule with a plain threshold holds in a scrape, without its waiting time. A rule about an
 * increase compares with an earlier scrape.
 */
export function isConditionMet({ alert, expr }: AlertRule, now: string, before = ''): boolean {
  const [, isIncrease, metric = '', compare, limit] = THRESHOLD.exec(expr) ?? []
  if (!compare) throw new Error(`${alert} is not a plain threshold: ${expr}`)
  const values = isIncrease ? [total(now, metric) - total(before, metric)] : samplesOf(now, metric)
  return values.some((value) => (compare === '>' ? value > Number(limit) : value === Number(limit)))
}

const samplesOf = (exposition: string, metric: string) =>
  [...exposition.matchAll(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
const total = (exposition: string, metric: string) =>
  samplesOf(exposition, metric).reduce((sum, value) => sum + value, 0)
