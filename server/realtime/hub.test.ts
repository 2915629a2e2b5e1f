import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { CurrentSession } from '#server/http/context.ts'
import { inProcessBus } from './bus.ts'
import { createHub } from './hub.ts'

test('a closed tab is not an error of the server (S10.244)', () => {
  const onError = vi.fn()
  const hub = createHub({ bus: inProcessBus(onError), buildId: 'b', aliveSessions: async () => new Set(), onError })
  const socket = Object.assign(new EventEmitter(), { close: () => socket.emit('close') })
  hub.join(socket as unknown as WebSocket, { id: 's', user: { id: 'u' } } as CurrentSession)
  expect(hub.size()).toBe(1)
  socket.emit('error', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  socket.emit('close')
  expect(hub.size()).toBe(0)
  expect(onError).not.toHaveBeenCalled()
  hub.close()
})
