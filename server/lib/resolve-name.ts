import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { createTurns } from './fair-turns.ts'

/** Whose address it is, and when nobody waits for it any more. */
export interface LookupRequest {
  userId: string
  signal: AbortSignal
}

export type ResolveName = (hostname: string, asked: LookupRequest) => Promise<LookupAddress[]>

interface ResolverSettings {
  /** Instead of those of the system. */
  servers?: readonly string[]
  /** Until a server is asked again, and until the name counts as silent. */
  tryMs: number
  ms: number
  /** How many names are looked up at once. */
  ofPerson: number
  ofProcess: number
  /** How long an answer is used again, and that there was none. */
  keptMs: number
  failedMs: number
  keptNames: number
}

const usual: ResolverSettings = {
  ...{ tryMs: 1500, ms: 4000, ofPerson: 2, ofProcess: 8 },
  ...{ keptMs: 30_000, failedMs: 5000, keptNames: 1000 },
}

/** Some name servers answer about one family of addresses and stay silent about the other. */
const OTHER_FAMILY_MS = 500

/** The name has no address, or nobody has said which. */
class NameError extends Error {
  override name = 'NameError'
}

/**
 * Looks names of strangers up without `getaddrinfo`, whose threads the whole process shares and which cannot be ended:
 * silent name servers would stop every other connection. It asks DNS only: no hosts file, no search domains.
 */
export function createNameResolver(settings: Partial<ResolverSettings> = {}): ResolveName {
  const { servers, tryMs, ms, ofPerson, ofProcess, ...cache } = { ...usual, ...settings }
  const turns = createTurns({ size: ofProcess, ofPerson })
  const kept = new Map<string, { until: number; found: LookupAddress[] }>()

  async function ask(hostname: string, signal: AbortSignal): Promise<LookupAddress[]> {
    // Each look-up has a resolver of its own: cancel() ends everything that a resolver is asked.
    const resolver = new Resolver({ timeout: tryMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const stop = () => resolver.cancel()
    const timers = [setTimeout(stop, ms)]
    signal.addEventListener('abort', stop, { once: true })
    const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
    Promise.any(asked).then(
      () => timers.push(setTimeout(stop, OTHER_FAMILY_MS)),
      () => undefined,
    )
    try {
      const answers = await Promise.allSettled(asked)
      return answers.flatMap((answer, at) =>
        answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })) : [],
      )
    } finally {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  function keep(hostname: string, found: LookupAddress[]): void {
    const [oldest] = kept.keys()
    if (kept.size >= cache.keptNames && oldest !== undefined) kept.delete(oldest)
    const ms = found.length > 0 ? cache.keptMs : cache.failedMs
    kept.set(hostname, { until: performance.now() + ms, found })
  }

  const known = (hostname: string): LookupAddress[] | undefined => {
    const { until, found } = kept.get(hostname) ?? { until: 0 }
    if (until > performance.now()) return found
    kept.delete(hostname)
    return undefined
  }

  async function find(hostname: string, signal: AbortSignal): Promise<LookupAddress[]> {
    const found = known(hostname) ?? (await ask(hostname, signal))
    signal.throwIfAborted()
    keep(hostname, found)
    return found
  }

  return async (hostname, { userId, signal }) => {
    const name = hostname.toLowerCase()
    const found = known(name) ?? (await turns.run(userId, () => find(name, signal), signal))
    if (found.length === 0) throw new NameError('The name has no address')
    return found
  }
}
