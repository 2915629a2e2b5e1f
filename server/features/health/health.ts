interface Readiness {
  /** Null when it is ready. */
  reason: 'draining' | 'database' | null
  /** Services that are down but not required, such as `redis`. */
  degraded: string[]
}

export interface Outage {
  part: string
  since: Date
}

export interface Health {
  ready: () => Promise<Readiness>
  /** Registers a service: `degradedWhile('redis', () => !link.isUp())`. Called at every check, so it must be fast. */
  degradedWhile: (part: string, isDegraded: () => boolean) => void
  degraded: () => string[]
  /** Registers a program that is not installed. */
  lacks: (program: string) => void
  missing: () => string[]
  /** The same with the moment since when. */
  outages: () => Outage[]
  /** From now on `ready` answers «draining», so that the load balancer stops sending requests. */
  drain: () => void
  isDraining: () => boolean
}

const DATABASE_MS = 1500
/** After this time a hanging query is abandoned, and the next check sends a new one. */
const ABANDON_MS = 10_000

/** Outages with a shorter pause between them count as one: a model that is tried again counts as up for a moment. */
const PAUSE_MS = 60_000

/** `askDatabase` may hang: parallel checks share one query and wait for it for at most 1.5 s. */
export function createHealth(askDatabase: () => Promise<void>): Health {
  const parts = new Map<string, () => boolean>()
  const programs = new Set<string>()
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

  const lasting = new Map<string, { since: Date; seenAt: number }>()
  function outages(): Outage[] {
    const now = Date.now()
    return degraded().map((part) => {
      const known = lasting.get(part)
      const since = known && now - known.seenAt < PAUSE_MS ? known.since : new Date(now)
      lasting.set(part, { since, seenAt: now })
      return { part, since }
    })
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
    lacks: (program) => {
      programs.add(program)
    },
    missing: () => [...programs],
    outages,
    drain: () => {
      isDraining = true
    },
    isDraining: () => isDraining,
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
