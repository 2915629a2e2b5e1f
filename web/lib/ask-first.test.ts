import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { askFirst } from './api.ts'
import { type Lack, setDialog } from './ask-first.ts'

const rejectionOf = (code: string) => new ApiError({ status: 403, code, message: 'Сначала ответьте' })
const rejection = rejectionOf('proof_required')
const call = <Result>(run: () => Promise<Result>) => run().catch(askFirst(run))
const lacks: Lack[] = ['proof_required', 'consent_required']
afterEach(() => {
  for (const lack of lacks) setDialog(lack, null)
})

test.each(lacks)('a call rejected by %s is made again once the dialog was answered', async (lack) => {
  setDialog(lack, async () => true)
  const run = vi.fn().mockRejectedValueOnce(rejectionOf(lack)).mockResolvedValue('done')
  expect(await call(run)).toBe('done')
  expect(run).toHaveBeenCalledTimes(2)
})

test('two calls that are refused together ask once', async () => {
  const dialog = vi.fn(async () => true)
  setDialog('proof_required', dialog)
  const refusedOnce = () => vi.fn().mockRejectedValueOnce(rejection).mockResolvedValue('done')
  expect(await Promise.all([call(refusedOnce()), call(refusedOnce())])).toEqual(['done', 'done'])
  expect(dialog).toHaveBeenCalledTimes(1)
})

test('closing the dialog of a proof shows no error, and without a consent the reason stays', async () => {
  setDialog('proof_required', async () => false)
  await expect(call(async () => Promise.reject(rejection))).rejects.toMatchObject({ name: 'AbortError' })
  setDialog('consent_required', async () => false)
  const unagreed = rejectionOf('consent_required')
  await expect(call(async () => Promise.reject(unagreed))).rejects.toBe(unagreed)
})

test('a call refused for another reason, or where no dialog can be shown, fails as before', async () => {
  await expect(call(async () => Promise.reject(rejection))).rejects.toBe(rejection)
  const dialog = vi.fn(async () => true)
  setDialog('proof_required', dialog)
  const other = new ApiError({ status: 403, code: 'forbidden', message: 'Нельзя' })
  await expect(call(async () => Promise.reject(other))).rejects.toBe(other)
  expect(dialog).not.toHaveBeenCalled()
})
