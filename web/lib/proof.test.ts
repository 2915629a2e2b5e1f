import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { setProofDialog, withProof } from './proof.ts'

const rejection = new ApiError({ status: 403, code: 'proof_required', message: 'Подтвердите, что это вы' })
afterEach(() => setProofDialog(null))

test('a call that lacks a proof is made again once the proof was given', async () => {
  setProofDialog(async () => true)
  const call = vi.fn().mockRejectedValueOnce(rejection).mockResolvedValue('done')
  expect(await withProof(call)).toBe('done')
  expect(call).toHaveBeenCalledTimes(2)
})

test('two calls that are refused together ask once', async () => {
  const dialog = vi.fn(async () => true)
  setProofDialog(dialog)
  const call = () => vi.fn().mockRejectedValueOnce(rejection).mockResolvedValue('done')
  expect(await Promise.all([withProof(call()), withProof(call())])).toEqual(['done', 'done'])
  expect(dialog).toHaveBeenCalledTimes(1)
})

test('whoever closes the dialog is not told of a failure', async () => {
  setProofDialog(async () => false)
  await expect(withProof(async () => Promise.reject(rejection))).rejects.toMatchObject({ name: 'AbortError' })
})

test('a call refused for another reason, or where nobody can be asked, fails as it did', async () => {
  await expect(withProof(async () => Promise.reject(rejection))).rejects.toBe(rejection)
  const dialog = vi.fn(async () => true)
  setProofDialog(dialog)
  const other = new ApiError({ status: 403, code: 'forbidden', message: 'Нельзя' })
  await expect(withProof(async () => Promise.reject(other))).rejects.toBe(other)
  expect(dialog).not.toHaveBeenCalled()
})
