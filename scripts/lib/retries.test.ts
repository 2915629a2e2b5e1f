import { expect, test } from 'vitest'
import RetriedReporter, { judgeRetried, retriedE2e } from './retries.mjs'

test('e2e tests that needed a second try are named with their file, however deep they stand', () => {
  const passed = { title: 'passed', tests: [{ status: 'expected' }] }
  const retried = (title: string) => ({ title, tests: [{ status: 'flaky' }] })
  const report = {
    suites: [
      { file: 'chat.spec.ts', specs: [passed, retried('first')], suites: [{ specs: [retried('second')] }] },
      { file: 'visual.spec.ts', specs: [{ title: 'failed', tests: [{ status: 'unexpected' }] }] },
    ],
  }
  expect(retriedE2e(report)).toEqual(['e2e/chat.spec.ts › first', 'e2e/chat.spec.ts › second'])
  expect(retriedE2e(null)).toEqual([])
})

test('the reporter keeps the tests that passed on a second try, and only those', () => {
  const reporter = new RetriedReporter()
  const result = (fullName: string, flaky: boolean) =>
    reporter.onTestCaseResult({ fullName, diagnostic: () => ({ flaky }), module: { relativeModuleId: 'a.test.ts' } })
  result('steady', false)
  result('shaky', true)
  expect(reporter.names).toEqual(['a.test.ts › shaky'])
})

test('up to three second tries are named and forgiven, a fourth fails the run', () => {
  expect(judgeRetried([])).toEqual({ lines: [], failure: null })
  const three = ['one', 'two', 'three']
  expect(judgeRetried(three)).toEqual({ lines: three.map((name) => `↻ second try: ${name}`), failure: null })
  expect(judgeRetried([...three, 'four']).failure).toBe('4 tests needed a second try, at most 3 may')
})
