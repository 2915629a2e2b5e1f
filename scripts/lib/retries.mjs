import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * Which tests failed, and which passed only on the second try. A busy machine explains a few of those; more of them hide
 * a bug.
 */

export const MAX_RETRIED = 3

/** A reporter of vitest: writes the names into the file that RETRIED_FILE names. */
// biome-ignore lint/style/noDefaultExport: vitest takes a reporter by its default export
export default class RetriedReporter {
  names = []

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.names.push(`${test.module.relativeModuleId} › ${test.fullName}`)
  }

  onTestRunEnd() {
    if (process.env.RETRIED_FILE) writeFileSync(process.env.RETRIED_FILE, JSON.stringify(this.names))
  }
}

/** The tests with this status ('flaky' or 'unexpected') in a JSON report of Playwright. */
export function e2eWith(wanted, report) {
  const inSuite = (suite, file) => [
    ...(suite.specs ?? [])
      .filter(({ tests }) => tests.some(({ status }) => status === wanted))
      .map(({ title }) => `${file} › ${title}`),
    ...(suite.suites ?? []).flatMap((inner) => inSuite(inner, file)),
  ]
  return (report?.suites ?? []).flatMap((suite) => inSuite(suite, `e2e/${suite.file}`))
}

export function failedTests(report) {
  return (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(process.cwd(), name)} › ${fullName}`),
  )
}

/** What a run with these retries says at its end, and whether they fail it. */
export function judgeRetried(names) {
  const lines = names.map((name) => `↻ second try: ${name}`)
  const failure =
    names.length > MAX_RETRIED ? `${names.length} tests needed a second try, at most ${MAX_RETRIED} may` : null
  return { lines, failure }
}
