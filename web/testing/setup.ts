import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { outbox } from '#web/features/chat/outbox/outbox.ts'
import { addBrowserParts } from './browser-parts.ts'
import { FakeServer } from './fake-server.ts'
import { quickenComputedStyle } from './quick-style.ts'

// Runs before every file: what the environment lacks, and what no component test may leave unnoticed.
addBrowserParts()
quickenComputedStyle()
// The toaster brings rules of style with it, and jsdom asks each of them about each element.
for (const style of document.head.querySelectorAll('style')) style.remove()
// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 10_000 })
let complaints: string[] = []

// An answer may arrive between two steps of a test, and what it shows is waited for; jsdom does not know <search>.
const ordinary = ['not wrapped in act', 'is unrecognized in this browser']

beforeEach(() => {
  complaints = []
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    const text = parts.map(String).join(' ')
    if (!ordinary.some((part) => text.includes(part))) complaints.push(text)
  })
})

afterEach(async () => {
  cleanup()
  // A part of the page that is still loading when the environment goes would be missing in later files.
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
  expect([...problems, ...complaints]).toEqual([])
})
