import { expect, test } from 'vitest'
import RetriedReporter, { e2eWith, failedTests, judgeRetried } from './retries.mjs'

test('e2e tests that failed or were retried are named with their file', () => {
  const passed = { title: 'passed', tests: [{ status: 'expected' }] }
  const retried = (title: string) => ({ title, tests: [{ status: 'flaky' }] })
  const report = {
    suites: [
      { file: 'chat.spec.ts', specs: [passed, retried('first')], suites: [{ specs: [retried('second')] }] },
      { file: 'visual.spec.ts', specs: [{ title: 'failed', tests: [{ status: 'unexpected' }] }] },
    ],
  }
  expect(e2eWith('flaky', report)).toEqual(['e2e/chat.spec.ts › first', 'e2e/chat.spec.ts › second'])
  expect(e2eWith('unexpected', report)).toEqual(['e2e/visual.spec.ts › failed'])
  expect(e2eWith('flaky', null)).toEqual([])
})

test('failed tests are named with their file', () => {
  const report = {
    testResults: [
      {
        name: `${process.cwd()}/web/a.test.ts`,
        assertionResults: [
          { fullName: 'first', status: 'passed' },
          { fullName: 'second', status: 'failed' },
        ],
      },
    ],
  }
  expect(failedTests(report)).toEqual(['web/a.test.ts › second'])
  expect(failedTests(null)).toEqual([])
})

test('the reporter keeps only tests that passed on a second try', () => {
  const reporter = new RetriedReporter()
  const result = (fullName: string, flaky: boolean) =>
    reporter.onTestCaseResult({ fullName, diagnostic: () => ({ flaky }), module: { relativeModuleId: 'a.test.ts' } })
  result('steady', false)
  result('shaky', true)
  expect(reporter.names).toEqual(['a.test.ts › shaky'])
})

test('three second tries are named, and a fourth fails the run', () => {
  expect(judgeRetried([])).toEqual({ lines: [], failure: null })
  const three = ['one', 'two', 'three']
  expect(judgeRetried(three)).toEqual({ lines: three.map((name) => `↻ second try: ${name}`), failure: null })
  expect(judgeRetried([...three, 'four']).failure).toBe('4 tests needed a second try, at most 3 may')
})
