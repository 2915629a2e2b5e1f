import { buildsApi } from '#contract/builds.ts'
import { api } from '#web/lib/api.ts'
import { whenReloadIsFree } from '#web/lib/hold-reload.ts'
import { showUpdate } from '#web/lib/show-update.ts'

const POLL_MS = 5 * 60_000
/** Returning to the tab checks again, at most this often. */
const GLANCE_MS = 60_000

interface Watch {
  ownId: string
  latest?: () => Promise<string>
  onUpdate?: () => void
}

/** Detects new builds by polling and from the socket; notifies once per build. */
export function watchBuilds({ ownId, latest = askLatest, onUpdate = showUpdate }: Watch) {
  let seenId = ownId
  let requestedAt = Date.now()

  function announce(id: string) {
    if (id === ownId || id === seenId) return
    seenId = id
    whenReloadIsFree(onUpdate)
  }

  async function ask() {
    requestedAt = Date.now()
    const id = await latest().catch(() => ownId)
    announce(id)
  }

  function glance() {
    if (document.visibilityState === 'visible' && Date.now() - requestedAt > GLANCE_MS) void ask()
  }

  const timer = setInterval(() => void ask(), POLL_MS)
  addEventListener('focus', glance)
  document.addEventListener('visibilitychange', glance)

  return {
    announce,
    stop() {
      clearInterval(timer)
      removeEventListener('focus', glance)
      document.removeEventListener('visibilitychange', glance)
    },
  }
}

async function askLatest(): Promise<string> {
  return (await api(buildsApi.latest, {})).id
}
