import type { Log } from '#server/lib/log.ts'

/**
 * Whether a service works, by the calls made to it. A failed call counts until a call of the same kind succeeds, but
 * not longer than five minutes: the last upload of the day must not look like an outage all night.
 */
export interface ServiceState {
  note: (call: string, isGood: boolean) => void
  isUp: () => boolean
}

const FORGET_MS = 300_000

export function createServiceState(name: string, log?: Pick<Log, 'info' | 'warn'>, now = Date.now): ServiceState {
  const failures = new Map<string, number>()
  let downSince: number | null = null

  function isUp(): boolean {
    for (const [call, at] of failures) if (now() - at > FORGET_MS) failures.delete(call)
    return failures.size === 0
  }

  /** One line when an outage begins and one when it ends. */
  function report(call: string): void {
    const isGood = isUp()
    if (isGood && downSince !== null) {
      log?.info({ seconds: Math.round((now() - downSince) / 1000) }, `${name}: works again`)
      downSince = null
    } else if (!isGood && downSince === null) {
      downSince = now()
      log?.warn({ call }, `${name}: does not work`)
    }
  }

  return {
    note: (call, isGood) => {
      if (isGood) failures.delete(call)
      else failures.set(call, now())
      report(call)
    },
    isUp,
  }
}
