import { expect, test, vi } from 'vitest'
import { holdReload, isReloadHeld, whenReloadIsFree } from './hold-reload.ts'

test('with nothing unsaved one acts at once', () => {
  const act = vi.fn()
  whenReloadIsFree(act)
  expect(act).toHaveBeenCalledOnce()
})

test('one acts once, when the last hold is released', () => {
  const act = vi.fn()
  const releaseDraft = holdReload('черновик')
  const releaseAnswer = holdReload('ответ')
  whenReloadIsFree(act)

  releaseDraft()
  releaseDraft()
  expect(isReloadHeld()).toBe(true)
  expect(act).not.toHaveBeenCalled()

  releaseAnswer()
  expect(isReloadHeld()).toBe(false)
  expect(act).toHaveBeenCalledOnce()
})
