import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { testApp } from '#server/testing/app.ts'
import { declaredIn, metricsIn, readAlertRules } from '../../scripts/lib/alert-rules.ts'
import { describeProcess } from './metrics.ts'

const app = await testApp()
describeProcess({ build: 'b', instance: 'i' })
const declared = declaredIn(await (await app.app.request('/metrics')).text())

const rules = readAlertRules()
/** `up` is a metric of Prometheus itself. */
const isKnown = (name: string) => name === 'up' || declared.has(name)

test('every metric of an alert is declared by the server (S10.274)', () => {
  const unknown = rules.flatMap(({ alert, expr }) =>
    metricsIn(expr)
      .filter((name) => !isKnown(name))
      .map((name) => `${alert}: ${name}`),
  )
  expect(unknown).toEqual([])
  expect(rules.length).toBeGreaterThan(20)
})

test('every alert has a severity, a description, advice and a link (S10.274)', () => {
  const anchors = new Set(
    [...readFileSync('docs/operations/incidents.md', 'utf8').matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => id),
  )
  for (const { alert, severity, summary, action, runbook } of rules) {
    expect(['critical', 'warning'], alert).toContain(severity)
    for (const text of [summary, action]) expect(text, alert).toMatch(/[а-я]{3}/)
    const [document, anchor] = runbook.split('#')
    expect(document, alert).toBe('docs/operations/incidents.md')
    expect(anchors, alert).toContain(anchor)
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})

test('the pages for operators name every alert and every metric (S10.272)', () => {
  const incidents = readFileSync('docs/operations/incidents.md', 'utf8')
  for (const { alert } of rules) expect(incidents, alert).toContain(`\`${alert}\``)
  const text = readFileSync('docs/operations/monitoring.md', 'utf8')
  const own = [...declared].filter((name) => !/^(?:process|nodejs)_|_(?:bucket|sum|count)$/.test(name))
  for (const name of own) expect(text, name).toContain(`\`${name}`)
})

const Dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), type: z.string(), targets: z.optional(z.array(z.object({ expr: z.string() }))) }),
  ),
})

test('every dashboard metric is declared, and each product part has a row (S10.274)', () => {
  const { panels } = Dashboard.parse(JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8')))
  const unknown = panels.flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ expr }) => metricsIn(expr).filter((name) => !isKnown(name))).map((name) => `${title}: ${name}`),
  )
  expect(unknown).toEqual([])
  const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title)
  expect(rows).toEqual(['Ответы', 'Деньги', 'Зависимости', 'Очереди', 'Процесс'])
})
