import type { Jobs } from '#server/jobs/jobs.ts'
import { askAboutReversals } from './ask-reversals.ts'
import { healPayments } from './heal.ts'
import { maskOldEvents } from './keep-event.ts'
import { remindRenewals } from './reminders.ts'
import type { PaymentWorld } from './world.ts'

export async function schedulePayments(jobs: Jobs, world: PaymentWorld): Promise<void> {
  // A gateway that does not answer takes 25 s for each question; a run begins nothing new after a minute.
  await jobs.every('heal-payments', '* * * * *', async () => void (await healPayments(world)), { limitSeconds: 180 })
  await jobs.every('ask-about-reversals', '*/5 * * * *', async () => void (await askAboutReversals(world)), {
    limitSeconds: 180,
  })
  await jobs.every('mask-payment-events', '*/10 * * * *', async () => void (await maskOldEvents(world)), {
    limitSeconds: 600,
  })
  await jobs.soon('mask-payment-events')
  await jobs.every('remind-renewals', '23 * * * *', async () => void (await remindRenewals(world)), {
    limitSeconds: 600,
  })
}
