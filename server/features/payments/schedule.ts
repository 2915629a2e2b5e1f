import type { Jobs } from '#server/jobs/jobs.ts'
import { healPayments } from './heal.ts'
import { remindRenewals } from './reminders.ts'
import type { PaymentWorld } from './world.ts'

export async function schedulePayments(jobs: Jobs, world: PaymentWorld): Promise<void> {
  await jobs.every('heal-payments', '* * * * *', async () => {
    await healPayments(world)
  })
  await jobs.every('remind-renewals', '23 * * * *', async () => {
    await remindRenewals(world)
  })
}
