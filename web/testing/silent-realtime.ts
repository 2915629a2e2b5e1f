import { onTestFinished } from 'vitest'
import { openRealtime } from '#web/lib/realtime.ts'

function silentSocket(): WebSocket {
  return { readyState: 0, send() {}, close() {} } as unknown as WebSocket
}

/** A connection on which nothing comes, until the end of the test. */
export function openSilentRealtime(): void {
  onTestFinished(openRealtime({ buildId: 'test', onNewBuild() {}, onSessionEnded() {}, connect: silentSocket }))
}
