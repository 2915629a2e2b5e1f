export const MAX_RETRIED: number
export function e2eWith(wanted: 'flaky' | 'unexpected', report: unknown): string[]
export function failedTests(report: unknown): string[]
export function judgeRetried(names: string[]): { lines: string[]; failure: string | null }
// biome-ignore lint/style/noDefaultExport: as in the module itself
export default class RetriedReporter {
  names: string[]
  onTestCaseResult(test: {
    diagnostic: () => { flaky: boolean } | undefined
    module: { relativeModuleId: string }
    fullName: string
  }): void
  onTestRunEnd(): void
}
