import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '#server/testing/database.ts'
import { type Jobs, openJobs } from './jobs.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
const open: Jobs[] = []
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  for (const jobs of open) await jobs.close()
  await database.close()
})

const fail = (error: unknown) => expect.fail(String(error))
async function anInstance(onError: (error: unknown) => void = fail): Promise<Jobs> {
  const jobs = await openJobs(database, onError, 0.5)
  open.push(jobs)
  return jobs
}

test('work runs when it is asked for, and of two instances one does it', async () => {
  const ran: string[] = []
  const [first, second] = [await anInstance(), await anInstance()]
  await first.every('count', '0 0 1 1 *', async () => void ran.push('first'))
  await second.every('count', '0 0 1 1 *', async () => void ran.push('second'))
  await first.soon('count')
  await expect.poll(() => ran.length, { timeout: 15_000 }).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(ran).toHaveLength(1)
}, 40_000)

test('a run that fails is told and tried again', async () => {
  const told: unknown[] = []
  let tries = 0
  const jobs = await anInstance((error) => told.push(error))
  await jobs.every('stumble', '0 0 1 1 *', async () => {
    tries += 1
    if (tries === 1) throw new Error('not today')
  })
  await jobs.soon('stumble')
  await expect.poll(() => tries, { timeout: 25_000 }).toBe(2)
  expect(told).toMatchObject([{ message: 'not today' }])
}, 40_000)
