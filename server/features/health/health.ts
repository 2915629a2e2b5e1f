/** Whether this instance can take requests, and which services it works without. */
export interface Readiness {
  /** Null when it is ready. */
  reason: 'draining' | 'database' | null
  /** Services that are down but not required, such as `redis`. */
  degraded: string[]
}

export interface Health {
  ready: () => Promise<Readiness>
  /** Registers a service: `degradedWhile('redis', () => !link.isUp())`. Called at every check, so it must be fast. */
  degradedWhile: (part: string, isDegraded: () => boolean) => void
  degraded: () => string[]
  /** From now on `ready` answers «draining», so that the load balancer stops sending requests. */
  drain: () => void
}

const DATABASE_MS = 1500
/** After this time a hanging query is abandoned, and the next check sends a new one. */
const ABANDON_MS = 10_000

/** `askDatabase` may hang: parallel checks share one query and wait for it for at most 1.5 s. */
export function createHealth(askDatabase: () => Promise<void>): Health {
  const parts = new Map<string, () => boolean>()
  let asking: { answered: Promise<boolean>; since: number } | null = null
  let isDraining = false

  function databaseAnswers(): Promise<boolean> {
    const now = performance.now()
    if (asking && now - asking.since < ABANDON_MS) return asking.answered
    const question = { answered: Promise.resolve(false), since: now }
    question.answered = askDatabase()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        if (asking === question) asking = null
      })
    asking = question
    return question.answered
  }

  const degraded = () => [...parts].filter(([, isDegraded]) => isDegraded()).map(([part]) => part)
  return {
    ready: async () => {
      if (isDraining) return { reason: 'draining', degraded: degraded() }
      const answers = await inTime(databaseAnswers(), DATABASE_MS)
      return { reason: answers ? null : 'database', degraded: degraded() }
    },
    degradedWhile: (part, isDegraded) => {
      parts.set(part, isDegraded)
    },
    degraded,
    drain: () => {
      isDraining = true
    },
  }
}

async function inTime(answer: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(() => done(false), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
