import { type Log, withoutSecrets } from '#server/lib/log.ts'

/** The library's warnings and errors in our log. What it says may quote addresses and queries, so those are cut. */
export function libraryLog(log: Log | undefined) {
  return {
    level: 'warn' as const,
    disabled: log === undefined,
    log: (level: 'debug' | 'info' | 'warn' | 'error', message: unknown, ...details: unknown[]) => {
      if (level !== 'warn' && level !== 'error') return
      const reasons = details.filter((detail) => detail instanceof Error).map(reasonOf)
      log?.[level](
        { library: 'better-auth', ...(reasons.length > 0 ? { reasons } : {}) },
        withoutSecrets(String(message)),
      )
    },
  }
}

function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? ` ← ${withoutSecrets(error.cause.message)}` : ''
  return `${error.name}: ${withoutSecrets(error.message)}${cause}`
}
