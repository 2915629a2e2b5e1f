import type { ApiError } from '#contract/errors.ts'

/** What a call may lack, by the code of its rejection: a fresh proof of identity, or consents to documents. */
export type Requirement = 'proof_required' | 'consent_required'
/** Asks the user; false if they decline. */
type Ask = () => Promise<boolean>

const dialogs = new Map<string, Ask>()
const asking = new Map<string, Promise<boolean>>()

/** Set by a dialog while it is mounted. */
export function setRequirementDialog(requirement: Requirement, ask: Ask | null): void {
  if (ask) dialogs.set(requirement, ask)
  else dialogs.delete(requirement)
}

/** Concurrent calls share one dialog. */
export function askForRequirement(requirement: string): Promise<boolean> {
  const open = asking.get(requirement)
  if (open !== undefined) return open
  const inFlight = (dialogs.get(requirement)?.() ?? Promise.resolve(false)).finally(() => asking.delete(requirement))
  asking.set(requirement, inFlight)
  return inFlight
}

/** Asks for what the rejected call lacks and makes it again, which may show that something else is lacking. */
export async function askAndRetry<Result>(error: ApiError, run: () => Promise<Result>): Promise<Result> {
  if (!dialogs.has(error.code)) throw error
  if (await askForRequirement(error.code)) return run()
  // A declined consent is an error, shown beside what was not sent; a declined proof counts as a cancellation.
  if (error.code === 'consent_required') throw error
  throw new DOMException('Не подтверждено, что это вы.', 'AbortError')
}
