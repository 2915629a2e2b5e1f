import type { Jobs } from '#server/jobs/jobs.ts'
import { askAboutReversals } from './ask-reversals.ts'
import type { PaymentDeps } from './deps.ts'
import { healPayments } from './heal.ts'
import { remindRenewals } from './reminders.ts'
import { maskOldEvents } from './store-event.ts'

export async function schedulePayments(jobs: Jobs, deps: PaymentDeps): Promise<void> {
  // A gateway that does not answer takes 25 s for each question; a run begins nothing new after a minute.
  await jobs.every('heal-payments', '* * * * *', async () => void (await healPayments(deps)), { limitSeconds: 180 })
  await jobs.every('ask-about-reversals', '*/5 * * * *', async () => void (await askAboutReversals(deps)), {
    limitSeconds: 180,
  })
  await jobs.every('mask-payment-events', '*/10 * * * *', async () => void (await maskOldEvents(deps)), {
    limitSeconds: 600,
  })
  await jobs.soon('mask-payment-events')
  await jobs.every('remind-renewals', '23 * * * *', async () => void (await remindRenewals(deps)), {
    limitSeconds: 600,
  })
}
