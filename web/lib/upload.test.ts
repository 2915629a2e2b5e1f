import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { filesApi } from '#contract/files.ts'
import { transcriptionsApi } from '#contract/transcriptions.ts'
import { progress } from './progress.ts'
import { sendFile, upload } from './upload.ts'

const uploaded = { id: 'r1', received: 4, bytes: 4, chunkBytes: 4 }
const args = { params: { id: 'r1' }, query: { offset: 0 } }

/** A request that the test answers. */
class FakeRequest {
  static last: FakeRequest
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  status = 200
  responseText = ''
  onload = () => {}
  onerror = () => {}
  onloadend = () => {}
  opened = ''
  headers = new Map<string, string>()
  isAborted = false
  constructor() {
    FakeRequest.last = this
  }
  open(method: string, url: string) {
    this.opened = `${method} ${url}`
  }
  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value)
  }
  send() {}
  abort() {
    this.isAborted = true
    this.onloadend()
  }
  answer(status: number, text: string) {
    Object.assign(this, { status, responseText: text })
    this.onload()
    this.onloadend()
  }
}

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeRequest))
afterEach(() => vi.unstubAllGlobals())

test('an upload shows the loading bar and reports its progress (S7.126)', async () => {
  const shares: number[] = []
  const sent = upload(transcriptionsApi.put, args, new Blob(['text']), { onSent: (bytes) => shares.push(bytes) })
  expect(progress.isBusy()).toBe(true)
  expect(FakeRequest.last.opened).toBe('PUT /api/transcriptions/uploads/r1?offset=0')
  FakeRequest.last.upload.onprogress?.({ loaded: 2, total: 4 })
  FakeRequest.last.answer(200, JSON.stringify(uploaded))
  expect(await sent).toEqual(uploaded)
  expect(shares).toEqual([2])
  expect(progress.isBusy()).toBe(false)
})

test.each([
  [413, '{"status":413,"code":"payload_too_large","message":"Файл больше 20 МБ."}', { status: 413 }],
  [502, '<html>', { status: 502, message: 'Unknown error' }],
  [200, 'not json', { status: 200, code: 'bad_answer' }],
])('an answer %i %s is an error, and the loading bar ends', async (status, text, error) => {
  const sent = upload(transcriptionsApi.put, args, new Blob(['text']))
  FakeRequest.last.answer(status, text)
  await expect(sent).rejects.toMatchObject(error)
  expect(progress.isBusy()).toBe(false)
})

test('an upload that lost its connection has a message for people', async () => {
  const { sent } = sendFile(filesApi.upload, {}, new File(['text'], 'a.txt'), () => {})
  FakeRequest.last.onerror()
  await expect(sent).rejects.toThrow('Нет связи. Файл не загрузился.')
})

test('an aborted file settles nothing and ends the loading bar', async () => {
  const settled = vi.fn()
  const { sent, abort } = sendFile(filesApi.upload, {}, new File(['text'], 'a.txt'), () => {})
  sent.then(settled, settled)
  abort()
  await vi.waitFor(() => expect(progress.isBusy()).toBe(false))
  expect(FakeRequest.last.isAborted).toBe(true)
  expect(settled).not.toHaveBeenCalled()
})
