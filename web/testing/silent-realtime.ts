import { onTestFinished } from 'vitest'
import { type TopicEvent, writeServerFrame } from '#contract/realtime.ts'
import { openRealtime } from '#web/lib/realtime.ts'

/** Opens a connection until the end of the test; it receives only the events sent with the returned function. */
export function openSilentRealtime(): (event: TopicEvent) => void {
  const socket = { readyState: 0, send() {}, close() {} } as unknown as WebSocket
  onTestFinished(openRealtime({ buildId: 'test', onNewBuild() {}, onSessionEnded() {}, connect: () => socket }))
  return (event) => {
    const data = writeServerFrame({ type: 'event', event })
    socket.onmessage?.(new MessageEvent('message', { data }))
  }
}
