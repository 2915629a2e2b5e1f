import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { outbox } from '#web/features/chat/state/outbox.ts'
import { addBrowserApis } from './browser-apis.ts'
import { FakeServer } from './fake-server.ts'
import { quickenComputedStyle } from './quick-style.ts'

// Runs before every file: adds what the environment lacks, and fails tests that log errors.
addBrowserApis()
quickenComputedStyle()
// The toaster adds style rules, and jsdom matches each of them with each element.
for (const style of document.head.querySelectorAll('style')) style.remove()
// A busy machine needs more time.
configure({ asyncUtilTimeout: 10_000 })
let consoleErrors: string[] = []

// Expected warnings: a response may arrive between two steps of a test, and jsdom does not know <search>.
const expectedTexts = ['not wrapped in act', 'is unrecognized in this browser']

beforeEach(() => {
  consoleErrors = []
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    const text = parts.map(String).join(' ')
    if (!expectedTexts.some((part) => text.includes(part))) consoleErrors.push(text)
  })
})

afterEach(async () => {
  cleanup()
  // A dynamic import that is still running when the environment is closed would fail in later files.
  await vi.dynamicImportSettled()
  const problems = FakeServer.closeAll()
  for (const { id } of outbox().all()) outbox().remove(id)
  toast.dismiss()
  localStorage.clear()
  history.replaceState(null, '', '/')
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  // A test may have taken the network away, and queries remember that.
  onlineManager.setOnline(true)
  expect([...problems, ...consoleErrors]).toEqual([])
})
