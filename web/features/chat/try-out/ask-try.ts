import { assistantsApi, TryEvent, type TryOut } from '#contract/assistants.ts'
import { failed } from '#contract/call.ts'
import { readEvents } from '#contract/events.ts'

/** Asks, and tells each event as it comes. Fails when nothing could be asked at all. */
export async function askTry(body: TryOut, signal: AbortSignal, notify: (event: TryEvent) => void): Promise<void> {
  const { method, path } = assistantsApi.tryOut
  const response = await fetch(path, {
    method,
    signal,
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok || !response.body) throw failed(response.status, await response.json().catch(() => null))
  for await (const event of readEvents(response.body, TryEvent)) notify(event)
}
