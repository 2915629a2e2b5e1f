import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { retryAfterDialog } from './api.ts'
import { type Requirement, setRequirementDialog } from './call-requirements.ts'

const rejectionOf = (code: string) => new ApiError({ status: 403, code, message: 'Сначала ответьте' })
const rejection = rejectionOf('proof_required')
const call = <Result>(run: () => Promise<Result>) => run().catch(retryAfterDialog(run))
const lacks: Requirement[] = ['proof_required', 'consent_required']
afterEach(() => {
  for (const requirement of lacks) setRequirementDialog(requirement, null)
})

test.each(lacks)('a call rejected by %s is repeated after the dialog', async (requirement) => {
  setRequirementDialog(requirement, async () => true)
  const run = vi.fn().mockRejectedValueOnce(rejectionOf(requirement)).mockResolvedValue('done')
  expect(await call(run)).toBe('done')
  expect(run).toHaveBeenCalledTimes(2)
})

test('two calls that are refused together show a single dialog', async () => {
  const dialog = vi.fn(async () => true)
  setRequirementDialog('proof_required', dialog)
  const refusedOnce = () => vi.fn().mockRejectedValueOnce(rejection).mockResolvedValue('done')
  expect(await Promise.all([call(refusedOnce()), call(refusedOnce())])).toEqual(['done', 'done'])
  expect(dialog).toHaveBeenCalledTimes(1)
})

test('a closed dialog hides a missing proof, but reports missing consent', async () => {
  setRequirementDialog('proof_required', async () => false)
  await expect(call(async () => Promise.reject(rejection))).rejects.toMatchObject({ name: 'AbortError' })
  setRequirementDialog('consent_required', async () => false)
  const unagreed = rejectionOf('consent_required')
  await expect(call(async () => Promise.reject(unagreed))).rejects.toBe(unagreed)
})

test('a call fails when no dialog fits its rejection', async () => {
  await expect(call(async () => Promise.reject(rejection))).rejects.toBe(rejection)
  const dialog = vi.fn(async () => true)
  setRequirementDialog('proof_required', dialog)
  const other = new ApiError({ status: 403, code: 'forbidden', message: 'Нельзя' })
  await expect(call(async () => Promise.reject(other))).rejects.toBe(other)
  expect(dialog).not.toHaveBeenCalled()
})
