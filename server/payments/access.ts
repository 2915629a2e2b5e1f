import type { Log } from '#server/lib/log.ts'
import { type Gateway, GatewayError } from './gateway.ts'

/** Asks the gateway one harmless question, so that wrong settings are known before somebody wants to pay. */
export async function checkAccess(gateway: Gateway, log: Log): Promise<void> {
  try {
    await gateway.subscriptionsPage(1)
  } catch (error) {
    log.warn({ reason: String((error as Error).cause ?? error) }, words(error))
  }
}

function words(error: unknown): string {
  const answered = error instanceof GatewayError ? error.answered : null
  if (answered === 401 || answered === 403) {
    return 'bePaid does not accept BEPAID_SHOP_ID and BEPAID_SECRET_KEY: nobody can pay until they are corrected'
  }
  return answered !== null && answered < 500
    ? 'bePaid does not know what it was asked: check BEPAID_API_URL and BEPAID_SHOP_ID, otherwise nobody can pay'
    : 'bePaid did not answer at the start; payments will be tried all the same'
}
