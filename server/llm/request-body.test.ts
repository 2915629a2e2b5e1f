import { expect, test } from 'vitest'
import { createByteBudget } from './request-body.ts'

const small = () => createByteBudget({ processBytes: 100, userBytes: 60, waitMs: 50 })
const rejected = { status: 503, message: expect.stringContaining('Повторите через') }

test('a person takes at most a share, and others get theirs', async () => {
  const budget = small()
  await budget.take('anna', 60)
  await expect(budget.take('anna', 1)).rejects.toMatchObject(rejected)
  await budget.take('boris', 40)
  await expect(budget.check('vera', 1)).rejects.toMatchObject(rejected)
})

test('a waiting request is admitted when it fits, before larger requests', async () => {
  const budget = createByteBudget({ processBytes: 100, userBytes: 100, waitMs: 5000 })
  const release = await budget.take('anna', 90)
  const leave = new AbortController()
  const large = budget.take('boris', 95, leave.signal)
  const little = budget.take('vera', 90)
  release()
  release()
  const second = await Promise.race([large.then(() => 'large'), little.then(() => 'little')])
  expect(second).toBe('large')
  await expect(Promise.race([little, new Promise((done) => setTimeout(done, 30, 'waits'))])).resolves.toBe('waits')
})

test('an aborted request leaves no trace; a huge request runs alone', async () => {
  const budget = small()
  const release = await budget.take('anna', 500)
  const leave = new AbortController()
  const waiting = budget.take('boris', 10, leave.signal)
  leave.abort('left')
  await expect(waiting).rejects.toBe('left')
  release()
  await budget.check('boris', 60)
  await budget.check('boris', 60)
})
