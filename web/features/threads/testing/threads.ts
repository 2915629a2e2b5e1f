import type { Thread } from '#contract/threads.ts'

export const aThread = (id: string, more: Partial<Thread> = {}): Thread => ({
  id,
  title: id,
  assistantId: null,
  projectId: null,
  User: { id: 'anna' },
  Model: null,
  movedFrom: null,
  currentLeafId: null,
  version: 1,
  pinned: false,
  archived: false,
  temporary: false,
  deletedAt: null,
  shareId: null,
  createdAt: '2026-10-01T09:00:00.000Z',
  updatedAt: '2026-10-01T09:00:00.000Z',
  ...more,
})

/** A thread with its last message on this day of October. */
export const threadOn = (day: number, more: Partial<Thread> = {}): Thread =>
  aThread(`day-${day}`, { updatedAt: `2026-10-${String(day).padStart(2, '0')}T09:00:00.000Z`, ...more })
