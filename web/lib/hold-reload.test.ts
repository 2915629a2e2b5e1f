import { expect, test, vi } from 'vitest'
import { holdReload, isReloadHeld, whenReloadIsFree } from './hold-reload.ts'

test('an action runs at once when nothing is unsaved', () => {
  const action = vi.fn()
  whenReloadIsFree(action)
  expect(action).toHaveBeenCalledOnce()
})

test('an action runs once, when the last hold is released', () => {
  const action = vi.fn()
  const releaseDraft = holdReload('черновик')
  const releaseAnswer = holdReload('ответ')
  whenReloadIsFree(action)

  releaseDraft()
  releaseDraft()
  expect(isReloadHeld()).toBe(true)
  expect(action).not.toHaveBeenCalled()

  releaseAnswer()
  expect(isReloadHeld()).toBe(false)
  expect(action).toHaveBeenCalledOnce()
})
