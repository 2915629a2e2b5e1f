import { ApiError } from '#contract/errors.ts'

/** Asks the user to confirm their identity; false if they decline. */
type Ask = () => Promise<boolean>

let ask: Ask | null = null
let asking: Promise<boolean> | null = null

/** Set by the dialog while it is mounted. */
export function setProofDialog(next: Ask | null): void {
  ask = next
}

/** Concurrent calls share one dialog. */
export function askForProof(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null
  })
  return asking
}

/** Runs a call; when a fresh proof is missing, asks for it and runs the call again. */
export async function withProof<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!ask || !(error instanceof ApiError) || error.code !== 'proof_required') throw error
    if (!(await askForProof())) throw new DOMException('Не подтверждено, что это вы.', 'AbortError')
    return run()
  }
}
