import { expect, test } from 'vitest'
import { type AlertRule, declaredIn, isConditionMet, metricsIn } from './alert-rules.ts'

const rule = (expr: string) => ({ alert: 'A', expr }) as AlertRule

test('only the metrics of an expression are found', () => {
  const expr =
    'topk(3, sum by (le, model) (rate(first_bucket{status=~"a|b"}[5m]))) / count(count by (build) (build_info)) > 0.02'
  expect(metricsIn(expr)).toEqual(['first_bucket', 'build_info'])
  expect(metricsIn('process_open_fds / process_max_fds > 0.8')).toEqual(['process_open_fds', 'process_max_fds'])
})

test('a histogram is declared with its series', () => {
  expect([...declaredIn('# TYPE a gauge\n# TYPE b histogram\n')]).toEqual(['a', 'b', 'b_bucket', 'b_sum', 'b_count'])
})

test('a threshold reads the last scrape, an increase also an earlier scrape (S10.280)', () => {
  expect(isConditionMet(rule('redis_up == 0'), 'redis_up 0\n')).toBe(true)
  expect(isConditionMet(rule('redis_up == 0'), 'redis_up 1\n')).toBe(false)
  expect(isConditionMet(rule('max(holds_stale) > 0'), '# TYPE holds_stale gauge\n')).toBe(false)
  const errors = rule('sum by (provider) (increase(provider_errors_total[5m])) > 5')
  expect(
    isConditionMet(errors, 'provider_errors_total{provider="a"} 9\n', 'provider_errors_total{provider="a"} 5\n'),
  ).toBe(false)
  expect(isConditionMet(errors, 'provider_errors_total{provider="a"} 9\n')).toBe(true)
  expect(() => isConditionMet(rule('a / b > 1'), '')).toThrow('not a plain threshold')
})
