import { statusApi } from '#contract/status.ts'
import { callQuery } from '#web/lib/call-query.ts'

/** Only while the page is visible. */
const REFRESH_MS = 15_000

export const statusQuery = callQuery(['status'], statusApi.get, {}, { refetchInterval: REFRESH_MS })
