/** Whether this instance should get requests, and what it does without just now. */
export interface Readiness {
  /** Null when it is ready. */
  reason: 'draining' | 'database' | null
  /** Parts that are away without stopping the work, for example `redis`. */
  degraded: string[]
}

export interface Health {
  ready: () => Promise<Readiness>
  /** A part reports itself: `degradedWhile('redis', () => !link.isUp())`. Asked at every check, so it must be quick. */
  degradedWhile: (part: string, isDegraded: () => boolean) => void
  degraded: () => string[]
  /** From here on the balancer is told to send requests elsewhere. */
  drain: () => void
}

const DATABASE_MS = 1500
/** A question to the database that hangs for so long is given up, and the next check may ask anew. */
const ABANDON_MS = 10_000

/** `askDatabase` may hang: only one is asked at a time, whoever checks meanwhile shares it and waits no longer than 1.5 s. */
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
